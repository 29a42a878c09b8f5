// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import static dev.windlass.informer.BadInputsTest.Fate.LEFT_OUT;
import static dev.windlass.informer.BadInputsTest.Fate.METADATA_ONLY;
import static dev.windlass.informer.BadInputsTest.Fate.READABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.windlass.informer.index.Query;
import dev.windlass.informer.reflector.FeedEvent;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ConfigMaps;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ObjectDecoder;
import dev.windlass.object.UndecodableException;
import dev.windlass.testsupport.Logs;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The bad inputs of docs/security.md from the API server: each harms its own key only. */
@Timeout(60)
final class BadInputsTest {

  @AutoClose private final SteppedChain chain = new SteppedChain();
  @AutoClose private final Logs log = Logs.by(Level.WARN, "dev.windlass");

  /** What becomes of the object. */
  enum Fate {
    READABLE,
    METADATA_ONLY,
    LEFT_OUT
  }

  private record Case(int number, String what, FeedEvent.Json json, Fate fate) {
    @Override
    public String toString() {
      return number + " " + what;
    }
  }

  private static Case bad(int number, String what, String json, Fate fate) {
    return new Case(number, what, FeedEvent.Json.of(json), fate);
  }

  /** An object named bad, with more in its metadata and beside that. */
  private static String with(String metadata, String rest) {
    return "{\"kind\":\"ConfigMap\",\"metadata\":{\"namespace\":\"default\",\"name\":\"bad\""
        + metadata
        + "}"
        + rest
        + "}";
  }

  private static String data(String value) {
    return with("", ",\"data\":{\"k\":" + value + "}");
  }

  private static FeedEvent.Json withBytes(String text, int... bytes) {
    byte[] json = text.getBytes(StandardCharsets.UTF_8);
    int at = text.indexOf("??");
    for (int i = 0; i < bytes.length; i++) {
      json[at + i] = (byte) bytes[i];
    }
    return FeedEvent.Json.of(json);
  }

  static Stream<Case> inputs() {
    String deep = "[".repeat(100_000);
    String keys =
        IntStream.range(0, 1_000_000).mapToObj(i -> "\"\":\"\"").collect(Collectors.joining(","));
    String finalizers =
        IntStream.range(0, 10_000)
            .mapToObj(i -> "\"a/" + i + "\"")
            .collect(Collectors.joining(",", ",\"finalizers\":[", "]"));
    String trick = "${jndi:ldap://x} {} %n";
    String closed = with("", ",\"data\":" + deep + "]".repeat(100_000));
    String beyond = ",\"generation\":9223372036854775808";
    String digits = ",\"resourceVersion\":\"" + "9".repeat(30) + "\"";
    String forged = ",\"annotations\":{\"a\":\"x\\r\\nERROR y\"}";
    String colours = ",\"labels\":{\"\\u001b[31m\":\"\\u202e\"}";
    String path = data("1").replace("\"bad\"", "\"../../etc/passwd\"");
    return Stream.of(
        bad(1, "100,000 levels", with("", ",\"x\":" + deep), LEFT_OUT),
        bad(1, "100,000 levels that are closed", closed, METADATA_ONLY),
        bad(2, "a string of 1.5 MB", data("\"" + "x".repeat(1_500_000) + "\""), READABLE),
        bad(3, "a million empty keys", with("", ",\"data\":{" + keys + "}"), READABLE),
        bad(4, "300 digits", with(",\"generation\":" + "9".repeat(300), ""), METADATA_ONLY),
        bad(4, "a huge exponent", data("1e999999999"), READABLE),
        bad(5, "NaN", data("NaN"), LEFT_OUT),
        bad(5, "Infinity", data("-Infinity"), LEFT_OUT),
        bad(6, "metadata twice", with("", ",\"metadata\":{\"name\":\"bad\"}"), LEFT_OUT),
        new Case(7, "a long NUL", withBytes(data("\"??\""), 0xC0, 0x80), READABLE),
        new Case(7, "no UTF-8", withBytes(data("\"??\""), 0xFF, 0x80), METADATA_ONLY),
        bad(8, "half a character", data("\"\\uD800\""), READABLE),
        bad(9, "a byte order mark", "\uFEFF" + data("\"v\""), LEFT_OUT),
        bad(16, "a list for a map", with("", ",\"data\":[\"CANARY\"]"), METADATA_ONLY),
        bad(17, "a generation beyond 64 bits", with(beyond, ""), METADATA_ONLY),
        bad(18, "no date", with(",\"deletionTimestamp\":\"0000-00-00\"", ""), READABLE),
        bad(19, "no metadata", "{\"kind\":\"ConfigMap\"}", LEFT_OUT),
        bad(19, "no name", "{\"kind\":\"ConfigMap\",\"metadata\":{\"uid\":\"u\"}}", LEFT_OUT),
        bad(19, "an empty uid", with(",\"uid\":\"\"", ""), READABLE),
        bad(20, "a version of letters", with(",\"resourceVersion\":\"abc\"", ""), READABLE),
        bad(20, "a negative version", with(",\"resourceVersion\":\"-1\"", ""), READABLE),
        bad(20, "30 digits", with(digits, ""), READABLE),
        bad(20, "a leading zero", with(",\"resourceVersion\":\"02\"", ""), READABLE),
        bad(34, "a forged line", with(forged, ""), READABLE),
        bad(35, "colours in a label", with(colours, ",\"data\":[]"), METADATA_ONLY),
        bad(36, "a lookup", with("", ",\"data\":{\"" + trick + "\":[]}"), METADATA_ONLY),
        bad(38, "a path for a name", path, LEFT_OUT),
        bad(40, "a prototype", with(",\"annotations\":{\"__proto__/x\":\"y\"}", ""), READABLE),
        bad(40, "10,000 finalizers", with(finalizers, ""), READABLE));
  }

