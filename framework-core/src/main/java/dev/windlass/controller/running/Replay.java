// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.enqueue.PrioritySink;
import dev.windlass.controller.enqueue.RequestCause;
import dev.windlass.controller.keys.OwnedKeys;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.settings.ControllerConfig;
import dev.windlass.workqueue.Priority;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;

/**
 * Adds the requests of shards that a controller has acquired while it already owned others. Each
 * source whose requests can be computed again is started a second time, beside its run that
 * continues, and stopped as soon as it has added the requests for all objects that exist. Only
 * requests of the new shards pass. Shards that are acquired during a replay wait for the next one.
 *
 * <p>Nothing is missed in between: a change that the continuing run has handled before the term
 * began is in the caches when the second run reads them.
 */
final class Replay {

  private final ControllerConfig config;
  private final ControllerRun run;

  /** The shards that wait for the next replay. */
  @GuardedBy("this")
  private BitSet waiting = new BitSet();

  /** The sources that are being replayed. */
  @GuardedBy("this")
  private List<SourceRunner> runners = List.of();

  Replay(ControllerConfig config, ControllerRun run) {
    this.config = config;
    this.run = run;
  }

  synchronized void add(int shard) {
    waiting.set(shard);
  }

  synchronized List<SourceRunner> runners() {
    return runners;
  }

  /**
   * Begins, continues or ends a replay. Does not block.
   *
   * @return the time until the next step
   */
  Duration step() {
    List<SourceRunner> current;
    synchronized (this) {
      if (runners.isEmpty() && !waiting.isEmpty()) {
        BitSet shards = waiting;
        waiting = new BitSet();
        PrioritySink sink = new ShardSink(shards);
        runners =
            run.runners().stream()
                .filter(SourceRunner::isReplayed)
                .map(runner -> runner.replay(sink))
                .toList();
      }
      current = runners;
    }
    Duration next = SourceRunner.NEVER;
    for (SourceRunner runner : current) {
      Duration own = runner.step();
      next = own.compareTo(next) < 0 ? own : next;
    }
    if (!current.isEmpty() && current.stream().allMatch(SourceRunner::isComplete)) {
      end(current);
      return Duration.ZERO; // shards may be waiting
    }
    return next;
  }

  private void end(List<SourceRunner> ending) {
    synchronized (this) {
      if (runners == ending) {
        runners = List.of();
      }
    }
    ending.forEach(SourceRunner::stop);
  }

  /** Ends the replay, because the controller no longer owns any keys. */
  void end() {
    List<SourceRunner> ending;
    synchronized (this) {
      waiting = new BitSet();
      ending = runners;
    }
    end(ending);
  }

  /** Lets the requests of the given shards pass, without those of others. */
  private final class ShardSink implements PrioritySink {
    private final BitSet shards;

    ShardSink(BitSet shards) {
      this.shards = shards;
    }

    @Override
    public void add(Request request, Priority priority) {
      add(request, priority, RequestCause.UNKNOWN);
    }

    @Override
    public void add(Request request, Priority priority, RequestCause cause) {
      if (shards.get(config.leading().shardOf(request))) {
        keys().add(request, priority, cause);
      }
    }

    @Override
    public boolean isOpen() {
      return keys().isOpen();
    }

    private OwnedKeys keys() {
      return run.keys();
    }
  }
}
