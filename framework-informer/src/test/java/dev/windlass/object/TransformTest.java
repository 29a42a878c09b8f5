// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is changed before it is cached. */
final class TransformTest {

  private static final String JSON =
      """
      {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"n","uid":"u",
       "resourceVersion":"5","labels":{"app":"x"},
       "annotations":{"kept":"1","dropped":"2"},"managedFields":[{"manager":"m"}]},
       "data":{"k":"CANARY"},"immutable":true}""";

  private final ObjectCodec<ConfigMap> codec = ObjectCodec.of(ConfigMap.class);

  private CachedObject<ConfigMap> decode(Transform transform) {
    byte[] bytes = JSON.getBytes(StandardCharsets.UTF_8);
    return new ObjectDecoder<>(codec, transform).decode(bytes, 0, bytes.length);
  }

  @Test
  void dropsFields() {
    ConfigMap map = decode(Transform.dropFields("data", "absent")).decode();
    assertThat(map.getData()).isEmpty();
    assertThat(map.getImmutable()).isTrue();
    assertThat(map.getMetadata().getName()).isEqualTo("a");
  }

  @Test
  void keepsFields() {
    ConfigMap map = decode(Transform.keepFields("data")).decode();
    assertThat(map.getData()).containsEntry("k", "CANARY");
    assertThat(map.getImmutable()).isNull();
    assertThat(map.getMetadata().getLabels()).containsEntry("app", "x");
  }

  @Test
  void dropsAnnotations() {
    CachedObject<ConfigMap> map = decode(Transform.dropAnnotations("dropped"));
    assertThat(map.metadata().getAnnotations()).containsOnlyKeys("kept");
  }

  private static final String POD =
      """
      {"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","labels":{"app":"x"}},
       "spec":{"nodeName":"n","containers":[{"name":"a","args":["1"],"env":[1],"image":"i"},{"name":"b"}]},
       "status":{"phase":"Running","podIP":"10.0.0.1"}}"""
          .replaceAll("\\s", "");

  private static String pod(Transform transform) {
    byte[] bytes = POD.getBytes(StandardCharsets.UTF_8);
    byte[] changed =
        new ObjectDecoder<>(ObjectCodec.of(Pod.class), transform)
            .decode(bytes, 0, bytes.length)
            .json();
    return new String(changed, StandardCharsets.UTF_8);
  }

  /** A path goes into each element of a list. */
  @Test
  void dropsAndKeepsWhatIsDeeper() {
    assertThat(pod(Transform.dropFields("spec.containers.env", "status.podIP", "spec.x.y")))
        .isEqualTo(POD.replace("\"env\":[1],", "").replace(",\"podIP\":\"10.0.0.1\"", ""));
    assertThat(pod(Transform.keepFields("spec.containers.name", "status", "status.phase", "x")))
        .endsWith(
            "\"spec\":{\"containers\":[{\"name\":\"a\"},{\"name\":\"b\"}]},\"status\":"
                + "{\"phase\":\"Running\",\"podIP\":\"10.0.0.1\"}}");
    assertThat(pod(Transform.keepFields("spec.nodeName.more", "metadata")))
        .as("what is not named does not stay")
        .isEqualTo(POD.substring(0, POD.indexOf("\"spec\"")) + "\"spec\":{}}");
    assertThat(pod(Transform.keepFields("spec.containers.args.x")))
        .endsWith("\"spec\":{\"containers\":[{\"args\":[]},{}]}}");
    assertThat(pod(Transform.dropFields("metadata.labels"))).doesNotContain("app");
  }

  /** Then two users of a type share one cache. */
  @Test
  void isEqualToWhatDoesTheSame() {
    assertThat(Transform.dropFields("spec", "status"))
        .isEqualTo(Transform.dropFields("status", "spec"))
        .isNotEqualTo(Transform.dropFields("spec"))
        .isNotEqualTo(Transform.keepFields("spec", "status"));
    assertThat(Transform.dropFields("a").then(Transform.dropAnnotations("b")))
        .isEqualTo(Transform.dropFields("a").then(Transform.dropAnnotations("b")));
  }

