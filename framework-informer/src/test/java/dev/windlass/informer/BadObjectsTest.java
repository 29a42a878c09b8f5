// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.windlass.informer.index.Query;
import dev.windlass.informer.notify.SteppedHandler;
import dev.windlass.informer.reflector.FeedEvent;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ConfigMaps;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.Transform;
import dev.windlass.object.UndecodableException;
import dev.windlass.testsupport.Logs;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One bad object affects its readers only. Covers docs/reliability.md, E1 and E4 to E6. */
@Timeout(60)
final class BadObjectsTest {

  @AutoClose private SteppedChain chain = new SteppedChain();

  private static String json(String name, String rest) {
    return "{\"kind\":\"ConfigMap\",\"metadata\":{\"namespace\":\"default\",\"name\":\""
        + name
        + "\",\"labels\":{\"l\":\""
        + name
        + "\"}}"
        + rest
        + "}";
  }

  private List<String> names() {
    return chain.lister.listReadable(Query.ALL).objects().stream()
        .map(map -> map.getMetadata().getName())
        .sorted()
        .toList();
  }

  @Test
  void harmsNobodyButTheReadersOfAnObjectThatDoesNotFitItsClass() throws Exception {
    chain.store.addIndex("l", object -> List.of(object.labels().getOrDefault("l", "")));
    chain.server.put(json("a", ",\"data\":{\"k\":\"v\"}"));
    chain.server.put(json("bad", ",\"data\":[\"CANARY\"]"));
    chain.server.put(json("c", ",\"data\":{\"k\":\"v\"}"));
    List<String> labels = new ArrayList<>();
    chain.handler.onEvent(event -> labels.add(event.object().labels().get("l")));
    assertThat(chain.heard()).containsExactly("+a1 initial", "+bad2 initial", "+c3 initial");
    assertThat(labels).containsExactly("a", "bad", "c");
    assertThat(names()).containsExactly("a", "c");
    assertThatThrownBy(() -> chain.lister.get(ConfigMaps.key("bad")))
        .isInstanceOf(UndecodableException.class)
        .hasMessageContaining("ConfigMap default/bad")
        .hasMessageContaining("at data")
        .hasMessageNotContaining("CANARY");
    CachedObject<ConfigMap> bad = chain.store.get(ConfigMaps.key("bad")).orElseThrow();
    assertThat(bad.metadata()).extracting(ObjectMeta::getName).isEqualTo("bad");
    assertThat(chain.store.byIndex("l", "bad")).containsExactly(bad);

    chain.server.put(json("bad", ",\"data\":{\"k\":{\"still\":\"bad\"}}"));
    assertThat(chain.heard()).containsExactly("~bad2>4");
    assertThat(names()).containsExactly("a", "c");
    chain.server.put(json("bad", ",\"data\":{\"k\":\"good\"}"));
    assertThat(chain.heard()).containsExactly("~bad4>5");
    assertThat(names()).containsExactly("a", "bad", "c");
    chain.delete("bad");
    assertThat(chain.heard()).containsExactly("-bad6");
    assertThat(chain.reflector.problem()).isEmpty();
    assertThat(chain.lists()).isEqualTo(1);
  }

  static Stream<String> texts() {
    return Stream.of(
        "n\u00e4me \u4e2d\u6587 \u0939\u093f\u0928\u094d\u0926\u0940",
        "\u05e9\u05dc\u05d5\u05dd \u202e\u0645\u0631\u062d\u0628\u0627",
        "\ud83d\ude00 \ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67",
        "\\u0000 \\ud83d\\ude00 \\r\\n\\t\\\"\\\\ \\/",
        "\u007f\u0085\u2028\u2029\ufeff\ufffd",
        "x".repeat(253));
  }

