// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock that is held for some nanoseconds at a time: whoever finds it taken tries again for a
 * moment before it goes to sleep, which would take a thousand times as long.
 */
final class QueueLock extends ReentrantLock {

  private static final long serialVersionUID = 1L;

  private static final int TRIES = 100;

  @Override
  public void lock() {
    for (int i = 0; i < TRIES; i++) {
      if (tryLock()) {
        return;
      }
      Thread.onSpinWait();
    }
    super.lock();
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    for (int i = 0; i < TRIES; i++) {
      if (tryLock()) {
        return;
      }
      Thread.onSpinWait();
    }
    super.lockInterruptibly();
  }
}
