// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.controller.enqueue.EventChannel.Message;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.time.Loop;
import dev.windlass.time.Pause;
import dev.windlass.time.Step;
import dev.windlass.workqueue.Priority;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;

/**
 * Takes messages out of an {@link EventChannel} from a start to the stop that follows.
 *
 * <p>A message leaves the channel when it has been handled, and only if the run is not over by
 * then: else it might be one that the closed gate has dropped.
 */
final class ChannelRun<T extends HasMetadata> implements Source.Running, Step {

  private final EventChannel<T> channel;
  private final Gate gate;
  private final Enqueuer<T> enqueuer;
  private final Loop loop;

  ChannelRun(
      EventChannel<T> channel,
      EventHandler<T> handler,
      EventPredicate<? super T> predicate,
      PrioritySink sink,
      InformerOptions options) {
    this.channel = channel;
    this.gate = new Gate(sink);
    this.enqueuer = new Enqueuer<>(predicate, handler, gate, "");
    this.loop = new Loop(channel.name(), this, options.scheduler(), options.threads());
  }

  void start() {
    loop.start();
  }

  void wake() {
    loop.wake();
  }

  /** One message a round, so that a slow handler is not taken for one that hangs. */
  @Override
  public Pause run() {
    Message<T> message = gate.isOpen() ? channel.peek() : null;
    if (message == null) {
      return Pause.UNTIL_WOKEN;
    }
    takeIn(message);
    if (!gate.isOpen()) {
      return Pause.UNTIL_WOKEN; // it may have been dropped, so it stays for the next run
    }
    channel.remove(this);
    return Pause.NONE;
  }

  private void takeIn(Message<T> message) {
    Request request = message.request();
    ResourceEvent.Generic<T> event = message.event();
    if (request != null) {
      gate.add(request, Priority.NORMAL, new Cause("channel", Cause.What.SENT, request.key()));
    } else if (event != null) {
      enqueuer.handle(event);
    }
  }

  /** There is nothing that was there at the start. */
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
    channel.ended(this); // first: what the gate drops from now on must stay in the channel
    gate.close();
    loop.stop();
  }
}
