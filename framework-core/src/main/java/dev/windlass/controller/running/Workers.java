// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.reporting.ControllerLog;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;
import org.slf4j.Logger;

/**
 * The threads that reconcile: as many as were asked for, and one more for each that a stuck
 * reconcile keeps, up to twice the number. A worker that was replaced ends when it is free again.
 */
public final class Workers {

  private static final Logger log = ControllerLog.get();

  private final String controller;
  private final int number;
  private final ThreadFactory factory;
  private final Supplier<? extends Runnable> makes;

  @GuardedBy("this")
  private final List<Thread> threads = new ArrayList<>();

  /** How many threads have been made, for their names. */
  @GuardedBy("this")
  private int made;

  /** How many of them were not replacements. */
  @GuardedBy("this")
  private int regular;

  /** The reconciles that are stuck, and whose workers were replaced. */
  @GuardedBy("this")
  private final Set<ActiveReconcile> replaced = new HashSet<>();

  /** Those that are stuck, and whose workers were not, because enough others were. */
  @GuardedBy("this")
  private final Set<ActiveReconcile> waiting = new LinkedHashSet<>();

  /**
   * No thread yet.
   *
   * @param makes what the next thread runs
   */
  Workers(ControllerConfig config, Supplier<? extends Runnable> makes) {
    this.controller = config.name();
    this.number = config.options().maxConcurrentReconciles();
    this.factory = config.workerThreads();
    this.makes = makes;
  }

  /** Starts those that are missing. After a thread that could not be made, call it again. */
  public synchronized void start() {
    while (regular < number) {
      startOne();
      regular++;
    }
  }

  @GuardedBy("this")
  private void startOne() {
    Thread thread = factory.newThread(makes.get());
    thread.setName(controller + "-worker-" + (made + 1));
    if (!thread.isDaemon()) {
      thread.setDaemon(true);
    }
    thread.start();
    threads.add(thread);
    made++;
  }

  /**
   * Starts another worker in the place of the one that can't go on, unless that has gone on by now.
   * If no thread can be made, this throws, and may be called again.
   */
  synchronized void replace(ActiveReconcile stuck) {
    if (stuck.hasEnded() || replaced.contains(stuck)) {
      return;
    }
    if (replaced.size() >= number) {
      if (waiting.add(stuck)) {
        log.error(
            "{}: {} stuck workers have been replaced, and no more will be; {} keeps another one",
            controller,
            replaced.size(),
            stuck);
      }
      return;
    }
    startOne();
    replaced.add(stuck);
    stuck.passOn();
  }

  /**
   * A reconcile has ended. Whether its worker must end, too, because it was replaced; if another
   * one is stuck that was not, this worker takes that one's place instead.
   */
  synchronized boolean wasReplaced(ActiveReconcile reconcile) {
    waiting.remove(reconcile);
    if (!replaced.remove(reconcile)) {
      return false;
    }
    Iterator<ActiveReconcile> next = waiting.iterator();
    if (!next.hasNext()) {
      return true;
    }
    ActiveReconcile other = next.next();
    replaced.add(other);
    other.passOn();
    next.remove();
    return false;
  }

  /** Those that have not ended. */
  public synchronized List<Thread> alive() {
    threads.removeIf(thread -> !thread.isAlive());
    return List.copyOf(threads);
  }
}
