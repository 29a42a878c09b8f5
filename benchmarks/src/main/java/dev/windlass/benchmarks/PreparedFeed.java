// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import dev.windlass.informer.reflector.FeedEvent;
import dev.windlass.informer.reflector.FeedStream;
import dev.windlass.informer.reflector.ListerWatcher;
import dev.windlass.informer.reflector.ListerWatcher.ListRequest;
import dev.windlass.informer.reflector.ListerWatcher.WatchRequest;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * An in-memory server. It returns an empty list, and a watch that delivers prepared events as fast
 * as the handlers process them. At most {@link #WINDOW} events are in flight. Therefore no events
 * are merged, and each handler receives every event.
 */
final class PreparedFeed implements ListerWatcher {

  /**
   * The maximum number of events in flight. It is below 1,024, the length at which queues begin to
   * merge events.
   */
  private static final int WINDOW = 1000;

  /** The number of events after which a handler requests more events. */
  private static final int WAKE_EVERY = 256;

  private final PreparedEvents events;
  private final AtomicIntegerArray handled;
  private volatile Runnable wakeUp = () -> {};
  private volatile boolean open;

  /** The index of the next event. Only the reflector's thread reads and writes it. */
  private int next;

  PreparedFeed(PreparedEvents events, int handlers) {
    this.events = events;
    this.handled = new AtomicIntegerArray(handlers);
  }

  /** Starts the delivery of events. */
  void open() {
    open = true;
    wakeUp.run();
  }

  /** Records that a handler has processed one event. */
  void handled(int handler) {
    if (handled.incrementAndGet(handler) % WAKE_EVERY == 0) {
      wakeUp.run();
    }
  }

  /** Returns the number of events that the slowest handler has processed. */
  int handledByAll() {
    int least = Integer.MAX_VALUE;
    for (int i = 0; i < handled.length(); i++) {
      least = Math.min(least, handled.get(i));
    }
    return least;
  }

  @Override
  public FeedStream list(ListRequest request, Runnable wakeUp) {
    ArrayDeque<FeedEvent> answer =
        new ArrayDeque<>(List.of(new FeedEvent.Opened(), new FeedEvent.ListEnd("1", "")));
    return new FeedStream() {
      @Override
      public Optional<FeedEvent> poll() {
        return Optional.ofNullable(answer.poll());
      }

      @Override
      public void close() {}
    };
  }

  /** Opens a watch, which continues where the previous watch ended. */
  @Override
  public FeedStream watch(WatchRequest request, Runnable wakeUp) {
    this.wakeUp = wakeUp;
    return new FeedStream() {
      @Override
      public Optional<FeedEvent> poll() {
        if (!open || next >= events.size() || next - handledByAll() >= WINDOW) {
          return Optional.empty();
        }
        return events.get(next++);
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public String describe() {
    return "prepared events";
  }
}
