// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class AppliedEntriesTest {

  private static final String UPDATE = entry("me", "Update", "", "{\"f:data\":{}}", "1");
  private static final String MINE = entry("me", "Apply", "", "{\"f:data\":{\"f:a\":{}}}", "1");

  private static String entry(
      String manager, String operation, String subresource, String fields, String time) {
    return "{\"manager\":\"%s\",\"operation\":\"%s\",\"apiVersion\":\"v1\",\"time\":\"%s\",\"fieldsV1\":%s%s}"
        .formatted(
            manager,
            operation,
            time,
            fields,
            subresource.isEmpty() ? "" : ",\"subresource\":\"" + subresource + '"');
  }

  private static CachedObject<ConfigMap> decode(String... entries) {
    byte[] json =
        "{\"metadata\":{\"name\":\"a\",\"managedFields\":[%s],\"uid\":\"u\"},\"data\":{\"a\":\"1\"}}"
            .formatted(String.join(", ", entries))
            .getBytes(StandardCharsets.UTF_8);
    return new ObjectDecoder<>(ObjectCodec.of(ConfigMap.class)).decode(json, 0, json.length);
  }

  @Test
  void hasTheAppliesOfEachManagerAndSubresource() {
    String status = entry("me", "Apply", "status", "{\"f:status\":{}}", "1");
    CachedObject<ConfigMap> object = decode(UPDATE, MINE, status);
    assertThat(object.appliedBy("me", "")).isPresent();
    assertThat(object.appliedBy("me", "status")).isPresent();
    assertThat(object.appliedBy("me", "")).isNotEqualTo(object.appliedBy("me", "status"));
    assertThat(object.appliedBy("other", "")).isEmpty();
    assertThat(object.metadata().getManagedFields()).isNullOrEmpty();
    assertThat(object.decode().getData()).containsEntry("a", "1");
  }

  @Test
  void hasNoneOfUpdates() {
    assertThat(decode(UPDATE).appliedBy("me", "")).isEmpty();
    assertThat(decode().appliedBy("me", "")).isEmpty();
  }

  @Test
  void isTheSameWhateverOthersOwn() {
    String others = entry("other", "Apply", "", "{\"f:data\":{\"f:b\":{}}}", "2");
    assertThat(decode(others, MINE).appliedBy("me", ""))
        .isEqualTo(decode(MINE).appliedBy("me", ""));
  }

  @Test
  void tellsFieldsAndTimesApart() {
    AppliedEntry mine = decode(MINE).appliedBy("me", "").orElseThrow();
    AppliedEntry later =
        decode(entry("me", "Apply", "", "{\"f:data\":{\"f:a\":{}}}", "2"))
            .appliedBy("me", "")
            .orElseThrow();
    AppliedEntry more =
        decode(entry("me", "Apply", "", "{\"f:data\":{\"f:a\":{},\"f:b\":{}}}", "1"))
            .appliedBy("me", "")
            .orElseThrow();
    assertThat(later.fields()).isEqualTo(mine.fields());
    assertThat(later.time()).isNotEqualTo(mine.time());
    assertThat(more.fields()).isNotEqualTo(mine.fields());
    assertThat(more.time()).isEqualTo(mine.time());
  }
}
