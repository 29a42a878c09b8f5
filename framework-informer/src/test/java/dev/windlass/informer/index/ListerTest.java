// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import static dev.windlass.object.ConfigMaps.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ConfigMaps;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ObjectDecoder;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ReadableObjects;
import dev.windlass.object.UndecodableException;
import dev.windlass.object.selector.Selector;
import dev.windlass.testsupport.Logs;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

final class ListerTest {

  private final Store<ConfigMap> store = Store.create();
  private final Lister<ConfigMap> lister = new Lister<>(store);

  /** The number of objects of which {@code UndecodableException.Log} warns. */
  private static final int MOST = 1_000;

  /** Not the decoder that all tests share, because what was reported belongs to the codec. */
  private final ObjectDecoder<ConfigMap> decoder =
      new ObjectDecoder<>(ObjectCodec.of(ConfigMap.class));

  @AutoClose private final Logs log = Logs.by(Level.DEBUG, "dev.windlass");

  /** Its {@code data} is no map. */
  private CachedObject<ConfigMap> bad(String name, long version) {
    byte[] json =
        """
        {"metadata":{"namespace":"default","name":"%s","uid":"u","resourceVersion":"%d",\
        "labels":{"v":"x"}},"data":"a secret"}"""
            .formatted(name, version)
            .getBytes(StandardCharsets.UTF_8);
    return decoder.decode(json, 0, json.length);
  }

  private static List<String> names(List<ConfigMap> found) {
    return found.stream().map(o -> o.getMetadata().getName()).sorted().toList();
  }

  /** What is read belongs to the reader. */
  @Test
  void decodesAfreshEachTime() {
    store.put(ConfigMaps.state("a", 1));
    ConfigMap mine = lister.get(key("a")).orElseThrow();
    mine.getData().clear();
    lister.list().get(0).getData().clear();
    lister.list().clear();
    assertThat(lister.get(key("a")).orElseThrow().getData()).containsEntry("v", "1");
    assertThat(lister.list()).hasSize(1);
    assertThat(lister.get(key("none"))).isEmpty();
  }

  /** By namespace, and by label within it. */
  @Test
  void listsWhatIsAskedFor() {
    store.put(Labelled.object("n", "a", 1, "x"));
    store.put(Labelled.object("n", "b", 1, "y"));
    store.put(Labelled.object("m", "c", 1, "x"));
    store.addIndex("v", Labelled::values);
    Selector x = Selector.parse("v=x");
    assertThat(names(lister.list())).containsExactly("a", "b", "c");
    assertThat(names(lister.list("n"))).containsExactly("a", "b");
    assertThat(names(lister.list("n", x))).containsExactly("a");
    assertThat(names(lister.list(""))).as("as a client does").containsExactly("a", "b", "c");
    assertThat(names(lister.list("", x))).containsExactly("a", "c");
    assertThat(names(lister.inNamespace("").list())).containsExactly("a", "b", "c");
    assertThat(names(lister.list(Query.ALL.withIndex("v", "x")))).containsExactly("a", "c");
    assertThat(names(lister.list(object -> object.key().name().equals("b")))).containsExactly("b");
    NamespaceLister<ConfigMap> inNamespace = lister.inNamespace("n");
    assertThat(names(inNamespace.list())).containsExactly("a", "b");
    assertThat(names(inNamespace.list(x))).containsExactly("a");
    assertThat(inNamespace.get("a")).isPresent();
    assertThat(inNamespace.get("c")).isEmpty();
    assertThat(lister.inNamespace("none").list()).isEmpty();
  }

  /** A program must not mistake an object that does not fit the class for an absent one. */
  @Test
  void failsIfAnObjectThatIsSelectedDoesNotFitTheClass() {
    store.put(ConfigMaps.state("good", 1));
    store.put(bad("bad", 1));
    NamespaceLister<ConfigMap> inNamespace = lister.inNamespace("default");
    Selector x = Selector.parse("v=x");
    for (ThrowingCallable read :
        List.<ThrowingCallable>of(
            () -> lister.get(key("bad")),
            () -> inNamespace.get("bad"),
            lister::list,
            inNamespace::list,
            () -> inNamespace.list(x),
            () -> lister.list("default"),
            () -> lister.list("default", x),
            () -> lister.list(Query.ALL.withLabels(x)),
            () -> lister.list(object -> true))) {
      assertThatThrownBy(read)
          .isInstanceOf(UndecodableException.class)
          .hasMessage(
              "ConfigMap default/bad (version 1) does not fit"
                  + " io.fabric8.kubernetes.api.model.ConfigMap at data");
    }
    assertThat(lister.list(object -> object.key().name().equals("good"))).hasSize(1);
    assertThat(lister.list("other")).isEmpty();
    assertThat(store.list()).as("without decoding").hasSize(2);
    assertThat(log.events()).isEmpty();
  }

  @Test
  void returnsTheOthersToWhoeverAsksForThem() {
    store.put(ConfigMaps.state("good", 1));
    store.put(bad("bad", 1));
    ReadableObjects<ConfigMap> found = lister.listReadable(Query.ALL);
    assertThat(names(found.objects())).containsExactly("good");
    assertThat(found.unreadable()).containsOnlyKeys(key("bad"));
    assertThat(found.unreadable().get(key("bad")).path()).isEqualTo("data");
    assertThat(lister.listReadable(Query.ALL.withLabels(Selector.parse("v=x"))).objects())
        .isEmpty();
  }

  private void indexByContent(int indices) {
    for (int i = 0; i < indices; i++) {
      store.addIndex("index" + i, object -> object.decode().getData().keySet());
    }
  }

  /** The warning does not contain the content. */
  @Test
  void warnsOnceForEachStateThatIndicesLeaveOut() {
    indexByContent(3);
    for (int version = 1; version <= 2; version++) {
      store.put(bad("bad", version));
    }
    assertThat(store.indexFailures()).isEqualTo(6);
    assertThat(log.events())
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly(
            "Indices and mappings omit ConfigMap default/bad (version 1): it does not fit"
                + " io.fabric8.kubernetes.api.model.ConfigMap at data. Correct it to match the CRD"
                + " or, if the CRD has several versions, configure their conversion",
            "Indices and mappings omit ConfigMap default/bad (version 2): it does not fit"
                + " io.fabric8.kubernetes.api.model.ConfigMap at data. Correct it to match the CRD"
                + " or, if the CRD has several versions, configure their conversion");
    assertThat(log.events()).allMatch(event -> event.getThrowableProxy() == null);
  }

  /** A class that fits no object must not fill the log. */
  @Test
  void warnsOfNoMoreThanItRemembers() {
    indexByContent(2);
    for (int i = 0; i < MOST + 50; i++) {
      store.put(bad("bad" + i, 1));
    }
    assertThat(log.warnings()).hasSize(MOST + 1);
    assertThat(log.warnings().get(MOST))
        .startsWith("Indices and mappings omit more than 1000 objects of the type ConfigMap");
    assertThat(store.indexFailures()).isEqualTo(2 * (MOST + 50));
  }

  @Test
  void refusesAnIndexThatIsNotThere() {
    assertThatThrownBy(() -> lister.list(Query.ALL.withIndex("v", "x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'v'");
    assertThat(store.get(ObjectKey.of("a"))).isEmpty();
  }
}
