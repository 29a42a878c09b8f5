// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;

/** Makes threads and lists them. A test asserts at its end that none is left behind. */
@SuppressWarnings("serial") // never written
public final class Threads extends CopyOnWriteArrayList<Thread> implements ThreadFactory {

  @Override
  public Thread newThread(Runnable task) {
    Thread thread = new Thread(task);
    add(thread);
    return thread;
  }

  public Thread start(Runnable task) {
    Thread thread = newThread(task);
    thread.start();
    return thread;
  }

  /** Fails if one of them has not ended within 20 s. */
  public void assertEnded() throws InterruptedException {
    for (Thread thread : this) {
      thread.join(20_000);
      assertThat(thread.isAlive()).as(thread.getName()).isFalse();
    }
  }
}
