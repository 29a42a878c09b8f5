// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
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
    assertThat(later.stamp()).isNotEqualTo(mine.stamp());
    assertThat(more.fields()).isNotEqualTo(mine.fields());
    assertThat(more.stamp()).isEqualTo(mine.stamp());
  }

  @BeforeAll
  static void keepsTheFieldsOfOne() {
    AppliedEntry.keepFields("me", false);
  }

  /** In a cluster, many managers apply; only their hashes are kept. */
  @Test
  void keepsNoTextOfOthers() {
    CachedObject<ConfigMap> object = decode(entry("other", "Apply", "", "{\"f:a\":{}}", "1"), MINE);
    assertThat(object.appliedBy("other", "").orElseThrow().tree()).isNull();
    assertThat(object.appliedBy("me", "").orElseThrow().tree()).isNotNull();
  }

  /** Objects that differ only in their owners share one text. */
  @Test
  void sharesTheTextOfFieldsWithoutUids() {
    String owned = "{\"f:ownerReferences\":{\"k:{\\\"uid\\\":\\\"%s\\\"}\":{}},\"f:a\":{}}";
    String one = tree(entry("me", "Apply", "", owned.formatted("1-2-3"), "1"));
    String other = tree(entry("me", "Apply", "", owned.formatted("4-5-6"), "1"));
    assertThat(one).isSameAs(other).isEqualTo("v1\n" + owned.formatted(""));
  }

  @Test
  void keepsNoLongText() {
    String name = "x".repeat(FieldsV1Pool.LONGEST);
    assertThat(tree(entry("me", "Apply", "", "{\"f:" + name + "\":{}}", "1"))).isNull();
  }

  @Test
  void keepsALimitedNumberOfTexts() {
    FieldsV1Pool trees = new FieldsV1Pool();
    for (int i = 0; i <= FieldsV1Pool.MOST; i++) {
      byte[] text = Integer.toString(i).getBytes(StandardCharsets.UTF_8);
      String kept = trees.of("v1", text, 0, text.length);
      assertThat(kept).isEqualTo(i < FieldsV1Pool.MOST ? "v1\n" + i : null);
    }
    assertThat(trees.of("v1", new byte[] {'0'}, 0, 1)).isEqualTo("v1\n0");
  }

  private static @Nullable String tree(String entry) {
    return decode(entry).appliedBy("me", "").orElseThrow().tree();
  }

  /** Field owners may be computed, such as one for each tenant. */
  @Test
  void keepsTheFieldsOfALimitedNumberOfManagers() {
    AppliedEntries.Appliers appliers = new AppliedEntries.Appliers(2);
    List.of("a", "b", "c", "a").forEach(each -> appliers.add(each, false));
    appliers.add("controller", true);
    assertThat(appliers.of("a")).isNotNull();
    assertThat(appliers.of("b")).isNotNull();
    assertThat(appliers.of("c")).isNull();
    assertThat(appliers.of("controller")).isNotNull();
  }
}
