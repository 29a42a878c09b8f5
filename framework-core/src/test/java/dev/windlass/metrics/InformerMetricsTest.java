// SPDX-License-Identifier: Apache-2.0
package dev.windlass.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.InformerHandle;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.reflector.FeedFailure;
import dev.windlass.informer.reflector.FeedListener;
import dev.windlass.informer.reflector.ListReason;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.informer.testing.FakeListerWatcher;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testing.core.Foo;
import dev.windlass.testing.core.Samples;
import dev.windlass.testing.core.Scraped;
import dev.windlass.testsupport.Eventually;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class InformerMetricsTest {

  private final ManualScheduler time = new ManualScheduler();
  private final FakeListerWatcher server = new FakeListerWatcher();
  private final MeterRegistry registry = DefaultRegistries.create(true);
  private final InformerMetrics metrics = new InformerMetrics(registry, "main", time);
  private final List<ListReason> heard = new CopyOnWriteArrayList<>();
  private final SharedInformerFactory factory =
      new SharedInformerFactory(
          (type, scope) -> server,
          WatchScope.ALL,
          metrics.counting(
              InformerOptions.defaults()
                  .withScheduler(time)
                  .withListener(
                      new FeedListener() {
                        @Override
                        public void listing(ListReason reason, boolean streaming) {
                          heard.add(reason);
                        }
                      })));

  @AfterEach
  void stops() throws InterruptedException {
    assertThat(factory.shutDown(Duration.ofSeconds(20))).isTrue();
    assertThat(registry.getMeters()).as("what is left of informers that have ended").isEmpty();
  }

  private double value(String name, String... labels) {
    StringBuilder series = new StringBuilder(name).append("{cluster_name=\"main\",");
    for (String label : labels) {
      series.append(label).append(',');
    }
    return Scraped.value(registry, series + "type=\"foos.samplecontroller.k8s.io\"}");
  }

  /** Levels are as old as half a second. */
  private void eventually(double expected, String name, String... labels) {
    Eventually.that(
        () -> {
          time.advance(Duration.ofMillis(500));
          assertThat(value(name, labels)).as(name).isEqualTo(expected);
        });
  }

  private void startFoos() {
    metrics.watch(factory);
    factory.informer(Foo.class);
    factory.start();
  }

  @Test
  void tellsWhatACacheHolds() {
    server.put(Samples.json("Foo", "a"));
    server.put(Samples.json("Foo", "b"));
    startFoos();
    eventually(2, "windlass_cache_objects");
    eventually(1, "windlass_informer_synced");
    assertThat(value("windlass_cache_bytes")).isGreaterThan(20);
    assertThat(value("windlass_informer_informers")).isEqualTo(1);
    assertThat(value("windlass_informer_lists_total", "reason=\"start\"")).isEqualTo(1);
    assertThat(value("windlass_informer_lists_total", "reason=\"expired\"")).isZero();
    assertThat(heard).as("the user's listener").containsExactly(ListReason.START);
  }

  @Test
  void countsWhatHappens() {
    startFoos();
    eventually(1, "windlass_informer_synced");
    server.put(Samples.json("Foo", "a"));
    server.put(Samples.json("Foo", "a"));
    server.delete(ObjectKey.of("default", "a"));
    eventually(1, "windlass_informer_events_total", "event=\"added\"");
    eventually(1, "windlass_informer_events_total", "event=\"modified\"");
    eventually(1, "windlass_informer_events_total", "event=\"deleted\"");
    eventually(0, "windlass_cache_objects");
    server.failWatches(FeedFailure.of(FeedFailure.Reason.EXPIRED, "too old"));
    eventually(1, "windlass_informer_failures_total", "reason=\"expired\"");
    eventually(1, "windlass_informer_lists_total", "reason=\"expired\"");
  }

  @Test
  void tellsHowLongTheServerHasBeenSilent() {
    startFoos();
    eventually(1, "windlass_informer_synced");
    server.put(Samples.json("Foo", "a"));
    eventually(1, "windlass_cache_objects");
    double before = value("windlass_informer_silence_seconds");
    time.advance(Duration.ofSeconds(7));
    assertThat(value("windlass_informer_silence_seconds")).isEqualTo(before + 7);
  }

  @Test
  void tellsOfAServerThatRefuses() {
    server.failNextList(FeedFailure.of(FeedFailure.Reason.FORBIDDEN, "no"));
    startFoos();
    eventually(1, "windlass_informer_failures_total", "reason=\"forbidden\"");
    eventually(1, "windlass_informer_synced");
    eventually(0, "windlass_informer_failing");
  }

  @Test
  void tellsHowFarTheSlowestHandlerIsBehind() {
    CountDownLatch release = new CountDownLatch(1);
    metrics.watch(factory);
    var foos = factory.informer(Foo.class);
    foos.addEventHandler(event -> {});
    foos.addEventHandler(
        event -> {
          release.await();
          throw new IllegalStateException("no");
        });
    for (int i = 0; i < 5; i++) {
      server.put(Samples.json("Foo", "a" + i));
    }
    factory.start();
    try {
      eventually(4, "windlass_informer_handler_backlog");
      time.advance(Duration.ofSeconds(3));
      assertThat(value("windlass_informer_handler_lag_seconds")).isGreaterThanOrEqualTo(3);
    } finally {
      release.countDown();
    }
    Eventually.that(
        () -> {
          time.advance(Duration.ofSeconds(1));
          assertThat(value("windlass_informer_handler_failures_total")).isEqualTo(5);
        });
  }

  @Test
  void countsInformersOfOneTypeTogetherUntilTheLastHasEnded() {
    metrics.watch(factory);
    server.put(Samples.json("Foo", "a"));
    InformerSpec<Foo> foos = InformerSpec.of(Foo.class);
    InformerHandle<Foo> one = factory.acquire(foos.in(WatchScope.namespace("one")));
    InformerHandle<Foo> two = factory.acquire(foos.in(WatchScope.namespace("two")));
    factory.start();
    eventually(2, "windlass_cache_objects");
    assertThat(Scraped.lines(registry)).noneMatch(line -> line.contains("one"));
    one.close();
    eventually(1, "windlass_informer_informers");
    assertThat(value("windlass_informer_lists_total", "reason=\"start\""))
        .as("counts never fall")
        .isEqualTo(2);
    two.close();
    Eventually.that(() -> assertThat(registry.getMeters()).isEmpty());
  }

  /** Also if nobody has asked since. */
  @Test
  void countsWhatAnInformerDidBeforeItEnded() {
    metrics.watch(factory);
    InformerSpec<Foo> foos = InformerSpec.of(Foo.class);
    InformerHandle<Foo> one = factory.acquire(foos.in(WatchScope.namespace("one")));
    InformerHandle<Foo> two = factory.acquire(foos.in(WatchScope.namespace("two")));
    factory.start();
    Eventually.until(() -> one.informer().hasSynced() && two.informer().hasSynced());
    one.close();
    eventually(1, "windlass_informer_informers");
    eventually(2, "windlass_informer_lists_total", "reason=\"start\"");
    two.close();
  }

  /** Bad input 37. A million objects with other names and labels are no input here at all. */
  @Test
  void keepsTheNumberOfSeriesHoweverManyTypesThereAre() {
    InformerOptions options = metrics.counting(InformerOptions.defaults());
    List<FeedListener> feeds = new CopyOnWriteArrayList<>();
    int full = 0;
    for (int i = 0; i < 3 * InformerMetrics.MAX_TYPES; i++) {
      FeedListener feed =
          options.listeners().apply(new ResourceType("", "v1", "things" + i, "Thing", true));
      feeds.add(feed);
      feed.listing(ListReason.START, false);
      if (i == InformerMetrics.MAX_TYPES) {
        full = registry.getMeters().size();
      }
    }
    assertThat(registry.getMeters()).hasSize(full);
    assertThat(Scraped.lines(registry))
        .filteredOn(line -> line.startsWith("windlass_informer_lists_total{"))
        .anyMatch(line -> line.contains("type=\"other\""));
    feeds.forEach(FeedListener::closed);
  }

  @Test
  void neverLetsACountFallWhenItsOwnerIsGone() {
    MonotonicSum growth = new MonotonicSum();
    assertThat(growth.to(Map.of("a", 5L, "b", 3L))).isEqualTo(8);
    assertThat(growth.to(Map.of("a", 6L))).isEqualTo(9);
    assertThat(growth.to(Map.of("a", 6L, "b", 1L))).isEqualTo(10);
  }
}
