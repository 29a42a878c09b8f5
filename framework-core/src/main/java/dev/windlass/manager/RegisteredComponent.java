// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A component of a manager, and its state. The lock of {@link Components} guards the state. */
final class RegisteredComponent {

  /**
   * The lifecycle state of a component. In {@link #WARMING}, {@link #STARTING} and {@link
   * #STOPPING}, the corresponding call is in progress.
   */
  enum State {
    IDLE,
    WARMING,
    WARM,
    STARTING,
    STARTED,
    STOPPING
  }

  final ManagedComponent component;

  /**
   * The leader group that starts the component; null if the component does not depend on a leader.
   */
  final @Nullable LeaderGroup group;

  State state = State.IDLE;

  /** The thread that is warming up, starting or stopping the component; null if there is none. */
  @Nullable Thread busy;

  /** The future that completes when the call in progress has returned. */
  CompletableFuture<Void> settled = CompletableFuture.completedFuture(null);

  /** The sequence number of the component's start. */
  int order;

  /** Whether the component's last stop completed before its deadline. */
  boolean ended = true;

  /** Whether the component has stood down and has not been stopped since. */
  boolean stoodDown;

  /** Whether shutdown no longer waits for the component's start to return. */
  boolean abandoned;

  RegisteredComponent(ManagedComponent component, @Nullable LeaderGroup group) {
    this.component = component;
    this.group = group;
  }

  Phase phase() {
    return component.phase();
  }

  boolean canStart() {
    return state == State.IDLE || state == State.WARM;
  }

  boolean isBeginning() {
    return state == State.STARTING || state == State.WARMING;
  }

  @Override
  public String toString() {
    return component.toString();
  }
}