  @ParameterizedTest
  @MethodSource("texts")
  void bringsTextsBackByteForByte(String text) throws Exception {
    String data = ",\"data\":{\"k\":\"" + text + "\"}";
    String listed = ConfigMaps.json("a", "u", "1").replaceFirst(",\"data\".*", "") + data + "}";
    String watched = listed.replace("\"resourceVersion\":\"1\"", "\"resourceVersion\":\"11\"");
    chain.server.scriptNextList(
        FeedEvent.listed(FeedEvent.Json.of(listed)), new FeedEvent.ListEnd("10", ""));
    chain.server.scriptNextWatch(new FeedEvent.Opened());
    assertThat(chain.heard()).hasSize(1);
    assertThat(stored()).contains(data);
    chain.server.send(FeedEvent.modified(FeedEvent.Json.of(watched)));
    assertThat(chain.heard()).hasSize(1);
    assertThat(stored()).contains(data);
  }

  private String stored() {
    byte[] json = chain.store.get(ConfigMaps.key("a")).orElseThrow().json();
    return new String(json, StandardCharsets.UTF_8);
  }

  /** Names of full length, keys and labels in any script; each object is found under its own. */
  @ParameterizedTest
  @MethodSource("texts")
  void findsObjectsWhateverTheirNames(String text) throws Exception {
    String name = text.replace("\\/", "").replace("/", "");
    chain.server.put(json(name, ""));
    chain.run();
    ConfigMap found = chain.lister.list().get(0);
    assertThat(chain.lister.get(ObjectKey.of(found))).contains(found);
    assertThat(found.getMetadata().getLabels()).containsValue(found.getMetadata().getName());
  }

  /** Numbers of any size, numbers as strings, quantities and micro-times stay unchanged. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "9007199254740993", "-9223372036854775808", "18446744073709551616",
        "0.1000000000000000055511151231257827", "1e400", "-0",
        "\"9007199254740993\"", "\"100m\"", "\"1.5Gi\"",
        "\"2026-11-21T01:02:03.000456Z\""
      })
  void leavesNumbersAsTheyAre(String value) throws Exception {
    chain.server.scriptNextList(
        FeedEvent.listed(
            FeedEvent.Json.of(
                ConfigMaps.json("a", "u", "1").replaceFirst("\"v\":\"1\"", "\"v\":" + value))),
        new FeedEvent.ListEnd("10", ""));
    chain.server.scriptNextWatch(new FeedEvent.Opened());
    chain.run();
    assertThat(stored()).endsWith("\"data\":{\"v\":" + value + "}}");
  }

  /** Whoever chooses names can't inject lines, colours or very long texts into the log. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a\\r\\nERROR forged line", "\\u001b[31mred\\u0007",
        "\\u202egpj.exe", "\\u2028line\\u0085next\\u0000",
        "${jndi:ldap:x} {} %n"
      })
  void writesNoRawNamesIntoTheLog(String name) throws Exception {
    Transform failing =
        tree -> {
          throw new IllegalStateException("test");
        };
    List<String> lines = new ArrayList<>();
    for (Transform transform : List.of(Transform.NONE, failing)) {
      chain.close();
      chain = new SteppedChain(transform, Duration.ofMinutes(1));
      chain.store.addIndex(
          "broken",
          object -> {
            throw new IllegalStateException("test");
          });
      lines.addAll(logged(() -> failEverywhereOn(name)));
    }
    assertThat(lines)
        .anyMatch(line -> line.contains("The function of the index"))
        .anyMatch(line -> line.contains("Indices and mappings omit"))
        .anyMatch(line -> line.contains("A handler failed"))
        .anyMatch(line -> line.contains("an audit found"))
        .allMatch(BadObjectsTest::isOneHarmlessLine);
  }

  private int failEverywhereOn(String name) throws Exception {
    SteppedHandler throwing = new SteppedHandler(chain.processor);
    throwing.lane().join(List.of(), false);
    throwing.onEvent(event -> event.object().decode());
    String key = name + "x".repeat(10_000);
    chain.server.put(json(name, ",\"data\":{\"" + key + "\":[]}"));
    chain.run();
    throwing.handleSome();
    chain.store.addIndex("by-key", object -> object.decode().getData().keySet());
    chain.server.loseEvents(() -> chain.server.put(json(name, "")));
    chain.runFor(Duration.ofMinutes(2));
    return chain.store.size();
  }

  private static boolean isOneHarmlessLine(String line) {
    return line.length() <= 1024
        && line.codePoints()
            .noneMatch(
                c ->
                    Character.isISOControl(c)
                        || Character.getType(c) == Character.FORMAT
                        || c == 0x2028
                        || c == 0x2029);
  }

  /** What all of our classes log as warnings and errors, and the messages of what was thrown. */
  private static List<String> logged(Callable<?> action) throws Exception {
    try (Logs log = Logs.by(Level.WARN, "dev.windlass")) {
      action.call();
      List<String> lines = new ArrayList<>(log.warnings());
      lines.addAll(log.thrown());
      return lines;
    }
  }

