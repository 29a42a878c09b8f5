// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.operators;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.informer.reflector.http.HttpListerWatcher;
import dev.windlass.object.CachedObject;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is shown again though nothing changed, and to whom. */
final class ResyncIT extends OnRealServer {

  /** Handlers of one informer: without a resync, and with periods of 0.1 s and of 2 s. */
  @Test
  void showsWhatIsThereToThoseWhoAskedForIt() throws Exception {
    ConfigMaps maps = new ConfigMaps(kubectl, namespace);
    SharedInformerFactory factory =
        new SharedInformerFactory(
            (type, scope) -> new HttpListerWatcher(operatorClient(), type, scope),
            WatchScope.namespace(namespace).withLabels(ConfigMaps.LABEL),
            InformerOptions.defaults());
    SharedIndexInformer<ConfigMap> informer =
        factory.informer(InformerSpec.of(ConfigMap.class).in(factory.defaultScope()));
    closing(() -> assertThat(factory.shutDown(Duration.ofSeconds(30))).isTrue());
    maps.create("a", "0");
    maps.create("b", "0");
    Heard never = new Heard();
    Heard tooOften = new Heard();
    Heard sometimes = new Heard();
    long startedAt = System.nanoTime(); // a period begins when its handler is added
    assertThat(informer.addEventHandler(never)).isNotNull();
    assertThat(informer.addEventHandler(tooOften, Duration.ofMillis(100))).isNotNull();
    assertThat(informer.addEventHandler(sometimes, Duration.ofSeconds(2))).isNotNull();
    factory.start();

    eventually().until(() -> sometimes.resyncs().size() >= 4 && tooOften.resyncs().size() >= 8);

    assertThat(never.resyncs()).isEmpty();
    assertThat(never.events()).hasSize(2);
    assertThat(sometimes.resyncs())
        .allMatch(e -> e.object().isSameState(copy(informer, e.key().name())))
        .extracting(e -> e.key().name())
        .contains("a", "b");
    assertThat(sinceStart(startedAt, tooOften.times("a"), 4))
        .as("raised to a second")
        .isGreaterThanOrEqualTo(Duration.ofSeconds(4));
    assertThat(sinceStart(startedAt, sometimes.times("a"), 2))
        .isGreaterThanOrEqualTo(Duration.ofSeconds(4));
    maps.change("a", "1");
    eventually().until(() -> never.versions().equals(maps.versions()));
    assertThat(never.resyncs()).isEmpty();
  }

  private static CachedObject<ConfigMap> copy(
      SharedIndexInformer<ConfigMap> informer, String name) {
    return informer.indexer().list().stream()
        .filter(map -> map.key().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** From the start to the n-th time that an object was shown again. */
  private static Duration sinceStart(long startedAt, List<Long> times, int resync) {
    return Duration.ofNanos(times.get(resync) - startedAt);
  }
}
