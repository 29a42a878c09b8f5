// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.enqueue.PrioritySink;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.ShardKey;
import dev.windlass.controller.settings.ControllerConfigs;
import dev.windlass.controller.settings.ControllerOptions;
import dev.windlass.controller.settings.LeadershipRequirement;
import dev.windlass.leader.Fence;
import dev.windlass.manager.Phase;
import dev.windlass.testsupport.Eventually;
import dev.windlass.workqueue.Priority;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A controller that owns some shards of its keys, and what becomes of the others. */
@Timeout(60)
final class ShardedControllerTest extends ControllerHarness {

  private static final int SHARDS = 4;

  /** The names in each shard. */
  private final List<List<String>> names =
      IntStream.range(0, SHARDS)
          .mapToObj(
              shard ->
                  IntStream.range(0, 100)
                      .mapToObj(i -> "n" + i)
                      .filter(name -> shardOf(name) == shard)
                      .toList())
          .toList();

  private final Cache cache = new Cache();
  private final AtomicBoolean open = new AtomicBoolean(true);

  private static Request request(String name) {
    return Request.of("default", name);
  }

  private static int shardOf(String name) {
    return ShardKey.OBJECT.shardOf(request(name), SHARDS);
  }

  /** A source that begins with the names in a cache, as that of an informer does. */
  private final class Cache implements Source {
    private final List<PrioritySink> sinks = new CopyOnWriteArrayList<>();
    private final AtomicInteger starts = new AtomicInteger();
    private volatile boolean synced = true;

    @Override
    public Kind kind() {
      return Kind.REPLAYED;
    }

    @Override
    public Running warmUp() {
      return running(() -> {});
    }

    @Override
    public Running start(PrioritySink sink) {
      starts.incrementAndGet();
      sinks.add(sink);
      names.forEach(all -> all.forEach(name -> sink.add(request(name), Priority.LOW)));
      return running(() -> sinks.remove(sink));
    }

    void changed(String name) {
      sinks.forEach(sink -> sink.add(request(name), Priority.NORMAL));
    }

    private Running running(Runnable stop) {
      return new Running() {
        @Override
        public boolean hasSynced() {
          return synced;
        }

        @Override
        public void stop() {
          stop.run();
        }
      };
    }
  }

  private void sharded(Reconciler reconciler) {
    Fence fence = new ClosableFence();
    controller =
        controller(
            ControllerConfigs.config(
                time,
                c -> {
                  c.sources = List.of(cache, first);
                  c.reconciler = reconciler;
                  c.options = ControllerOptions.defaults().with(o -> o.maxConcurrentReconciles = 2);
                  c.leading =
                      new LeadershipRequirement(
                          Phase.LEADER,
                          List.of(Fence.OPEN, Fence.OPEN, Fence.OPEN, fence),
                          ShardKey.OBJECT,
                          true);
                  c.threads =
                      task -> {
                        Thread thread = new Thread(task);
                        threads.add(thread);
                        return thread;
                      };
                }));
    controller.warmUp();
  }

  /** The fence of the last shard. */
  private final class ClosableFence implements Fence {
    @Override
    public boolean holds() {
      return open.get();
    }

    @Override
    public Duration check() {
      return Fence.OPEN.check();
    }

    @Override
    public Action pass(Runnable cut) {
      return Fence.OPEN.pass(cut);
    }
  }

  private void acquire(int shard) throws Exception {
    controller.shard(shard).start();
  }

  private Set<String> reconciled() {
    Set<String> all = new HashSet<>();
    seen.forEach(each -> all.add(each.name()));
    all.remove("interrupted");
    return all;
  }

