// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.time.DurationText;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.Optional;

/**
 * How to delete, and on which condition. Begin with {@link #DEFAULT} or {@link #exactly}.
 *
 * @param uid the object must be this one, not another of its name; else a {@link ConflictException}
 * @param resourceVersion the object must be in this state; else a {@link ConflictException}
 * @param propagation what becomes of the objects that it owns; the type's own default if empty
 * @param gracePeriod how long it may take to end, in whole seconds; the type's own default if empty
 */
public record DeleteOptions(
    Optional<String> uid,
    Optional<String> resourceVersion,
    Optional<Propagation> propagation,
    Optional<Duration> gracePeriod) {

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
  public static final DeleteOptions DEFAULT =
      new DeleteOptions(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  /** Refuses a grace period that is negative. */
  public DeleteOptions {
    gracePeriod.ifPresent(
        period -> {
          if (period.isNegative()) {
            throw new IllegalArgumentException(
                "a grace period must be zero or more, and this is " + DurationText.of(period));
          }
        });
  }

  /**
   * Only this object in this state: with the uid and the resourceVersion that it has.
   *
   * @throws IllegalArgumentException if it has none of them, as one that was never on a server
   */
  public static DeleteOptions exactly(HasMetadata object) {
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

  /** The same, for the object with this uid only. */
  public DeleteOptions withUid(String wanted) {
    return new DeleteOptions(Optional.of(wanted), resourceVersion, propagation, gracePeriod);
  }

  /** The same, for the object in this state only. */
  public DeleteOptions withResourceVersion(String wanted) {
    return new DeleteOptions(uid, Optional.of(wanted), propagation, gracePeriod);
  }

  /** The same with another fate of the objects that it owns. */
  public DeleteOptions with(Propagation other) {
    return new DeleteOptions(uid, resourceVersion, Optional.of(other), gracePeriod);
  }

  /** The same with another grace period. */
  public DeleteOptions withGracePeriod(Duration period) {
    return new DeleteOptions(uid, resourceVersion, propagation, Optional.of(period));
  }
}
