// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import com.sun.management.ThreadMXBean;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.object.ObjectCodec;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;

/**
 * The program that {@link FeedBenchmark} runs in a separate JVM. It measures three informers after
 * a warm-up with another informer.
 */
final class FeedRun {

  private static final int HANDLERS = 3;
  private static final int ROUNDS = 3;
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private FeedRun() {}

  /** The results of one informer that has processed all events. */
  private record Round(double eventsPerSecond, double allocatedPerEvent) {}

  /**
   * Runs one measurement.
   *
   * @param arguments the number of objects, and the number of events per object
   */
  public static void main(String[] arguments) throws InterruptedException {
    int objects = Integer.parseInt(arguments[0]);
    PreparedEvents events = PreparedEvents.of(objects, Integer.parseInt(arguments[1]));
    run(events);
    Round[] rounds = new Round[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      rounds[i] = run(events);
      System.err.println(rounds[i]);
    }
    double speed = Arrays.stream(rounds).mapToDouble(Round::eventsPerSecond).sorted().toArray()[1];
    double bytes =
        Arrays.stream(rounds).mapToDouble(Round::allocatedPerEvent).sorted().toArray()[1];
    double own = (double) events.bytes() / events.size();
    System.out.println("| | measured | target | |");
    System.out.println("|---|---|---|---|");
    System.out.printf("| events per second | %,.0f | | |%n", speed);
    System.out.printf("| bytes of an event's object | %,.0f | | |%n", own);
    System.out.printf("| bytes allocated per event, all threads | %,.0f | | |%n", bytes);
    System.out.printf(
        "| allocated / own bytes | %.2f | ≤ 1.5 | %s |%n",
        bytes / own, bytes / own <= 1.5 ? "pass" : "**fail**");
    System.exit(0);
  }

  private static Round run(PreparedEvents events) throws InterruptedException {
    PreparedFeed feed = new PreparedFeed(events, HANDLERS);
    SharedIndexInformer<BenchResource> informer =
        new SharedIndexInformer<>(
            ObjectCodec.of(BenchResource.class), feed, InformerOptions.defaults());
    for (int i = 0; i < HANDLERS; i++) {
      int handler = i;
      informer.addEventHandler(event -> feed.handled(handler));
    }
    informer.start();
    long start = System.nanoTime();
    while (!informer.hasSynced()) {
      pause(start, feed);
    }
    Thread.sleep(200); // the watch opens within this time
    long allocated = allocatedBytes();
    start = System.nanoTime();
    feed.open();
    while (feed.handledByAll() < events.size()) {
      pause(start, feed);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    Round round =
        new Round(events.size() / seconds, (double) (allocatedBytes() - allocated) / events.size());
    if (BenchResource.instances() > 0) {
      throw new IllegalStateException("typed objects were made");
    }
    informer.stop(Duration.ofSeconds(5));
    return round;
  }

  private static void pause(long start, PreparedFeed feed) throws InterruptedException {
    if (System.nanoTime() - start > LIMIT.toNanos()) {
      throw new IllegalStateException("stuck at event " + feed.handledByAll());
    }
    Thread.sleep(1);
  }

  /**
   * Returns the bytes allocated by all live threads. The threads of the informer are alive until
   * the measurement ends.
   */
  private static long allocatedBytes() {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    return Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
        .filter(bytes -> bytes > 0)
        .sum();
  }
}
