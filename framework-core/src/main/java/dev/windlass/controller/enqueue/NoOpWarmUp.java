// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import java.util.Optional;

/**
 * The warm-up of a source that has nothing to prepare. The source adds all its requests after it
 * has been started.
 */
final class NoOpWarmUp implements Source.Running {

  static final Optional<Source.Running> UNTIL_STARTED = Optional.of(new NoOpWarmUp());

  private NoOpWarmUp() {}

  @Override
  public boolean hasSynced() {
    return true;
  }

  @Override
  public void stop() {}
}
