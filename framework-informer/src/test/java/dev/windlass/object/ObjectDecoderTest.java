// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ObjectDecoderTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String MANAGED =
      "\"managedFields\":[{\"manager\":\"k\\\"}]\",\"fieldsV1\":{\"f:x\":{}}},{}]";

  private static CachedObject<ConfigMap> decode(byte[] json) {
    return ConfigMaps.DECODER.decode(json, 0, json.length);
  }

  private static CachedObject<ConfigMap> decode(String json) {
    return decode(json.getBytes(StandardCharsets.UTF_8));
  }

  /** What the cache holds. */
  private static JsonNode kept(CachedObject<ConfigMap> object) {
    try {
      return JSON.readTree(object.json());
    } catch (IOException e) {
      throw new AssertionError("the cache holds no JSON", e);
    }
  }

  @Test
  void readsWhatTheMachineNeeds() {
    CachedObject<ConfigMap> object =
        decode(
            """
            {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"n",
             "uid":"u-1","resourceVersion":"42","generation":7,
             "deletionTimestamp":"2026-01-01T00:00:00Z","labels":{"x":"y","e":""},
             "ownerReferences":[
               {"apiVersion":"apps/v1","kind":"Deployment","name":"d","uid":"u-2",
                "controller":true,"blockOwnerDeletion":true},
               {"apiVersion":"v1","kind":"Node","name":"m","uid":"u-3"}]},"data":{"k":"v"}}
            """);
    assertThat(object.key()).isEqualTo(ObjectKey.of("n", "a"));
    assertThat(object.uid()).isEqualTo("u-1");
    assertThat(object.resourceVersion()).isEqualTo("42");
    assertThat(object.generation()).isEqualTo(7);
    assertThat(object.deletionTimestamp()).contains("2026-01-01T00:00:00Z");
    assertThat(object.labels()).containsOnly(Map.entry("x", "y"), Map.entry("e", ""));
    OwnerRef controller = new OwnerRef("apps/v1", "Deployment", "d", "u-2", true);
    assertThat(object.owners())
        .containsExactly(controller, new OwnerRef("v1", "Node", "m", "u-3", false));
    assertThat(object.controllerOwner()).contains(controller);
    assertThat(controller.group()).isEqualTo("apps");
    assertThat(object.owners().get(1).group()).isEmpty();
    assertThat(object.decode().getData()).containsEntry("k", "v");
  }

  record Case(String name, String metadata) {}

  static Stream<Case> managedFields() {
    String name = "\"name\":\"a\"";
    return Stream.of(
        new Case("first", "{" + MANAGED + "," + name + "}"),
        new Case("first with spaces", "{ " + MANAGED + " \n , " + name + " }"),
        new Case("in the middle", "{\"uid\":\"u\"," + MANAGED + "," + name + "}"),
        new Case("last", "{" + name + "," + MANAGED + "}"),
        new Case("last with spaces", "{" + name + " ,\r\n\t " + MANAGED + "\n }"),
        new Case("last after a non-ASCII name", "{\"uid\":\"ü€😀\"," + name + "," + MANAGED + "}"),
        new Case("absent", "{" + name + "}"),
        new Case("null", "{" + name + ",\"managedFields\":null}"),
        new Case("empty", "{\"managedFields\":[]," + name + "}"),
        new Case("the name of a label", "{\"labels\":{\"managedFields\":\"x\"}," + name + "}"));
  }

  @ParameterizedTest
  @MethodSource("managedFields")
  void cutsManagedFieldsOutWhereverTheyStand(Case c) throws IOException {
    for (String rest : List.of("", ",\"data\":{\"k\":\"v\"}")) {
      String json = "{\"kind\":\"ConfigMap\",\"metadata\":" + c.metadata() + rest + "}";
      ObjectNode expected = (ObjectNode) JSON.readTree(json);
      expected.put("apiVersion", "v1");
      if (expected.path("metadata").path("managedFields").isArray()) {
        ((ObjectNode) expected.path("metadata")).remove("managedFields");
      }
      CachedObject<ConfigMap> object = decode(json);
      assertThat(kept(object)).isEqualTo(expected);
      assertThat(object.key()).isEqualTo(ObjectKey.of("a"));
    }
  }

  /** They may be the only field; then there is no name, and nobody needs the bytes. */
  @Test
  void survivesManagedFieldsOnTheirOwn() {
    assertThatThrownBy(() -> decode("{\"kind\":\"ConfigMap\",\"metadata\":{" + MANAGED + "}}"))
        .isInstanceOf(MalformedObjectException.class)
        .hasMessageContaining("without metadata.name");
  }

  @Test
  void leavesManagedFieldsOutsideOfMetadataAlone() throws IOException {
    String json =
        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"managedFields\":[1],\"metadata\":{\"name\":\"a\"},\"data\":{\"managedFields\":\"x\"}}";
    assertThat(kept(decode(json))).isEqualTo(JSON.readTree(json));
  }

  /** Items of built-in lists come without kind and apiVersion. */
  @Test
  void putsTheKindInFrontIfItIsMissing() throws IOException {
    CachedObject<ConfigMap> object = decode(" {\"metadata\":{\"name\":\"a\"," + MANAGED + "}} ");
    assertThat(kept(object))
        .isEqualTo(
            JSON.readTree(
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"}}"));
    assertThat(object.decode().getKind()).isEqualTo("ConfigMap");
  }

  @Test
  void readsUnicodeAndEscapes() {
    CachedObject<ConfigMap> object =
        decode(
            "{\"kind\":\"ConfigMap\",\"metadata\":{\"n\\u0061me\":\"n\\u00e4me\",\"labels\":{\"😀\":\"\\\"\\\\\\u0000é\"},"
                + MANAGED
                + "},\"data\":{\"k\":\"ünï😀\"}}");
    assertThat(object.key().name()).isEqualTo("näme");
    assertThat(object.labels()).containsEntry("😀", "\"\\\u0000é");
    assertThat(object.decode().getData()).containsEntry("k", "ünï😀");
  }

  static Stream<Case> oddities() {
    return Stream.of(
        new Case("null labels", "\"labels\":null"),
        new Case("null owners", "\"ownerReferences\":null"),
        new Case("labels that are a list", "\"labels\":[{\"a\":\"b\"}]"),
        new Case("owners that are an object", "\"ownerReferences\":{\"a\":[1]}"),
        new Case(
            "null uid, version, namespace",
            "\"uid\":null,\"resourceVersion\":null,\"namespace\":null"),
        new Case(
            "nested uid",
            "\"uid\":{\"name\":\"wrong\"},\"resourceVersion\":[{\"name\":\"wrong\"}]"),
        new Case("list as generation", "\"generation\":[1]"),
        new Case("300-digit generation", "\"generation\":" + "9".repeat(300)),
        new Case("null timestamp", "\"deletionTimestamp\":null,\"generation\":null"));
  }

  @ParameterizedTest
  @MethodSource("oddities")
  void takesWhatIsNotThereAsEmpty(Case c) {
    CachedObject<ConfigMap> object =
        decode("{\"kind\":\"ConfigMap\",\"metadata\":{" + c.metadata() + ",\"name\":\"a\"}}");
    assertThat(object.key()).isEqualTo(ObjectKey.of("a"));
    assertThat(object.uid()).isEmpty();
    assertThat(object.resourceVersion()).isEmpty();
    assertThat(object.generation()).isZero();
    assertThat(object.deletionTimestamp()).isEmpty();
    assertThat(object.labels()).isEmpty();
    assertThat(object.owners()).isEmpty();
  }

  static Stream<Case> malformed() {
    return Stream.of(
        new Case("nothing", ""),
        new Case("blank", "  "),
        new Case("a list", "[]"),
        new Case("a string", "\"x\""),
        new Case("null", "null"),
        new Case("HTML", "<html>502</html>"),
        new Case("no metadata", "{}"),
        new Case("two metadata", "{\"metadata\":{\"name\":\"a\"},\"metadata\":{\"name\":\"b\"}}"),
        new Case("null metadata", "{\"metadata\":null}"),
        new Case("metadata that is a list", "{\"metadata\":[{\"name\":\"a\"}]}"),
        new Case("no name", "{\"metadata\":{\"namespace\":\"CANARY\"}}"),
        new Case("null name", "{\"metadata\":{\"name\":null}}"),
        new Case("empty name", "{\"metadata\":{\"name\":\"\"}}"),
        new Case("name that is an object", "{\"metadata\":{\"name\":{\"x\":\"CANARY\"}}}"),
        new Case("slash in the name", "{\"metadata\":{\"name\":\"CANARY/b\"}}"),
        new Case("path as name", "{\"metadata\":{\"name\":\"../../CANARY\"}}"),
        new Case(
            "slash in the namespace", "{\"metadata\":{\"name\":\"a\",\"namespace\":\"CANARY/\"}}"),
        new Case("cut", "{\"metadata\":{\"name\":\"CANARY"),
        new Case("cut after the name", "{\"metadata\":{\"name\":\"CANARY\""),
        new Case("cut in a brace", "{\"metadata\":{\"name\":\"CANARY\"}"),
        new Case("trailing object", "{\"metadata\":{\"name\":\"a\"}}{\"x\":\"CANARY\"}"),
        new Case("trailing brace", "{\"metadata\":{\"name\":\"a\"}}}"),
        new Case("trailing comma", "{\"metadata\":{\"name\":\"a\"}},"),
        new Case("unquoted", "{\"metadata\":{\"name\":CANARY}}"),
        new Case("not a number", "{\"metadata\":{\"name\":\"a\"},\"data\":NaN}"),
        new Case("comma before the first field", "{,\"metadata\":{\"name\":\"a\"}}"),
        new Case("comma behind the last field", "{\"metadata\":{\"name\":\"a\",}}"),
        new Case("no comma between fields", "{\"metadata\":{\"name\":\"a\" \"uid\":\"b\"}}"),
        new Case("comma before the first owner", owned("[,{}]")),
        new Case("comma behind the last owner", owned("[{},]")),
        new Case("no comma between owners", owned("[{}{}]")),
        new Case("nested generation", "{\"metadata\":{\"generation\":{\"name\":\"a\"}}}"),
        new Case("byte order mark", "\uFEFF{\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"}}"),
        new Case("100,000 levels", "{\"metadata\":{\"name\":\"a\"},\"x\":" + "[".repeat(100_000)));
  }

  private static String owned(String owners) {
    return "{\"metadata\":{\"labels\":{},\"ownerReferences\":" + owners + ",\"name\":\"a\"}}";
  }

  /** Forty bad inputs, 1 to 9 and 19: refused in one way, and the message quotes nothing. */
  @ParameterizedTest
  @MethodSource("malformed")
  void refusesWhatIsNoObjectAndQuotesNothing(Case c) {
    assertThatThrownBy(() -> decode(c.metadata()))
        .isInstanceOf(MalformedObjectException.class)
        .hasNoCause()
        .message()
        .doesNotContain("CANARY")
        .hasSizeLessThan(200);
  }

  @Test
  void keepsTheMetadataOfAnObjectWithInvalidUtf8() {
    byte[] json =
        "{\"metadata\":{\"name\":\"a\"},\"data\":\"??\"}".getBytes(StandardCharsets.UTF_8);
    int at = new String(json, StandardCharsets.UTF_8).indexOf("??");
    json[at] = (byte) 0xFF;
    json[at + 1] = (byte) 0xFE;
    CachedObject<ConfigMap> object = decode(json);
    assertThat(object.key().name()).isEqualTo("a");
    assertThat(object.metadata().getName()).isEqualTo("a");
    assertThatThrownBy(object::decode).isInstanceOf(UndecodableException.class);
  }

  @Test
  void refusesOtherEncodings() {
    String json = "{\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"}}";
    for (var charset : List.of(StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)) {
      assertThatThrownBy(() -> decode(json.getBytes(charset)))
          .isInstanceOf(MalformedObjectException.class);
    }
  }

  @Test
  void refusesAnEmptySlice() {
    assertThatThrownBy(() -> ConfigMaps.DECODER.decode(new byte[] {'{', '}'}, 1, 0))
        .isInstanceOf(MalformedObjectException.class);
  }

  /** Numbers that nobody reads may be of any size. */
  @Test
  void toleratesWhatItDoesNotRead() {
    CachedObject<ConfigMap> object =
        decode("{\"metadata\":{\"name\":\"a\"},\"x\":1e999999999,\"y\":" + "9".repeat(300) + "}");
    assertThat(object.key().name()).isEqualTo("a");
  }

  /** A uid is kept as two numbers if it is a UUID as servers write them; else as its text. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "8f0f7c1e-33aa-4f5e-9a51-0d1f2e3a4b5c", "00000000-0000-0000-0000-000000000000",
        "ffffffff-ffff-ffff-ffff-ffffffffffff", "8F0F7C1E-33AA-4F5E-9A51-0D1F2E3A4B5C",
        "8f0f7c1e033aa04f5e09a5100d1f2e3a4b5c", "8f0f7c1e-33aa-4f5e-9a510-d1f2e3a4b5c",
        "8f0f7c1e-33aa-4f5e-9a51-0d1f-e3a4b5c", "8f0f7c1e-33aa-4f5e-9a51-0d1f2e3a4b5g",
        "8f0f7c1e-33aa-4f5e-9a51-0d1f2e3a4b5", "8f0f7c1e-33aa-4f5e-9a51-0d1f2e3a4b5c0"
      })
  void readsAnyUid(String uid) {
    CachedObject<ConfigMap> object =
        decode("{\"metadata\":{\"name\":\"a\",\"uid\":\"" + uid + "\"}}");
    assertThat(object.uid()).isEqualTo(uid);
    assertThat(object.metadata().getUid()).isEqualTo(uid);
  }

  /** Whether read or known from another object: labels are what Jackson makes of their JSON. */
  @Property(tries = 300)
  void readsLabelsAsJacksonDoes(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    Map<String, String> labels = new LinkedHashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      String text = List.of("", "v", "ü😀", "\"\\\n{},", "x".repeat(600)).get(random.nextInt(5));
      labels.put("k" + random.nextInt(3) + text, text + random.nextInt(2));
    }
    String json = JSON.writeValueAsString(labels);
    for (int i = 0; i < 2; i++) {
      CachedObject<ConfigMap> object =
          decode("{\"metadata\":{\"labels\":" + json + ",\"name\":\"a\"}}");
      assertThat(object.labels()).as("seed %d, time %d", seed, i).isEqualTo(labels);
    }
  }

  /** What is known of labels by their JSON must not be a view of a buffer that is used again. */
  @Test
  void knowsLabelsFromABufferThatIsUsedAgain() {
    String json = "{\"metadata\":{\"labels\":{\"app\":\"%s\"},\"name\":\"a\"}}";
    byte[] buffer = json.formatted("first").getBytes(StandardCharsets.UTF_8);
    Map<String, String> first = decode(buffer).labels();
    byte[] second = json.formatted("other").getBytes(StandardCharsets.UTF_8);
    System.arraycopy(second, 0, buffer, 0, second.length);

    assertThat(decode(buffer).labels()).containsExactly(Map.entry("app", "other"));
    assertThat(first).containsExactly(Map.entry("app", "first"));
    assertThat(decode(json.formatted("first")).labels()).isSameAs(first);
  }

  /** What is remembered must not add up to much. */
  @ParameterizedTest
  @CsvSource({"1000, true", "1100, false"})
  void remembersLabelsOfAKibibyteAtMost(int length, boolean remembered) {
    String json =
        "{\"metadata\":{\"labels\":{\"a\":\"" + "v".repeat(length) + "\"},\"name\":\"a\"}}";
    Map<String, String> first = decode(json).labels();
    Map<String, String> second = decode(json).labels();
    assertThat(second == first).isEqualTo(remembered);
  }

  /** The object may stand anywhere in a buffer, and the buffer may be used again. */
  @Property(tries = 300)
  void readsASliceAsItReadsTheWhole(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    String json = RandomJson.object(random);
    byte[] whole = json.getBytes(StandardCharsets.UTF_8);
    int offset = random.nextInt(50);
    byte[] buffer = new byte[offset + whole.length + random.nextInt(50)];
    Arrays.fill(buffer, (byte) "{}[]\",x 0".charAt(random.nextInt(9)));
    System.arraycopy(whole, 0, buffer, offset, whole.length);
    CachedObject<ConfigMap> object = ConfigMaps.DECODER.decode(buffer, offset, whole.length);
    Arrays.fill(buffer, (byte) 0);

    ObjectNode expected = (ObjectNode) JSON.readTree(json);
    ((ObjectNode) expected.path("metadata")).remove("managedFields");
    expected.put("apiVersion", "v1").put("kind", "ConfigMap");
    assertThat(kept(object)).as("seed %d: %s", seed, json).isEqualTo(expected);
    assertThat(object.key().name()).isEqualTo(expected.path("metadata").path("name").asText());
  }

  /** Objects with the fields of metadata in any order, and managed fields or none. */
  private static final class RandomJson {

    static String object(Random random) {
      List<String> metadata =
          new ArrayList<>(
              List.of(
                  "\"name\":\"n" + random.nextInt(9) + "\"",
                  "\"uid\":\"ü\\\"" + random.nextInt(9) + "\"",
                  "\"labels\":{\"a\":\"]}\",\"b\":\"{[\"}",
                  "\"annotations\":{\"managedFields\":\"[]\"}"));
      if (random.nextBoolean()) {
        metadata.add("\"managedFields\" : " + (random.nextBoolean() ? "[]" : "[{\"a\":[\"]\"]}]"));
      }
      List<String> root =
          new ArrayList<>(
              List.of("\"data\":{\"k\":\"v😀\"}", "\"x\":[{\"metadata\":{\"name\":\"no\"}}]"));
      if (random.nextBoolean()) {
        root.add("\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\"");
      }
      Collections.shuffle(metadata, random);
      String space = random.nextBoolean() ? "" : " \r\n\t";
      root.add("\"metadata\":{" + space + String.join(space + "," + space, metadata) + space + "}");
      Collections.shuffle(root, random);
      return space + "{" + space + String.join("," + space, root) + space + "}" + space;
    }
  }

  /** The API server takes 10,000 levels, and managedFields have as many as what they describe. */
  @ParameterizedTest
  @EnumSource(
      value = Projection.class,
      names = {"STRIPPED", "FULL"})
  void keepsTheMetadataOfAnObjectThatIsNestedTooDeep(Projection projection) {
    String deep = "{\"k\":".repeat(9_000) + "1" + "}".repeat(9_000);
    String json =
        "{\"spec\":"
            + deep
            + ",\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"7\",\"labels\":{\"l\":\"x\"},"
            + "\"managedFields\":["
            + deep
            + "],\"annotations\":{\"n\":\"y\"}},\"status\":{}}";
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    ObjectCodec<ConfigMap> codec = ObjectCodec.of(ConfigMap.class).with(projection);
    CachedObject<ConfigMap> object = new ObjectDecoder<>(codec).decode(bytes, 0, bytes.length);
    assertThat(object.version()).isEqualTo(7);
    assertThat(object.labels()).containsEntry("l", "x");
    assertThat(object.metadata().getAnnotations()).containsEntry("n", "y");
    assertThat(object.hasContent()).isFalse();
    assertThatThrownBy(object::decode)
        .isInstanceOf(UndecodableException.class)
        .hasMessageContaining("nested more than 1,000 levels deep");
    assertThat(codec.failures()).isEqualTo(1);
  }

  @Test
  void refusesMetadataThatIsNestedTooDeep() {
    String json =
        "{\"metadata\":{\"name\":\"a\",\"x\":" + "[".repeat(2_000) + "]".repeat(2_000) + "}}";
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> ConfigMaps.DECODER.decode(bytes, 0, bytes.length))
        .isInstanceOf(MalformedObjectException.class)
        .hasMessageContaining("nested");
  }

  /** Four digits of hexadecimal, of the Latin script, and nothing else. */
  @ParameterizedTest
  @ValueSource(strings = {"+041", "-001", "004", "00g1", " 041", "\uff10\uff10\uff14\uff11"})
  void refusesEscapesThatAreNone(String escape) {
    String json = "{\"metadata\":{\"name\":\"" + '\\' + 'u' + escape + "\"}}";
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> ConfigMaps.DECODER.decode(bytes, 0, bytes.length))
        .isInstanceOf(MalformedObjectException.class);
  }
}
