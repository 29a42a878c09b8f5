// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.owned;

import dev.windlass.client.transport.WriteHook;
import dev.windlass.client.transport.WriteRequest;
import java.util.concurrent.atomic.AtomicInteger;

/** A process that may do so many writes, renewals of its lease included, and then nothing more. */
public final class Mortal implements WriteHook {

  private final int limit;
  private final AtomicInteger done = new AtomicInteger();

  public Mortal(int limit) {
    this.limit = limit;
  }

  @Override
  public Sent before(WriteRequest write) {
    if (done.incrementAndGet() > limit) {
      throw new IllegalStateException("this process is dead");
    }
    return Sent.IGNORED;
  }

  public boolean isDead() {
    return done.get() > limit;
  }
}
