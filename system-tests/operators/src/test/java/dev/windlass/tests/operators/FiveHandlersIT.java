// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.operators;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.notify.HandlerRegistration;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.informer.reflector.http.HttpListerWatcher;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * One informer and five handlers: one is quick, one stalls, one throws, one is late, one leaves.
 */
final class FiveHandlersIT extends OnRealServer {

  private static final int OBJECTS = 20;
  private static final int ROUNDS = 4;

  private final Heard quick = new Heard();
  private final Heard stalled = new Heard();
  private final Heard throwing = new Heard();
  private final Heard late = new Heard();
  private final Heard leaving = new Heard();
  private final CountDownLatch go = new CountDownLatch(1);
  private final List<String> olderThanTold = new CopyOnWriteArrayList<>();
  private final AtomicLong thrownAt = new AtomicLong();

  @Test
  void tellsEachHandlerTheWholeStoryWhateverTheOthersDo() throws Exception {
    ConfigMaps maps = new ConfigMaps(kubectl, namespace);
    SharedInformerFactory factory =
        new SharedInformerFactory(
            (type, scope) -> new HttpListerWatcher(operatorClient(), type, scope),
            WatchScope.namespace(namespace).withLabels(ConfigMaps.LABEL),
            InformerOptions.defaults());
    SharedIndexInformer<ConfigMap> informer =
        factory.informer(InformerSpec.of(ConfigMap.class).in(factory.defaultScope()));
    for (int i = 0; i < OBJECTS / 2; i++) {
      maps.create("map-" + i, "0");
    }

    // Who comes before the start hears of all that there is.
    HandlerRegistration first =
        informer.addEventHandler(
            event -> {
              checkTheCopy(informer, event);
              quick.handle(event);
            });
    HandlerRegistration second =
        informer.addEventHandler(
            event -> {
              go.await();
              stalled.handle(event);
            });
    HandlerRegistration third = informer.addEventHandler(this::throwOnce);
    HandlerRegistration fifth = informer.addEventHandler(leaving);
    factory.start();
    eventually().until(() -> first.hasSynced() && third.hasSynced() && fifth.hasSynced());
    assertThat(quick.events())
        .hasSize(OBJECTS / 2)
        .allMatch(e -> e instanceof ResourceEvent.Added<ConfigMap> added && added.initial());
    assertThat(second.hasSynced()).as("it has handled nothing").isFalse();

    // Who leaves hears no more, and who stalls holds nobody up.
    fifth.remove();
    int leftWith = leaving.events().size();
    for (int i = OBJECTS / 2; i < OBJECTS; i++) {
      maps.create("map-" + i, "0");
    }
    AtomicBoolean ended = new AtomicBoolean();
    Thread writer = new Thread(() -> write(maps, ended), "writer");
    writer.start();
    eventually().until(() -> quick.events().size() > OBJECTS + OBJECTS / 2);

    // Who comes late, and amidst all that, misses nothing and hears nothing twice.
    HandlerRegistration fourth = informer.addEventHandler(late);
    eventually().until(fourth::hasSynced);
    writer.join(Duration.ofSeconds(90).toMillis());
    assertThat(ended).isTrue();
    maps.delete("map-3");
    maps.create("last", "0");
    eventually().until(() -> !quick.of("last").isEmpty() && !late.of("last").isEmpty());
    assertThat(second.backlog()).isGreaterThan(OBJECTS * ROUNDS);
    assertThat(stalled.events()).isEmpty();

    for (Heard heard : List.of(quick, late)) {
      assertThat(heard.contradictions()).isEmpty();
      assertThat(heard.versions()).isEqualTo(maps.versions());
    }
    assertThat(quick.of("map-5")).as("each state").hasSize(1 + ROUNDS);
    assertThat(late.events())
        .filteredOn(e -> e instanceof ResourceEvent.Added<ConfigMap> added && added.initial())
        .hasSize(OBJECTS);
    assertThat(olderThanTold).as("the copy is as new as the news").isEmpty();
    assertThat(leaving.events()).hasSize(leftWith);

    // Who stalled hears all of it later, in the same order.
    go.countDown();
    eventually().until(() -> !stalled.of("last").isEmpty());
    assertThat(stalled.words()).isEqualTo(quick.words());
    assertThat(second.hasSynced()).isTrue();

    // Who threw has lost that one event, and rested for a second.
    eventually().until(() -> !throwing.of("last").isEmpty());
    assertThat(third.failures()).isEqualTo(1);
    assertThat(throwing.words())
        .isEqualTo(quick.words().stream().filter(w -> !w.startsWith("ADDED map-15 ")).toList());
    long next =
        throwing.events().stream()
            .map(event -> throwing.times(event.key().name()))
            .flatMap(List::stream)
            .filter(time -> time > thrownAt.get())
            .min(Long::compare)
            .orElseThrow();
    assertThat(Duration.ofNanos(next - thrownAt.get()))
        .isGreaterThanOrEqualTo(Duration.ofSeconds(1));

    assertThat(factory.shutDown(Duration.ofSeconds(30))).isTrue();
    assertThatThrownBy(() -> informer.addEventHandler(new Heard()))
        .hasMessageContaining("was not added to shared informer because it has stopped already");
    assertThat(informer.indexer().size()).as("stays readable").isEqualTo(OBJECTS);
  }

  private void checkTheCopy(
      SharedIndexInformer<ConfigMap> informer, ResourceEvent<ConfigMap> event) {
    boolean isOlder =
        informer
            .indexer()
            .get(event.key())
            .filter(copy -> copy.version() < event.object().version())
            .isPresent();
    if (isOlder) {
      olderThanTold.add(event.toString());
    }
  }

  private void throwOnce(ResourceEvent<ConfigMap> event) {
    if (event.type() == ResourceEvent.Type.ADDED && event.key().name().equals("map-15")) {
      thrownAt.set(System.nanoTime());
      throw new IllegalStateException("thrown on purpose");
    }
    throwing.handle(event);
  }

  private static void write(ConfigMaps maps, AtomicBoolean ended) {
    for (int round = 1; round <= ROUNDS; round++) {
      for (int i = 0; i < OBJECTS; i++) {
        maps.change("map-" + i, String.valueOf(round));
      }
    }
    ended.set(true);
  }
}
