// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.object.ObjectCodec;
import dev.windlass.scheduling.Scheduler;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A channel through which the program requests reconciles. Any number of threads can send messages.
 * The channel buffers the messages until the controller takes them. {@link Source#channel} creates
 * channels.
 *
 * <ul>
 *   <li>A message contains either an object or a {@link Request}. An object results in a {@link
 *       ResourceEvent.Generic}, which is passed to a predicate and a handler. A request is added
 *       directly to the queue.
 *   <li>The controller takes the messages of each sender in the order in which they were sent.
 *   <li>While a controller is running, no messages are lost. When the controller stops, the
 *       messages in the buffer remain there until the next start. Requests that are already in the
 *       controller's queue are lost. If the controller stops while it is taking a message, this
 *       message can be delivered again after the next start.
 *   <li>On a replica that is not the leader, the controller takes the messages, too. It keeps one
 *       request for each object until the replica becomes the leader. Requests that are in the
 *       queue when the replica loses the lease are dropped.
 *   <li>While no controller is running, the buffer can fill up. {@link #send} then blocks until a
 *       controller is running again.
 *   <li>A channel serves only one controller at a time.
 *   <li>A closed channel does not accept messages and does not block senders. The running
 *       controller, or the next one, still receives the messages that are already in the buffer.
 * </ul>
 *
 * <p>If the channel itself is used as a source, it requests a reconcile of each object that is sent
 * through it. Call {@link #to} to use another handler. This class is thread-safe.
 *
 * @param <T> the type of the objects that can be sent
 */
public final class EventChannel<T extends HasMetadata> implements Source, AutoCloseable {

  /** The default capacity of the buffer, in messages: 1,024, as in controller-runtime. */
  public static final int CAPACITY = 1024;

  /** A message, which is either a request or an event. The other component is null. */
  record Message<T>(@Nullable Request request, ResourceEvent.@Nullable Generic<T> event) {}

  private final ObjectCodec<T> codec;
  private final int capacity;
  private final InformerOptions options;
  private final Scheduler scheduler;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final Queue<Message<T>> buffer = new ArrayDeque<>();

  /** The reader that takes the messages, or null if there is none. */
  @GuardedBy("lock")
  private @Nullable ChannelReader<T> run;

  @GuardedBy("lock")
  private boolean closed;

  EventChannel(Class<T> type, int capacity, InformerOptions options) {
    if (capacity < 1) {
      throw new IllegalArgumentException(
          "a channel's capacity must be at least 1, not " + capacity);
    }
    this.codec = ObjectCodec.of(type);
    this.capacity = capacity;
    this.options = options;
    this.scheduler = options.scheduler();
  }

  /**
   * Sends an object. This method blocks while the buffer is full. The caller may modify the object
   * after this method has returned.
   *
   * @throws InterruptedException if the calling thread was interrupted; in this case, nothing was
   *     sent
   * @throws IllegalStateException if the channel was closed before the object could be sent
   */
  public void send(T object) throws InterruptedException {
    requireSent(put(message(object), null));
  }

  /**
   * Sends a request. This method blocks while the buffer is full.
   *
   * @throws InterruptedException if the calling thread was interrupted; in this case, nothing was
   *     sent
   * @throws IllegalStateException if the channel was closed before the request could be sent
   */
  public void send(Request request) throws InterruptedException {
    requireSent(put(message(request), null));
  }

  /**
   * Sends an object. If the buffer is full, this method waits up to the given time for free space.
   *
   * @param limit the maximum time to wait; if zero or negative, this method does not wait
   * @return true if the object was sent; false if the buffer remained full or the channel is closed
   * @throws InterruptedException if the calling thread was interrupted; in this case, nothing was
   *     sent
   */
  public boolean offer(T object, Duration limit) throws InterruptedException {
    return put(message(object), limit);
  }

  /**
   * Sends a request. If the buffer is full, this method waits up to the given time for free space.
   *
   * @param limit the maximum time to wait; if zero or negative, this method does not wait
   * @return true if the request was sent; false if the buffer remained full or the channel is
   *     closed
   * @throws InterruptedException if the calling thread was interrupted; in this case, nothing was
   *     sent
   */
  public boolean offer(Request request, Duration limit) throws InterruptedException {
    return put(message(request), limit);
  }

  /**
   * Sends an object, unless the buffer is full or the channel is closed. This method never blocks.
   *
   * @return whether the object was sent
   */
  public boolean trySend(T object) {
    return add(message(object));
  }

  /**
   * Sends a request, unless the buffer is full or the channel is closed. This method never blocks.
   *
   * @return whether the request was sent
   */
  public boolean trySend(Request request) {
    return add(message(request));
  }

  /** Returns the number of messages in the buffer. */
  public int waiting() {
    synchronized (lock) {
      return buffer.size();
    }
  }

  private Message<T> message(T object) {
    return new Message<>(null, new ResourceEvent.Generic<>(codec.encode(object)));
  }

  private Message<T> message(Request request) {
    return new Message<>(request, null);
  }

  private boolean put(Message<T> message, @Nullable Duration limit) throws InterruptedException {
    long deadline = limit == null ? 0 : scheduler.nanoTime() + Scheduler.saturatedNanos(limit);
    Scheduler.Alarm alarm = null;
    try {
      synchronized (lock) {
        while (!add(message)) {
          if (closed) {
            return false;
          }
          if (limit != null) {
            long left = deadline - scheduler.nanoTime();
            if (left <= 0) {
              return false;
            }
            if (alarm == null) {
              alarm = scheduler.schedule(this::wakeSenders, Duration.ofNanos(left));
            }
          }
          lock.wait();
        }
        return true;
      }
    } finally {
      if (alarm != null) {
        alarm.cancel();
      }
    }
  }

  private void requireSent(boolean sent) {
    if (!sent) {
      throw new IllegalStateException(this + " was closed");
    }
  }

  /**
   * Closes the channel, which then rejects further messages. A {@link #send} that is waiting throws
   * an exception, and an {@code offer} returns false. The controller still receives the messages in
   * the buffer. This method is idempotent.
   */
  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
      lock.notifyAll();
    }
  }

  private void wakeSenders() {
    synchronized (lock) {
      lock.notifyAll();
    }
  }

  private boolean add(Message<T> message) {
    synchronized (lock) {
      if (closed || buffer.size() >= capacity) {
        return false;
      }
      buffer.add(message);
      if (run != null) {
        run.wake();
      }
      return true;
    }
  }

  /**
   * Returns the next message without removing it from the buffer. Returns null if the buffer is
   * empty, or if the given reader has stopped.
   */
  @Nullable Message<T> peek(ChannelReader<T> by) {
    synchronized (lock) {
      return run == by ? buffer.peek() : null;
    }
  }

  /**
   * Removes the message that {@link #peek} returned to the given reader. Has no effect if this
   * reader has stopped.
   */
  void remove(ChannelReader<T> by) {
    synchronized (lock) {
      if (run == by) {
        buffer.remove();
        lock.notifyAll();
      }
    }
  }

  void ended(ChannelReader<T> ended) {
    synchronized (lock) {
      if (run == ended) {
        run = null;
      }
    }
  }

  /**
   * Returns a source that passes each object sent through this channel to the given handler if the
   * predicate accepts the object.
   */
  public Source to(EventHandler<? super T> handler, EventPredicate<? super T> predicate) {
    EventHandler<T> own = StatefulEventHandler.own(handler);
    return new NamedSource(toString(), sink -> start(own, predicate, sink));
  }

  /**
   * Starts requesting a reconcile for each object sent through this channel. This is equivalent to
   * starting the source returned by {@link #to} with {@link EventHandler#self()} and {@link
   * EventPredicate#always()}.
   */
  @Override
  public Running start(PrioritySink sink) {
    return start(EventHandler.self(), EventPredicate.always(), sink);
  }

  private Running start(
      EventHandler<T> handler, EventPredicate<? super T> predicate, PrioritySink sink) {
    ChannelReader<T> begun = new ChannelReader<>(this, handler, predicate, sink, options);
    synchronized (lock) {
      if (run != null) {
        throw new IllegalStateException(
            this + " is in use: a channel serves one controller at a time, so create another one");
      }
      run = begun;
    }
    boolean started = false;
    try {
      begun.start();
      started = true;
    } finally {
      if (!started) {
        ended(begun);
      }
    }
    return begun;
  }

  /** Returns the name of the thread that takes the messages. */
  String name() {
    return "channel-" + codec.type().resource();
  }

  @Override
  public String toString() {
    return "the channel of " + codec.type().resource();
  }
}
