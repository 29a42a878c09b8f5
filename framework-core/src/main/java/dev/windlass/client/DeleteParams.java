// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.scheduling.DurationText;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The preconditions and options of a deletion. Start with {@link #DEFAULT} or {@link #exactly}.
 * Instances are immutable. Later versions may add further preconditions.
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

    String text() {
      return text;
    }
  }

  /**
   * The default parameters: no preconditions, the grace period of the object, and {@link
   * Propagation#BACKGROUND}, as {@code kubectl delete}. The server's own default would leave the
   * Pods of a Job behind. As the policy is explicit, the server ignores a finalizer {@code orphan}
   * or {@code foregroundDeletion} that the object already has, and removes it.
   */
  public static final DeleteParams DEFAULT =
      new DeleteParams(
          new Values(Optional.empty(), Optional.empty(), Propagation.BACKGROUND, Optional.empty()));

  private record Values(
      Optional<String> uid,
      Optional<String> resourceVersion,
      Propagation propagation,
      Optional<Duration> gracePeriod) {}

  private final Values values;

  private DeleteParams(Values values) {
    this.values = values;
  }

  /**
   * Returns parameters with the uid and the resourceVersion of the given object as preconditions.
   * The deletion fails if the object has changed.
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
   * Returns a copy of these parameters with the given uid as a precondition. If the object has a
   * different uid, the deletion throws a {@link ConflictException}.
   */
  public DeleteParams withUid(String wanted) {
    return new DeleteParams(
        new Values(
            Optional.of(wanted), values.resourceVersion, values.propagation, values.gracePeriod));
  }

  /**
   * Returns a copy of these parameters with the given resourceVersion as a precondition. If the
   * object has a different resourceVersion, the deletion throws a {@link ConflictException}.
   */
  public DeleteParams withResourceVersion(String wanted) {
    return new DeleteParams(
        new Values(values.uid, Optional.of(wanted), values.propagation, values.gracePeriod));
  }

  /**
   * Returns a copy of these parameters with the given deletion policy for the objects that the
   * deleted object owns. The default is {@link Propagation#BACKGROUND}.
   */
  public DeleteParams withPropagation(Propagation other) {
    return new DeleteParams(
        new Values(values.uid, values.resourceVersion, other, values.gracePeriod));
  }

  /**
   * Returns a copy of these parameters with the given grace period. The default depends on the
   * object's type.
   *
   * @param period the time allowed for the object's graceful termination; fractions of a second are
   *     ignored
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

  /** Returns the uid that the object must have, or empty if there is no such precondition. */
  public Optional<String> uid() {
    return values.uid;
  }

  /**
   * Returns the resourceVersion that the object must have, or empty if there is no such
   * precondition.
   */
  public Optional<String> resourceVersion() {
    return values.resourceVersion;
  }

  /** Returns the deletion policy for the objects that the deleted object owns. */
  public Propagation propagation() {
    return values.propagation;
  }

  /** Returns the grace period, or empty for the default of the object's type. */
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
