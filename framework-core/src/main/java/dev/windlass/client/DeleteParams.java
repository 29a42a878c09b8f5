// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.scheduling.DurationText;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Specifies how to delete objects and which preconditions they must meet. Start with {@link
 * #DEFAULT} or {@link #exactly}. Instances are immutable. Later versions may add preconditions.
 */
public final class DeleteParams {

  /** Determines what happens to the objects that a deleted object owns. */
  public enum Propagation {
    /** Deletes the owned objects after the owner, in the background. */
    BACKGROUND("Background"),
    /**
     * Deletes the owned objects before the owner. The owner remains in the terminating state until
     * they no longer exist.
     */
    FOREGROUND("Foreground"),
    /** Keeps the owned objects, and removes their references to the owner. */
    ORPHAN("Orphan");

    private final String text;

    Propagation(String text) {
      this.text = text;
    }

    /** Returns the value of {@code propagationPolicy} in a request. */
    String text() {
      return text;
    }
  }

  /** Parameters that set no preconditions and use the type's defaults. */
  public static final DeleteParams DEFAULT =
      new DeleteParams(
          new Values(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()));

  private record Values(
      Optional<String> uid,
      Optional<String> resourceVersion,
      Optional<Propagation> propagation,
      Optional<Duration> gracePeriod) {}

  private final Values values;

  private DeleteParams(Values values) {
    this.values = values;
  }

  /**
   * Returns parameters that require the object to still have the uid and the resourceVersion of the
   * given object.
   *
   * @throws IllegalArgumentException if the object lacks a uid or a resourceVersion, for example
   *     because it was not read from a server
   */
  public static DeleteParams exactly(HasMetadata object) {
    String uid = object.getMetadata().getUid();
    String version = object.getMetadata().getResourceVersion();
    if (uid == null || version == null) {
      throw new IllegalArgumentException(
          object.getKind()
              + " "
              + object.getMetadata().getName()
              + " has no uid or no resourceVersion; read it from the server first");
    }
    return DEFAULT.withUid(uid).withResourceVersion(version);
  }

  /**
   * Returns a copy of these parameters that requires the object to have the given uid. If its uid
   * differs, the deletion throws a {@link ConflictException}.
   */
  public DeleteParams withUid(String wanted) {
    return new DeleteParams(
        new Values(
            Optional.of(wanted), values.resourceVersion, values.propagation, values.gracePeriod));
  }

  /**
   * Returns a copy of these parameters that requires the object to have the given resourceVersion.
   * If its resourceVersion differs, the deletion throws a {@link ConflictException}.
   */
  public DeleteParams withResourceVersion(String wanted) {
    return new DeleteParams(
        new Values(values.uid, Optional.of(wanted), values.propagation, values.gracePeriod));
  }

  /**
   * Returns a copy of these parameters with the given policy for the objects that the deleted
   * object owns. By default, the type determines the policy.
   */
  public DeleteParams withPropagation(Propagation other) {
    return new DeleteParams(
        new Values(values.uid, values.resourceVersion, Optional.of(other), values.gracePeriod));
  }

  /**
   * Returns a copy of these parameters with the given grace period. By default, the type determines
   * the grace period.
   *
   * @param period the time that the object has to terminate; fractions of a second are dropped
   * @throws IllegalArgumentException if the period is negative
   */
  public DeleteParams withGracePeriod(Duration period) {
    if (period.isNegative()) {
      throw new IllegalArgumentException(
          "a grace period must be zero or more, not " + DurationText.of(period));
    }
    return new DeleteParams(
        new Values(values.uid, values.resourceVersion, values.propagation, Optional.of(period)));
  }

  /** Returns the uid that the object must have, or empty if any uid is accepted. */
  public Optional<String> uid() {
    return values.uid;
  }

  /** Returns the resourceVersion that the object must have, or empty if any version is accepted. */
  public Optional<String> resourceVersion() {
    return values.resourceVersion;
  }

  /**
   * Returns the policy for the objects that the deleted object owns, or empty if the type
   * determines the policy.
   */
  public Optional<Propagation> propagation() {
    return values.propagation;
  }

  /**
   * Returns the time that the object has to terminate, or empty if the type determines this time.
   */
  public Optional<Duration> gracePeriod() {
    return values.gracePeriod;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof DeleteParams that && values.equals(that.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
