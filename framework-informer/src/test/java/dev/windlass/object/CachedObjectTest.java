// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class CachedObjectTest {

  private static CachedObject<ConfigMap> state(String uid, String version) {
    return ConfigMaps.decode(ConfigMaps.json("a", uid, version));
  }

  record Age(String version, String otherVersion, boolean older) {}

  static Stream<Age> ages() {
    return Stream.of(
        new Age("1", "2", true),
        new Age("9", "10", true),
        new Age("2", "1", false),
        new Age("2", "2", false),
        new Age("9223372036854775806", "9223372036854775807", true),
        // a version that is not a number is neither older nor newer than any other
        new Age("abc", "2", false),
        new Age("1", "abc", false),
        new Age("-1", "2", false),
        new Age("1", "-2", false),
        new Age("", "2", false),
        new Age("1", "", false),
        new Age("1", "999999999999999999999999999999", false),
        new Age("007", "8", true));
  }

  @ParameterizedTest
  @MethodSource("ages")
  void isOlderOnlyIfBothVersionsAreNumbersThatSaySo(Age c) {
    assertThat(state("u", c.version()).isOlderThan(state("u", c.otherVersion())))
        .isEqualTo(c.older());
  }

  /** Versions of different objects under one name say nothing about their ages. */
  @Test
  void isNeverOlderThanAnotherObject() {
    assertThat(state("u", "1").isOlderThan(state("v", "2"))).isFalse();
    assertThat(state("u", "1").isSameObject(state("v", "1"))).isFalse();
    assertThat(state("u", "1").isSameState(state("v", "1"))).isFalse();
    assertThat(state("u", "1").isSameState(state("u", "1"))).isTrue();
    assertThat(state("u", "1").isSameState(state("u", "2"))).isFalse();
  }

  /** Whoever changes what he got changes only that. */
  @Test
  void decodesAfreshEachTimeSoThatNobodyDamagesIt() {
    CachedObject<ConfigMap> object = state("u", "1");
    ConfigMap first = object.decode();
    first.getData().put("v", "changed");
    first.getMetadata().setName("changed");
    ConfigMap second = object.decode();
    assertThat(second).isNotSameAs(first);
    assertThat(second.getData()).containsEntry("v", "1");
    assertThat(second.getMetadata().getName()).isEqualTo("a");
  }

  @Test
  void hasUnmodifiableCollections() {
    CachedObject<ConfigMap> object = state("u", "1");
    assertThatThrownBy(() -> object.labels().put("a", "b"))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> object.owners().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void tellsItsKindKeyAndVersionAndNothingOfItsContent() {
    CachedObject<Secret> secret = secret("\"data\":{\"password\":\"CANARY\"}");
    assertThat(secret).hasToString("Secret n/s (version 5)");
  }

  @Test
  void isMadeOfATypedObjectToo() {
    ConfigMap typed =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace("n")
            .withName("a")
            .withResourceVersion("3")
            .endMetadata()
            .addToData("k", "v")
            .build();
    CachedObject<ConfigMap> object = ConfigMaps.CODEC.encode(typed);
    assertThat(object.key()).isEqualTo(ObjectKey.of("n", "a"));
    assertThat(object.resourceVersion()).isEqualTo("3");
    assertThat(object.decode()).isEqualTo(typed);
  }

  private static CachedObject<Secret> secret(String content) {
    return decode(
        Secret.class,
        "{\"kind\":\"Secret\",\"metadata\":{\"namespace\":\"n\",\"name\":\"s\",\"resourceVersion\":\"5\"},"
            + content
            + "}");
  }

  private static <T extends io.fabric8.kubernetes.api.model.HasMetadata> CachedObject<T> decode(
      Class<T> type, String json) {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    return new ObjectDecoder<>(ObjectCodec.of(type)).decode(bytes, 0, bytes.length);
  }

  record Unfit(String name, CachedObject<?> object, String field) {}

  static Stream<Unfit> unfit() {
    return Stream.of(
        new Unfit("text as a map", secret("\"data\":\"CANARY\""), " at data"),
        new Unfit("list as a text", secret("\"type\":[\"CANARY\"]"), " at type"),
        new Unfit(
            "map as a value", secret("\"data\":{\"k\":{\"CANARY\":\"CANARY\"}}"), " at data.k"),
        new Unfit(
            "text as a number",
            decode(
                Deployment.class,
                "{\"kind\":\"Deployment\",\"metadata\":{\"namespace\":\"n\",\"name\":\"s\"},"
                    + "\"spec\":{\"replicas\":\"CANARY\"}}"),
            " at spec.replicas"));
  }

  /** Key, class and field, but no value (docs/reliability.md, E1). */
  @ParameterizedTest
  @MethodSource("unfit")
  void saysWhatDoesNotFitButNeverQuotesTheValue(Unfit c) {
    assertThatThrownBy(c.object()::decode)
        .isInstanceOf(UndecodableException.class)
        .hasMessageContaining(" n/s ")
        .hasMessageContaining(c.object().type().kind())
        .hasMessageContaining(c.field())
        .satisfies(
            e -> {
              StringWriter logged = new StringWriter();
              e.printStackTrace(new PrintWriter(logged));
              assertThat(logged.toString()).doesNotContain("CANARY").contains("Caused by");
            });
    assertThat(c.object().key()).as("the rest can be read").isEqualTo(ObjectKey.of("n", "s"));
  }
}
