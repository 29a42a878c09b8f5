// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How much of an object is kept, and that what is kept comes back as it was. */
final class ProjectionTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String POD =
      """
      {"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-0","generateName":"web-",
       "namespace":"default","uid":"8f0f7c1e-33aa-4f5e-9a51-0d1f2e3a4b5c","resourceVersion":"1234",
       "generation":3,"creationTimestamp":"2026-01-01T00:00:00Z",
       "labels":{"app":"web","quote":"a\\"b\\\\c","empty":""},
       "annotations":{"note":"üñí😀\\u0000"},
       "ownerReferences":[{"apiVersion":"apps/v1","kind":"StatefulSet","name":"web","uid":"o",
         "controller":true,"blockOwnerDeletion":true}],
       "finalizers":["a/b"],
       "managedFields":[{"manager":"x","fieldsV1":{"f:spec":{}}}]},
       "spec":{"nodeName":"n","containers":[{"name":"c","image":"i","command":["a","{","]"]}]},
       "status":{"phase":"Running","startTime":"2026-01-01T00:00:01.123456Z"}}""";

  private static CachedObject<Pod> decode(Projection projection, String json) {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    ObjectCodec<Pod> codec = ObjectCodec.of(Pod.class).with(projection);
    return new ObjectDecoder<>(codec).decode(bytes, 0, bytes.length);
  }

  private static ObjectNode tree(String json) throws IOException {
    return (ObjectNode) JSON.readTree(json);
  }

  @Test
  void keepsEverythingInFull() throws IOException {
    CachedObject<Pod> pod = decode(Projection.FULL, POD);
    assertThat(JSON.readTree(pod.json())).isEqualTo(tree(POD));
    assertThat(pod.decode().getMetadata().getManagedFields()).hasSize(1);
  }

  @Test
  void keepsEverythingButManagedFieldsByDefault() throws IOException {
    ObjectNode expected = tree(POD);
    ((ObjectNode) expected.path("metadata")).remove("managedFields");
    CachedObject<Pod> pod = decode(Projection.STRIPPED, POD);
    assertThat(JSON.readTree(pod.json())).isEqualTo(expected);
    assertThat(ObjectCodec.of(Pod.class).projection()).isEqualTo(Projection.STRIPPED);
  }

  @Test
  void keepsTheMetadataAlone() throws IOException {
    ObjectNode expected = tree(POD);
    ((ObjectNode) expected.path("metadata")).remove("managedFields");
    expected.remove("spec");
    expected.remove("status");
    CachedObject<Pod> pod = decode(Projection.METADATA, POD);
    assertThat(JSON.readTree(pod.json())).isEqualTo(expected);
    assertThat(pod.metadata().getFinalizers()).containsExactly("a/b");
    assertThat(pod.metadata().getAnnotations()).containsEntry("note", "üñí😀\u0000");
  }

  /** What the server sends when it is asked for metadata calls itself something else. */
  @Test
  void givesMetadataTheKindOfTheType() throws IOException {
    CachedObject<Pod> pod =
        decode(
            Projection.METADATA,
            """
            {"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1",
             "metadata":{"name":"web-0"}}""");
    assertThat(JSON.readTree(pod.json()))
        .isEqualTo(
            tree("{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"web-0\"}}"));
  }

  @Test
  void refusesToMakeATypedObjectOfMetadata() {
    CachedObject<Pod> pod = decode(Projection.METADATA, POD);
    assertThat(pod.hasContent()).isFalse();
    assertThatThrownBy(pod::decode)
        .isInstanceOf(NotCachedException.class)
        .hasMessageContaining("Pod default/web-0")
        .hasMessageContaining("Projection.METADATA");
    assertThatThrownBy(pod::readOnly).isInstanceOf(NotCachedException.class);
  }

  @ParameterizedTest
  @EnumSource(Projection.class)
  void readsTheMachinesFieldsInAnyCase(Projection projection) {
    CachedObject<Pod> pod = decode(projection, POD);
    assertThat(pod.key()).isEqualTo(ObjectKey.of("default", "web-0"));
    assertThat(pod.uid()).isEqualTo("8f0f7c1e-33aa-4f5e-9a51-0d1f2e3a4b5c");
    assertThat(pod.resourceVersion()).isEqualTo("1234");
    assertThat(pod.version()).isEqualTo(1234);
    assertThat(pod.generation()).isEqualTo(3);
    assertThat(pod.labels()).isEqualTo(Map.of("app", "web", "quote", "a\"b\\c", "empty", ""));
    assertThat(pod.controllerOwner())
        .contains(new OwnerRef("apps/v1", "StatefulSet", "web", "o", true));
  }

  /** The bytes are fewer than those of the JSON without managedFields, by what stands beside. */
  @Test
  void holdsWhatTheMachineNeedsOnce() throws IOException {
    ObjectNode stripped = tree(POD);
    ((ObjectNode) stripped.path("metadata")).remove("managedFields");
    String json = JSON.writeValueAsString(stripped);
    int whole = json.getBytes(StandardCharsets.UTF_8).length;
    CachedObject<Pod> pod = decode(Projection.STRIPPED, json);
    assertThat(pod.sizeInBytes()).isLessThan(whole - 180);
    assertThat(pod.json()).hasSize(whole);
  }

  @Test
  void readsTypesWithoutAClass() {
    ResourceType type = new ResourceType("example.com", "v1", "widgets", "Widget", true);
    byte[] json =
        "{\"metadata\":{\"name\":\"w\",\"namespace\":\"n\"},\"spec\":{\"size\":9007199254740993}}"
            .getBytes(StandardCharsets.UTF_8);
    GenericKubernetesResource widget =
        new ObjectDecoder<>(ObjectCodec.of(type)).decode(json, 0, json.length).decode();
    assertThat(widget.getKind()).isEqualTo("Widget");
    assertThat(widget.getApiVersion()).isEqualTo("example.com/v1");
    assertThat(widget.<Object>get("spec", "size")).isEqualTo(9007199254740993L);
  }

  @Test
  void sharesOneInstanceOfStringsThatRepeat() {
    CachedObject<Pod> one = decode(Projection.STRIPPED, POD);
    CachedObject<Pod> other = decode(Projection.STRIPPED, POD.replace("web-0", "web-1"));
    assertThat(one.key().namespace()).isSameAs(other.key().namespace());
    assertThat(one.labels()).isSameAs(other.labels());
    assertThat(one.owners().get(0).kind()).isSameAs(other.owners().get(0).kind());
    assertThat(one.owners().get(0).name()).isSameAs(other.owners().get(0).name());
  }

  @Test
  void sharesAReadOnlyObjectAndNoOther() {
    CachedObject<Pod> pod = decode(Projection.STRIPPED, POD);
    assertThat(pod.readOnly()).isSameAs(pod.readOnly());
    assertThat(pod.decode()).isNotSameAs(pod.decode()).isNotSameAs(pod.readOnly());
  }

  @Test
  void noticesThatASharedObjectWasChanged() {
    byte[] json = ConfigMaps.json("a", "u", "1").getBytes(StandardCharsets.UTF_8);
    ObjectCodec<ConfigMap> codec = ObjectCodec.of(ConfigMap.class);
    CachedObject<ConfigMap> object = new ObjectDecoder<>(codec).decode(json, 0, json.length);
    codec.detectMutations(true);
    object.readOnly();
    assertThat(object.readOnly().getData()).containsEntry("v", "1");
    object.readOnly().getData().put("v", "changed");
    assertThatThrownBy(object::readOnly)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("ConfigMap default/a")
        .hasMessageContaining("decode()");
    assertThat(object.decode().getData()).containsEntry("v", "1");
  }

  @Test
  void countsTypedObjectsAndThoseThatCouldNotBeMade() {
    ObjectCodec<Pod> codec = ObjectCodec.of(Pod.class);
    byte[] json =
        "{\"metadata\":{\"name\":\"a\"},\"spec\":\"text\"}".getBytes(StandardCharsets.UTF_8);
    CachedObject<Pod> bad = new ObjectDecoder<>(codec).decode(json, 0, json.length);
    assertThat(codec.decoded()).isZero();
    assertThatThrownBy(bad::decode)
        .isInstanceOf(UndecodableException.class)
        .hasMessageContaining("at spec");
    assertThat(codec.failures()).isEqualTo(1);
    assertThat(bad.metadata().getName()).isEqualTo("a");
  }

  @Test
  void isEqualIfItMakesTheSameOfTheSameBytes() {
    ObjectCodec<Pod> codec = ObjectCodec.of(Pod.class);
    assertThat(codec)
        .isEqualTo(ObjectCodec.of(Pod.class))
        .hasSameHashCodeAs(ObjectCodec.of(Pod.class))
        .isNotEqualTo(codec.with(Projection.FULL))
        .isNotEqualTo(ObjectCodec.of(ConfigMap.class))
        .isNotEqualTo(ObjectCodec.of(codec.type()));
  }

  /** JSON of any shape, with fields in any order, comes back as it was. */
  @Test
  void bringsBackTheOddestObjects() throws IOException {
    for (String json :
        new String[] {
          "{\"metadata\":{\"name\":\"a\"}}",
          " { \"spec\" : { } , \"metadata\" : { \"name\" : \"a\" } } ",
          "{\"metadata\":{\"labels\":{},\"name\":\"a\",\"annotations\":{}},\"status\":[]}",
          "{\"a\":1,\"metadata\":{\"x\":1,\"name\":\"a\",\"y\":2,\"uid\":\"u\",\"z\":3},\"b\":2}",
          "{\"metadata\":{\"name\":\"a\",\"labels\":null,\"ownerReferences\":null}}",
          "{\"metadata\":{\"resourceVersion\":\"007\",\"name\":\"a\"}}",
          "{\"metadata\":{\"resourceVersion\":\"0\",\"uid\":\"8F0F7C1E-33AA-4F5E-9A51-0D1F2E3A4B5C\",\"name\":\"a\"}}"
        }) {
      ObjectNode expected = tree(json);
      expected.put("apiVersion", "v1").put("kind", "Pod");
      ObjectNode metadata = (ObjectNode) expected.path("metadata");
      if (metadata.path("labels").isObject() && metadata.path("labels").isEmpty()) {
        metadata.remove("labels"); // none or empty is the same
      }
      JsonNode actual = JSON.readTree(decode(Projection.STRIPPED, json).json());
      assertThat(actual).as(json).isEqualTo(expected);
    }
  }
}
