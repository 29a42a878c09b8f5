// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A component of a manager, and what has become of it; guarded by {@link Components}. */
final class Slot {

  /** What it is, or what is being done to it. */
  enum State {
    IDLE,
    WARMING,
    WARM,
    STARTING,
    STARTED,
    STOPPING
  }

  final ManagedComponent component;

  /** Those that start when they lead; null for what needs no leader. */
  final @Nullable LeaderGroup group;

  State state = State.IDLE;

  /** Who warms, starts or stops it at the moment. */
  @Nullable Thread busy;

  /** Completed when nobody is busy with it. */
  CompletableFuture<Void> settled = CompletableFuture.completedFuture(null);

  /** When it began, as the number of its start. */
  int order;

  /** Whether its last stop came to an end in time. */
  boolean ended = true;

  /** Whether a stop no longer waits for its start to return. */
  boolean abandoned;

  Slot(ManagedComponent component, @Nullable LeaderGroup group) {
    this.component = component;
    this.group = group;
  }

  Phase phase() {
    return component.phase();
  }

  boolean isBeginning() {
    return state == State.STARTING || state == State.WARMING;
  }

  @Override
  public String toString() {
    return component.toString();
  }
}