  private void awaitReconciled(int... shards) {
    List<String> expected = new ArrayList<>();
    for (int shard : shards) {
      expected.addAll(names.get(shard));
    }
    Eventually.advance(time, () -> reconciled().size() >= expected.size());
    assertThat(reconciled()).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void reconcilesTheKeysOfItsShardsOnly() throws Exception {
    sharded(this::see);
    acquire(1);
    awaitReconciled(1);
    seen.clear();
    cache.changed(names.get(0).get(0));
    cache.changed(names.get(1).get(0));
    Eventually.advance(time, () -> !seen.isEmpty());
    assertThat(reconciled()).containsExactly(names.get(1).get(0));
  }

  /** Its objects are in the caches already, whose source runs on for the other shards. */
  @Test
  void reconcilesAllKeysOfAShardThatItAcquiresLaterAndNoOthers() throws Exception {
    sharded(this::see);
    acquire(1);
    awaitReconciled(1);
    seen.clear();
    acquire(2);
    acquire(0);
    awaitReconciled(0, 2);
    Eventually.advance(time, () -> cache.sinks.size() == 1);
    assertThat(cache.starts)
        .as("the first, and at most one for each later one")
        .hasValueBetween(2, 3);
  }

  /** Those of a second replay would be lost if the first one counted for them. */
  @Test
  void replaysAShardThatItAcquiresDuringAReplay() throws Exception {
    sharded(this::see);
    acquire(1);
    awaitReconciled(1);
    seen.clear();
    cache.synced = false;
    acquire(2);
    awaitReconciled(2);
    acquire(0);
    cache.synced = true;
    awaitReconciled(0, 2);
    Eventually.advance(time, () -> cache.sinks.size() == 1);
  }

  @Test
  void losesTheRequestsOfTheLostShardOnly() throws Exception {
    sharded(this::stay);
    acquire(1);
    acquire(2);
    next();
    next(); // both workers are busy
    assertThat(controller.shard(1).stop(SHORT)).as("its reconciles end by the interrupt").isTrue();
    seen.clear();
    release.countDown();
    Eventually.advance(time, () -> reconciled().size() >= names.get(2).size() - 2);
    assertThat(reconciled()).doesNotContainAnyElementsOf(names.get(1));
    seen.clear();
    acquire(1);
    Eventually.advance(time, () -> reconciled().containsAll(names.get(1)));
  }

  /** Each ends with its reconcile, and nothing is added that would start the next ones. */
  @Test
  void replacesTheWorkersOfALostShard() throws Exception {
    AtomicBoolean stays = new AtomicBoolean(true);
    sharded((request, context) -> stays.get() ? stay(request, context) : see(request, context));
    acquire(1);
    next();
    next(); // both workers are busy
    acquire(2);
    Eventually.advance(time, () -> controller.queueLength() > names.get(2).size());
    stays.set(false);
    assertThat(controller.shard(1).stop(SHORT)).isTrue();
    Eventually.advance(time, () -> reconciled().containsAll(names.get(2)));
  }

  /** Where a controller with one leader waits until all reconciles of the last term have ended. */
  @Test
  void hangsForTheShardOfAHangingReconcileOnly() throws Exception {
    String stubborn = names.get(1).get(0);
    sharded(
        (request, context) ->
            request.name().equals(stubborn)
                ? stayStubbornly(request, context)
                : see(request, context));
    acquire(1);
    awaitReconciled(1);
    assertThat(controller.shard(1).stop(SHORT)).isFalse();
    seen.clear();
    acquire(2);
    awaitReconciled(2);
    assertThat(controller.problem()).isEmpty();
    assertThat(controller.liveness(Duration.ofMinutes(1))).isEmpty();
    release.countDown();
    Eventually.that(() -> assertThat(controller.shard(1).stop(SHORT)).isTrue());
  }

  @Test
  void startsNoReconcileWhileTheFenceOfItsShardIsClosed() throws Exception {
    sharded(this::see);
    open.set(false);
    acquire(3);
    acquire(1);
    awaitReconciled(1);
    open.set(true);
    awaitReconciled(1, 3);
  }

  /** Another replica does not receive it. */
  @Test
  void countsWhatOnlyThisReplicaReceivesForOthers() throws Exception {
    sharded(this::see);
    first.add(names.get(0).get(0));
    Eventually.that(() -> assertThat(first.starts).hasValue(1));
    acquire(1);
    awaitReconciled(1);
    first.add(names.get(0).get(1));
    first.add(names.get(1).get(0));
    cache.changed(names.get(0).get(1));
    assertThat(controller.run().keys().dropped()).isEqualTo(2);
  }

  @Test
  void startsAgainWithOtherShardsAfterTheLossOfAll() throws Exception {
    sharded(this::see);
    for (int round = 0; round < 20; round++) {
      int shard = round % SHARDS;
      acquire(shard);
      awaitReconciled(shard);
      assertThat(controller.shard(shard).stop(SHORT)).isTrue();
      assertThat(controller.queueLength()).isZero();
      seen.clear();
    }
    assertThat(controller.liveness(Duration.ofMinutes(1))).isEmpty();
  }

  @Test
  void spreadsNamesThatDifferInTheirLastCharactersOnly() {
    for (int shards : List.of(2, 3, 12)) {
      int[] counts = new int[shards];
      for (int i = 0; i < 1_200; i++) {
        counts[ShardKey.OBJECT.shardOf(Request.of("shop", "web-" + i), shards)]++;
      }
      assertThat(IntStream.of(counts).boxed())
          .allMatch(count -> Math.abs(count - 1_200 / shards) < 0.3 * 1_200 / shards);
    }
  }

  /** The bounds are those of the hash ranges of KEP-5866, which the server compares with. */
  @Test
  void keepsTheObjectsOfANamespaceTogether() {
    for (int i = 0; i < 100; i++) {
      Request one = Request.of("team-" + i, "a");
      int shard = ShardKey.NAMESPACE.shardOf(one, 12);
      assertThat(shard).isBetween(0, 11);
      assertThat(ShardKey.NAMESPACE.shardOf(Request.of("team-" + i, "other"), 12)).isEqualTo(shard);
    }
    // FNV-1a of "a" is af63dc4c8601ec8c, which lies between 8/12 and 9/12 of all hashes.
    assertThat(ShardKey.NAMESPACE.shardOf(Request.of("a", "x"), 12)).isEqualTo(8);
    assertThat(ShardKey.NAMESPACE.shardOf(Request.of("a", "x"), 2)).isEqualTo(1);
  }
}