  /** An index function throws on one object, which is still found by all other means. */
  @Test
  void findsAnObjectThatAnIndexCantTakeByEverythingElse() throws Exception {
    chain.store.addIndex(
        "picky",
        object -> {
          if (object.key().name().equals("bad")) {
            throw new AssertionError("test");
          }
          return List.of("x");
        });
    List.of("a", "bad", "c").forEach(chain::put);
    assertThat(chain.heard()).containsExactly("+a1 initial", "+bad2 initial", "+c3 initial");
    assertThat(chain.store.byIndex("picky", "x")).hasSize(2);
    assertThat(names()).containsExactly("a", "bad", "c");
    chain.put("bad");
    chain.delete("bad");
    assertThat(chain.heard()).containsExactly("~bad2>4", "-bad5");
    assertThat(chain.store.indexFailures()).isEqualTo(2);
    assertThat(chain.applier.hasSynced()).isTrue();
  }

  /** Other handlers hear of that object. */
  @Test
  void tellsAHandlerOfTheNextObjectsAfterOneOnWhichItThrew() throws Exception {
    SteppedHandler picky = new SteppedHandler(chain.processor);
    picky.lane().join(List.of(), false);
    List<String> handled = new ArrayList<>();
    picky.onEvent(
        event -> {
          if (event.key().name().equals("bad")) {
            throw new AssertionError("test");
          }
          handled.add(event.key().name());
        });
    List.of("a", "bad", "c").forEach(chain::put);
    logged(
        () -> {
          assertThat(chain.heard()).containsExactly("+a1 initial", "+bad2 initial", "+c3 initial");
          picky.handleSome();
          chain.time.advance(Duration.ofSeconds(1));
          return picky.handleSome();
        });
    assertThat(handled).containsExactly("a", "c");
    assertThat(picky.lane().failures()).isEqualTo(1);
    assertThat(picky.lane().hasSynced()).isTrue();
  }

  /** A transform throws on one object, of which only the metadata is kept. */
  @Test
  void keepsTheMetadataOfAnObjectOnWhichATransformFails() throws Exception {
    chain.close();
    chain =
        new SteppedChain(
            tree -> {
              if (tree.text("metadata", "name").orElse("").equals("bad")) {
                throw new IllegalStateException("test");
              }
            },
            Duration.ZERO);
    List.of("a", "bad", "c").forEach(chain::put);
    logged(
        () -> {
          assertThat(chain.heard()).containsExactly("+a1 initial", "+bad2 initial", "+c3 initial");
          return names();
        });
    assertThat(chain.store.get(ConfigMaps.key("bad")).orElseThrow().hasContent()).isFalse();
    assertThat(chain.store.get(ConfigMaps.key("c")).orElseThrow().hasContent()).isTrue();
    chain.delete("bad");
    assertThat(chain.heard()).containsExactly("-bad4");
  }
}
