// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.ownwrites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.index.Store;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ObjectDecoder;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ParsedObject;
import dev.windlass.scheduling.ManualScheduler;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Own writes that take objects out of the selection of a store, and bring them back. */
final class OutsideStatesTest {

  private static final ObjectKey KEY = ObjectKey.of("default", "a");

  private final ManualScheduler time = new ManualScheduler();
  private final ObjectDecoder<ConfigMap> decoder =
      new ObjectDecoder<>(ObjectCodec.of(ConfigMap.class));
  private final Store<ConfigMap> store = Store.create();
  private final Overlay<ConfigMap> overlay = new Overlay<>(store, true, decoder, time, state -> {});

  {
    store.observe(overlay);
  }

  private static byte[] json(long version) {
    return ("{\"metadata\":{\"namespace\":\"default\",\"name\":\"a\",\"uid\":\"u\","
            + "\"resourceVersion\":\"%d\"}}")
        .formatted(version)
        .getBytes(StandardCharsets.UTF_8);
  }

  private static CachedObject<ConfigMap> state(ObjectDecoder<ConfigMap> decoder, long version) {
    byte[] json = json(version);
    return decoder.decode(json, 0, json.length);
  }

  private void watch(long version) {
    store.put(state(decoder, version));
  }

  private String shown() {
    return overlay.isUnclear(KEY)
        ? "unclear"
        : overlay.get(KEY).map(CachedObject::resourceVersion).orElse("none");
  }

  @Test
  void hidesWhatHasLeftTheSelectionAtOnceAndWithoutARequest() {
    watch(5);
    overlay.outside(KEY, "u", 6);
    assertThat(shown()).isEqualTo("none");
    assertThat(overlay.list()).isEmpty();
    store.remove(KEY);
    assertThat(shown()).isEqualTo("none");
  }

  /** The watch may be so late that it has yet to bring the state before. */
  @Test
  void hidesAnOlderStateThatComesLate() {
    overlay.outside(KEY, "u", 6);
    watch(5);
    assertThat(shown()).isEqualTo("none");
    watch(7);
    assertThat(shown()).as("somebody else has brought it back").isEqualTo("7");
  }

  @Test
  void showsWhatComesBackByAnotherWrite() {
    watch(5);
    overlay.outside(KEY, "u", 6);
    overlay.written(ParsedObject.of(json(7)));
    assertThat(shown()).isEqualTo("7");
    store.remove(KEY); // of version 6, and nothing says so
    assertThat(shown()).as("it may be the end, too").isEqualTo("unclear");
    watch(7);
    assertThat(shown()).isEqualTo("7");
  }

  /** It left while our write was on its way, which may have brought it back or not. */
  @Test
  void doesNotKnowWhetherAnAnswerIsLaterThanTheExit() {
    watch(5);
    overlay.begin();
    store.remove(KEY);
    overlay.written(ParsedObject.of(json(7)));
    overlay.end();
    assertThat(shown()).isEqualTo("unclear");
    watch(7);
    assertThat(shown()).isEqualTo("7");
  }

  @Test
  void asksTheServerIfTheStoreDoesNotLetGoForAMinute() {
    watch(5);
    overlay.outside(KEY, "u", 6);
    time.advance(Duration.ofSeconds(61));
    assertThat(shown()).isEqualTo("unclear");
  }

  /** A quiet watch of few objects confirms nothing of what it will never bring. */
  @Test
  void makesRoomForMoreByForgettingWhatTheStoreHasNeverHad() {
    for (int i = 0; i < Overlay.MAX_MARKS; i++) {
      overlay.outside(ObjectKey.of("default", "a" + i), "u" + i, 6);
    }
    assertThat(overlay.waiting()).isEqualTo(Overlay.MAX_MARKS);
    time.advance(Duration.ofSeconds(61));
    overlay.outside(KEY, "u", 7);
    assertThat(overlay.forgotten()).isZero();
    assertThat(overlay.isAnyUnclear("")).isFalse();
    assertThat(overlay.waiting()).isEqualTo(1);
  }
}
