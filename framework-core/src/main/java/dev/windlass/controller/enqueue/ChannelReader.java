// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.controller.enqueue.EventChannel.Message;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.scheduling.Loop;
import dev.windlass.scheduling.LoopStep;
import dev.windlass.scheduling.StepDelay;
import dev.windlass.workqueue.Priority;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;

/**
 * Takes messages from an {@link EventChannel} during one run of a controller.
 *
 * <p>The reader first handles a message, and then removes it from the channel. If the sink is
 * closed before the reader removes the message, the message remains in the channel: the sink may
 * have dropped its requests.
 */
final class ChannelReader<T extends HasMetadata> implements Source.Running, LoopStep {

  private final EventChannel<T> channel;
  private final PrioritySink sink;
  private final Enqueuer<T> enqueuer;
  private final Loop loop;

  ChannelReader(
      EventChannel<T> channel,
      EventHandler<T> handler,
      EventPredicate<? super T> predicate,
      PrioritySink sink,
      InformerOptions options) {
    this.channel = channel;
    this.sink = sink;
    this.enqueuer = new Enqueuer<>(predicate, handler, sink, "");
    this.loop = new Loop(channel.name(), this, options.scheduler(), options.threads());
  }

  void start() {
    loop.start();
  }

  void wake() {
    loop.wake();
  }

  /**
   * Processes one message per iteration of the loop, so that the liveness check does not mistake a
   * long series of messages for a hanging loop.
   */
  @Override
  public StepDelay run() {
    Message<T> message = sink.isOpen() ? channel.peek(this) : null;
    if (message == null) {
      return StepDelay.UNTIL_WOKEN;
    }
    takeIn(message);
    if (!sink.isOpen()) {
      return StepDelay.UNTIL_WOKEN; // requests may be lost; the next run repeats the message
    }
    channel.remove(this);
    return StepDelay.NONE;
  }

  private void takeIn(Message<T> message) {
    Request request = message.request();
    ResourceEvent.Generic<T> event = message.event();
    if (request != null) {
      sink.add(
          request,
          Priority.NORMAL,
          new RequestCause("channel", RequestCause.Kind.SENT, request.key()));
    } else if (event != null) {
      enqueuer.handle(event);
    }
  }

  /** Returns true because a channel has no initial state. */
  @Override
  public boolean hasSynced() {
    return true;
  }

  @Override
  public List<Loop> loops() {
    return List.of(loop);
  }

  @Override
  public void stop() {
    channel.ended(this);
    loop.stop();
  }
}
