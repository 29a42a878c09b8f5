// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object.patch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ObjectDecoder;
import dev.windlass.object.Projection;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ObjectDiffTest {

  private static CachedObject<ConfigMap> object(String fields) {
    String json = "{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"1\"}" + fields + "}";
    return decode(ObjectCodec.of(ConfigMap.class), json);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '\0',
      value = {
        ",\"data\":{\"a\":\"1\"}; ,\"data\":{\"a\":\"1\"};",
        ",\"data\":{\"a\":\"1\"}; ,\"data\":{\"a\":\"2\"}; data.a",
        ",\"data\":{\"a\":\"1\"}; ,\"data\":{}; data.a",
        ",\"b\":1,\"a\":1; ,\"b\":2,\"a\":2; a",
        ",\"a\":[1,{\"b\":1}]; ,\"a\":[1,{\"b\":2}]; a[1].b",
        ",\"a\":[1,2]; ,\"a\":[1]; a",
        ",\"a\":1; ,\"a\":\"1\"; a",
        ",\"a\":null; ,\"b\":null; a",
        ",\"a\":{\"b\":1}; ,\"a\":1; a",
      })
  void namesTheFirstPlaceInWhichTheyDiffer(String one, String other, String place) {
    assertThat(ObjectDiff.firstDifference(object(one), object(other)))
        .isEqualTo(java.util.Optional.ofNullable(place));
  }

  @ParameterizedTest
  @CsvSource({"resourceVersion", "managedFields", "generation"})
  void doesNotLookAtWhatTheServerKeepsForItself(String field) {
    CachedObject<ConfigMap> one = with(field, "1");
    CachedObject<ConfigMap> other = with(field, "2");
    assertThat(ObjectDiff.firstDifference(one, other)).isEmpty();
    assertThat(ObjectDiff.firstDifference(one, with("labels", "{\"a\":\"b\"}")))
        .contains("metadata.labels");
  }

  private static CachedObject<ConfigMap> with(String field, String value) {
    String quoted = field.equals("resourceVersion") ? "\"" + value + "\"" : value;
    String json = "{\"metadata\":{\"name\":\"a\",\"" + field + "\":" + quoted + "}}";
    return decode(ObjectCodec.of(ConfigMap.class).with(Projection.FULL), json);
  }

  private static CachedObject<ConfigMap> decode(ObjectCodec<ConfigMap> codec, String json) {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    return new ObjectDecoder<>(codec).decode(bytes, 0, bytes.length);
  }
}