  @ParameterizedTest
  @MethodSource("inputs")
  void harmsNobodyElse(Case c) throws Exception {
    chain.put("a");
    chain.put("c");
    chain.server.scriptNextList(
        listed(ConfigMaps.json("a", "uid-1", "1")),
        FeedEvent.listed(c.json()),
        listed(ConfigMaps.json("c", "uid-2", "2")),
        new FeedEvent.ListEnd("2", ""));
    chain.run();
    assertThat(readable()).contains("a", "c");
    assertThat(readable().contains("bad")).isEqualTo(c.fate() == READABLE);
    assertThat(chain.store.get(ConfigMaps.key("bad")).isPresent()).isEqualTo(c.fate() != LEFT_OUT);
    assertThat(log.warnings())
        .filteredOn(line -> !line.startsWith("Indices and mappings omit")) // as these here do
        .hasSizeLessThanOrEqualTo(1);

    chain.server.send(FeedEvent.modified(c.json()));
    chain.put("d");
    chain.run();
    assertThat(readable()).contains("a", "c", "d");
    assertThat(log.events())
        .map(ILoggingEvent::getFormattedMessage)
        .allMatch(line -> line.length() <= 1024 && line.chars().noneMatch(Character::isISOControl))
        .noneMatch(line -> line.contains("CANARY"));
  }

  private static FeedEvent.Change listed(String json) {
    return FeedEvent.listed(FeedEvent.Json.of(json));
  }

  private List<String> readable() {
    return chain.lister.listReadable(Query.ALL).objects().stream()
        .map(map -> map.getMetadata().getName())
        .toList();
  }

  /** A type whose class knows fewer colours than its CRD. */
  @Group("test.windlass.dev")
  @Version("v1")
  @SuppressWarnings("serial") // nobody serializes it
  static final class Painted extends CustomResource<Painted.Spec, Void> {
    enum Colour {
      RED
    }

    record Spec(Colour colour, int size) {}
  }

  private record Misfit(int number, Class<? extends HasMetadata> type, String spec, String place) {}

  static Stream<Misfit> misfits() {
    return Stream.of(
        new Misfit(15, Painted.class, "\"colour\":\"CANARY\"", "spec.colour"),
        new Misfit(16, Painted.class, "\"size\":\"CANARY\"", "spec.size"),
        new Misfit(17, Painted.class, "\"size\":9223372036854775808", "spec.size"),
        new Misfit(
            16, Lease.class, "\"leaseDurationSeconds\":\"CANARY\"", "spec.leaseDurationSeconds"),
        new Misfit(
            17,
            Lease.class,
            "\"leaseDurationSeconds\":9223372036854775808",
            "spec.leaseDurationSeconds"),
        new Misfit(18, Lease.class, "\"renewTime\":\"0000-00-00\"", "spec.renewTime"),
        new Misfit(18, Lease.class, "\"renewTime\":\"99999-01-01T00:00:00Z\"", "spec.renewTime"));
  }

  /** It stays known by its metadata; who reads it learns the place, and no values. */
  @ParameterizedTest
  @MethodSource("misfits")
  void namesThePlaceThatDoesNotFit(Misfit c) {
    byte[] json =
        ("{\"metadata\":{\"name\":\"a\"},\"spec\":{" + c.spec() + "}}")
            .getBytes(StandardCharsets.UTF_8);
    CachedObject<?> object =
        new ObjectDecoder<>(ObjectCodec.of(c.type())).decode(json, 0, json.length);
    assertThat(object.metadata().getName()).isEqualTo("a");
    assertThatThrownBy(object::decode)
        .isInstanceOf(UndecodableException.class)
        .hasMessageEndingWith(" at " + c.place())
        .hasMessageNotContaining("CANARY");
  }

  @Test
  void readsWhatFits() {
    byte[] json =
        "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"colour\":\"RED\",\"size\":1}}"
            .getBytes(StandardCharsets.UTF_8);
    Painted painted =
        new ObjectDecoder<>(ObjectCodec.of(Painted.class)).decode(json, 0, json.length).decode();
    assertThat(painted.getSpec()).isEqualTo(new Painted.Spec(Painted.Colour.RED, 1));
  }
}
