// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.time.DurationText;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How to delete, and on which condition. Begin with {@link #DEFAULT} or {@link #exactly}.
 * Immutable. Further conditions may be added in later versions.
 */
public final class DeleteParams {

  /** What becomes of the objects that a deleted one owns. */
  public enum Propagation {
    /** They are deleted afterwards, by the garbage collector. */
    BACKGROUND("Background"),
    /** They are deleted first; the owner stays, terminating, until they are gone. */
    FOREGROUND("Foreground"),
    /** They stay, without an owner. */
    ORPHAN("Orphan");

    private final String text;

    Propagation(String text) {
      this.text = text;
    }

    /** As it stands in a request. */
    String text() {
      return text;
    }
  }

  /** No condition, and the type's own defaults. */
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
   * Only this object in this state: with the uid and the resourceVersion that it has.
   *
   * @throws IllegalArgumentException if it has none of them, as one that was never on a server
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

  /** The same, for the object with this uid only; else a {@link ConflictException}. */
  public DeleteParams withUid(String wanted) {
    return new DeleteParams(
        new Values(
            Optional.of(wanted), values.resourceVersion, values.propagation, values.gracePeriod));
  }

  /** The same, for the object in this state only; else a {@link ConflictException}. */
  public DeleteParams withResourceVersion(String wanted) {
    return new DeleteParams(
        new Values(values.uid, Optional.of(wanted), values.propagation, values.gracePeriod));
  }

  /** The same with another fate of the objects that it owns; by default it is the type's own. */
  public DeleteParams withPropagation(Propagation other) {
    return new DeleteParams(
        new Values(values.uid, values.resourceVersion, Optional.of(other), values.gracePeriod));
  }

  /**
   * The same with another grace period; by default it is the type's own.
   *
   * @param period how long the object may take to end; in whole seconds
   * @throws IllegalArgumentException if it is negative
   */
  public DeleteParams withGracePeriod(Duration period) {
    if (period.isNegative()) {
      throw new IllegalArgumentException(
          "a grace period must be zero or more, and this is " + DurationText.of(period));
    }
    return new DeleteParams(
        new Values(values.uid, values.resourceVersion, values.propagation, Optional.of(period)));
  }

  /** The uid that the object must have; empty for any. */
  public Optional<String> uid() {
    return values.uid;
  }

  /** The resourceVersion that the object must have; empty for any. */
  public Optional<String> resourceVersion() {
    return values.resourceVersion;
  }

  /** What becomes of the objects that it owns; empty for the type's own default. */
  public Optional<Propagation> propagation() {
    return values.propagation;
  }

  /** How long the object may take to end; empty for the type's own default. */
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
