// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.manager.permissions.PermissionCheck;
import dev.windlass.manager.shutdown.StopSequence;
import java.time.Duration;

/**
 * A component that is part of every manager.
 *
 * @param name the name for log messages, which does not have to be unique
 * @param phase the phase in which the component starts
 * @param begin starts the component without waiting
 * @param end stops the component within a time limit
 */
record BuiltInComponent(String name, Phase phase, Runnable begin, StopSequence.Stop end)
    implements ManagedComponent {

  static BuiltInComponent of(PermissionCheck check) {
    return new BuiltInComponent("the permissions check", Phase.ALWAYS, check::start, check::stop);
  }

  @Override
  public void start() {
    begin.run();
  }

  @Override
  public boolean stop(Duration limit) throws InterruptedException {
    return end.within(limit);
  }

  @Override
  public String toString() {
    return name;
  }
}