  @Test
  void knowsWhetherItKeepsTheStatus() {
    assertThat(Transform.dropFields("spec").keepsStatus()).isTrue();
    assertThat(Transform.dropFields("spec", "status.podIP").keepsStatus()).isFalse();
    assertThat(Transform.keepFields("status").keepsStatus()).isTrue();
    assertThat(Transform.keepFields("status.phase").keepsStatus()).isFalse();
    assertThat(Transform.dropAnnotations("status").keepsStatus()).isTrue();
    assertThat(Transform.dropFields("spec").then(Transform.NONE).keepsStatus()).isTrue();
    assertThat(Transform.dropFields("spec").then(tree -> {}).keepsStatus()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                       | names separated by dots
          spec..env                | names separated by dots
          .spec                    | names separated by dots
          spec.containers[*].env   | write spec.containers.env for
          /spec/containers         | covers each element of a list
          metadata                 | it identifies the object
          kind                     | it identifies the object
          metadata.uid             | it identifies the object
          """)
  void refusesWhatIsNoPath(String path, String why) {
    assertThatThrownBy(() -> Transform.dropFields(path))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + path + "'")
        .hasMessageContaining(why);
  }

  @Test
  void refusesToKeepAPartOfTheMetadataAndNothingAtAll() {
    assertThatThrownBy(() -> Transform.keepFields("metadata.labels"))
        .hasMessageContaining("'metadata.labels' can't be kept alone");
    assertThatThrownBy(Transform::keepFields).hasMessageContaining("keepFields() without");
    assertThatThrownBy(Transform::dropFields).hasMessageContaining("dropFields() without");
    assertThatThrownBy(Transform::dropAnnotations).hasMessageContaining("dropAnnotations()");
  }

  @Test
  void appliesOneAfterTheOther() {
    Transform both =
        Transform.dropFields("data").then(tree -> tree.set(tree.has("data"), "immutable"));
    assertThat(decode(both).decode().getImmutable()).isFalse();
  }

  /** The machine and the typed object agree. */
  @Test
  void changesLabelsForTheMachineToo() {
    CachedObject<ConfigMap> map =
        decode(tree -> tree.set(Map.of("app", "y", "new", "z"), "metadata", "labels"));
    assertThat(map.labels()).isEqualTo(Map.of("app", "y", "new", "z"));
    assertThat(map.decode().getMetadata().getLabels()).isEqualTo(map.labels());
  }

  @Test
  void leavesManagedFieldsOutAsEver() {
    assertThat(decode(tree -> {}).metadata().getManagedFields()).isEmpty();
  }

  /** It may have been meant to remove a secret; other objects are unaffected. */
  @ParameterizedTest
  @ValueSource(strings = {"throws", "error", "no name", "other name", "other uid", "other version"})
  void keepsTheMetadataAloneOfAnObjectOnWhichItFails(String how) {
    CachedObject<ConfigMap> map =
        decode(
            tree -> {
              switch (how) {
                case "throws" -> throw new IllegalStateException("CANARY");
                case "error" -> throw new StackOverflowError();
                case "no name" -> tree.remove("metadata", "name");
                case "other name" -> tree.set("b", "metadata", "name");
                case "other uid" -> tree.set("v", "metadata", "uid");
                default -> tree.set("6", "metadata", "resourceVersion");
              }
            });
    assertThat(map.key()).isEqualTo(ObjectKey.of("n", "a"));
    assertThat(map.resourceVersion()).isEqualTo("5");
    assertThat(map.labels()).containsEntry("app", "x");
    assertThat(map.hasContent()).isFalse();
    assertThat(new String(map.json(), StandardCharsets.UTF_8)).doesNotContain("CANARY");
    assertThatThrownBy(map::decode)
        .isInstanceOf(UndecodableException.class)
        .hasMessageContaining("n/a");
    assertThat(codec.failures()).isGreaterThanOrEqualTo(1);
  }

  @Test
  void walksTrees() {
    ObjectTree tree =
        ObjectTree.parse(
            "{\"a\":{\"b\":[{\"c\":1},{\"c\":true}]},\"n\":null}".getBytes(StandardCharsets.UTF_8),
            0,
            41);
    assertThat(tree.text("a", "b", "0", "c")).contains("1");
    assertThat(tree.text("a", "b", "1", "c")).contains("true");
    assertThat(tree.text("a", "b", "2", "c")).isEmpty();
    assertThat(tree.text("n")).isEmpty();
    assertThat(tree.has("n")).isTrue();
    assertThat(tree.has("x")).isFalse();
    assertThat(tree.size("a", "b")).isEqualTo(2);
    tree.remove("a", "b", "0");
    assertThat(tree.size("a", "b")).isEqualTo(1);
    tree.remove("x", "y", "z");
    tree.set(List.of("v"), "x", "y");
    assertThat(tree.text("x", "y", "0")).contains("v");
    assertThat(tree.fields()).containsExactly("a", "n", "x");
    assertThatThrownBy(() -> tree.set("v", "a", "b", "c"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a.b.c")
        .hasMessageContaining("'b'");
    assertThatThrownBy(tree::remove).isInstanceOf(IllegalArgumentException.class);
  }
}
