// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A component of a manager with its state; guarded by {@link Components}. */
final class RegisteredComponent {

  /** The state of a component, or the call that is under way. */
  enum State {
    IDLE,
    WARMING,
    WARM,
    STARTING,
    STARTED,
    STOPPING
  }

  final ManagedComponent component;

  /** The leader group that starts the component; null if it needs no leader. */
  final @Nullable LeaderGroup group;

  State state = State.IDLE;

  /** The thread that currently warms up, starts or stops it; null if there is none. */
  @Nullable Thread busy;

  /** Completed when no thread is busy with it. */
  CompletableFuture<Void> settled = CompletableFuture.completedFuture(null);

  /** The sequence number of its start. */
  int order;

  /** Whether its last stop ended in time. */
  boolean ended = true;

  /** Whether a stop no longer waits for its start to return. */
  boolean abandoned;

  RegisteredComponent(ManagedComponent component, @Nullable LeaderGroup group) {
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
