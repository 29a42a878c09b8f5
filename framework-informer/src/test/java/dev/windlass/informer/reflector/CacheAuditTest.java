// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.testing.FakeListerWatcher;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ConfigMaps;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.Projection;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.scheduling.StepDelay;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Events that a healthy watch has lost (docs/reliability.md, C3). */
final class CacheAuditTest {

  private static final Duration PERIOD = Duration.ofMinutes(5);
  private static final ObjectKey A = ConfigMaps.key("a");

  private final FakeListerWatcher server = new FakeListerWatcher();
  private final ManualScheduler time = new ManualScheduler();
  private final Cache cache = new Cache();
  private final List<Integer> audits = new ArrayList<>();
  private final List<ListReason> lists = new ArrayList<>();

  private Reflector<ConfigMap> reflector = reflector(PERIOD);

  private Reflector<ConfigMap> reflector(Duration period) {
    FeedListener listener =
        new FeedListener() {
          @Override
          public void audited(int mismatches) {
            audits.add(mismatches);
          }

          @Override
          public void listing(ListReason reason, boolean streaming) {
            lists.add(reason);
          }
        };
    return new Reflector<>(
        server,
        ConfigMaps.DECODER,
        cache,
        cache,
        new ReflectorOptions(time, () -> 0, listener, period, Duration.ofSeconds(20)),
        () -> {});
  }

  @AfterEach
  void leavesNothingOpen() {
    reflector.close();
    server.assertNothingOpen();
  }

  /** What a real cache would hold, at once. */
  private static final class Cache implements ChangeSink<ConfigMap>, KnownObjects<ConfigMap> {
    private final Map<ObjectKey, CachedObject<ConfigMap>> objects = new TreeMap<>();

    @Override
    public void replace(List<CachedObject<ConfigMap>> all, long version) {
      objects.clear();
      all.forEach(object -> objects.put(object.key(), object));
    }

    @Override
    public void added(CachedObject<ConfigMap> object) {
      objects.put(object.key(), object);
    }

    @Override
    public void updated(CachedObject<ConfigMap> object) {
      objects.put(object.key(), object);
    }

    @Override
    public void deleted(CachedObject<ConfigMap> object) {
      objects.remove(object.key());
    }

    @Override
    public @Nullable CachedObject<ConfigMap> get(ObjectKey key) {
      return objects.get(key);
    }

    @Override
    public Collection<ObjectKey> keys() {
      return objects.keySet();
    }
  }

  private void run() {
    for (int i = 0; i < 1_000; i++) {
      if (!reflector.run().equals(StepDelay.NONE)) {
        return;
      }
    }
    throw new AssertionError("a hot loop");
  }

  /** Lets time pass as it does on a server that ends its watches in time. */
  private void runFor(Duration duration) {
    for (long left = duration.toSeconds(); left > 0; left -= 10) {
      time.advance(Duration.ofSeconds(10));
      server.endWatches();
      run();
    }
  }

  private long metadataLists() {
    return server.lists().stream().filter(list -> list.projection() == Projection.METADATA).count();
  }

  private void put(String name) {
    server.put(ConfigMaps.json(name));
  }

  @Test
  void findsNothingWrongWithAWatchThatWorks() {
    put("a");
    run();
    put("b");
    runFor(PERIOD.multipliedBy(2).plusSeconds(30));
    assertThat(audits).containsExactly(0, 0);
    assertThat(metadataLists()).isEqualTo(2);
    assertThat(lists).containsExactly(ListReason.START);
  }

  /** What differs while it is listed may be on its way; it has ten seconds. */
  @Test
  void doesNotMistakeAChangeThatIsOnItsWayForALostOne() {
    put("a");
    run();
    runFor(PERIOD.minusSeconds(10));
    CachedObject<ConfigMap> old = cache.objects.get(A);
    put("a");
    run();
    CachedObject<ConfigMap> arriving = cache.objects.get(A);
    cache.objects.put(A, old);
    runFor(Duration.ofSeconds(10));
    assertThat(metadataLists()).isEqualTo(1);
    cache.objects.put(A, arriving);
    runFor(Duration.ofSeconds(20));
    assertThat(audits).containsExactly(0);
    assertThat(lists).containsExactly(ListReason.START);
  }

  /** A later event of an object brings all that an earlier one did. */
  @Test
  void doesNotListForAnObjectOfWhichTheWatchHasSpokenSince() {
    put("a");
    run();
    server.loseEvents(() -> put("a"));
    runFor(PERIOD);
    assertThat(metadataLists()).isEqualTo(1);
    server.delete(A);
    run();
    runFor(Duration.ofSeconds(20));
    assertThat(audits).containsExactly(0);
    assertThat(lists).containsExactly(ListReason.START);
  }

  @Test
  void isOffIfThePeriodIsZero() {
    reflector = reflector(Duration.ZERO);
    put("a");
    run();
    runFor(Duration.ofHours(1));
    assertThat(metadataLists()).isZero();
    assertThat(audits).isEmpty();
  }

  /** The watch is healthy, so nothing else follows from that. */
  @Test
  void triesAgainAPeriodLaterIfItFails() {
    put("a");
    run();
    runFor(PERIOD.minusSeconds(10));
    server.failNextList(FeedFailure.ofStatus(403, "test", Duration.ZERO));
    runFor(Duration.ofSeconds(10));
    assertThat(reflector.problem()).isEmpty();
    runFor(PERIOD.plusSeconds(10));
    assertThat(audits).containsExactly(0);
    assertThat(metadataLists()).isEqualTo(2);
  }

  /** Its content can't be kept; but its key and version are known, and that is what audits read. */
  @Test
  void findsNothingWrongWithAnObjectThatIsNestedTooDeep() {
    String deep = "{\"k\":".repeat(2_000) + "1" + "}".repeat(2_000);
    server.put(ConfigMaps.json("a"));
    run();
    server.put(
        "{\"kind\":\"ConfigMap\",\"metadata\":{\"namespace\":\"default\",\"name\":\"deep\"},"
            + "\"data\":{\"k\":1}}");
    run();
    for (int version = 3; version < 6; version++) {
      server.send(
          FeedEvent.modified(
              FeedEvent.Json.of(
                  "{\"metadata\":{\"namespace\":\"default\",\"name\":\"deep\",\"uid\":\"uid-2\","
                      + "\"resourceVersion\":\"2\",\"managedFields\":["
                      + deep
                      + "]},\"data\":"
                      + deep
                      + "}")));
      run();
    }
    time.advance(PERIOD);
    run();
    time.advance(CacheAudit.SETTLE);
    run();
    assertThat(audits).containsExactly(0);
    assertThat(lists).containsExactly(ListReason.START);
    assertThat(cache.get(ConfigMaps.key("deep"))).isNotNull();
  }
}
