// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion.review;

import static dev.windlass.webhook.conversion.review.Reviews.json;
import static dev.windlass.webhook.conversion.review.Reviews.read;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.webhook.conversion.Conversion;
import dev.windlass.webhook.conversion.ToolV1;
import dev.windlass.webhook.conversion.ToolV2;
import dev.windlass.webhook.conversion.ToolVersions;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What the functions of a program can change in the metadata, and what they can't. */
final class MetadataTest {

  private static final String TOOL =
      json(
          "{'apiVersion':'example.com/v1','kind':'Tool','metadata':{'labels':{'a':'1','b':'2'},"
              + "'name':'web', 'namespace' : 'shop','uid':'7','annotations':{'c':'3'},'x':[{}]}}");

  /** Returns the metadata after a conversion by a function that returns the given metadata. */
  private static JsonNode metadata(Function<ObjectMeta, ObjectMeta> function) throws Exception {
    Conversion<ToolV2> conversion =
        Conversion.hub(ToolV2.class)
            .spoke(
                ToolV1.class,
                tool -> {
                  ToolV2 hub = new ToolV2();
                  hub.setMetadata(function.apply(tool.getMetadata()));
                  return hub;
                },
                ToolVersions::toV1);
    return new Reviews(conversion).convert("example.com/v2", TOOL).get("metadata");
  }

  private static JsonNode expected(String labels, String annotations) throws Exception {
    return read(
        json(
            "{'labels':%s,'name':'web','namespace':'shop','uid':'7','annotations':%s,'x':[{}]}"
                .formatted(labels, annotations)));
  }

  @Test
  void staysAsItIsWithoutMetadata() throws Exception {
    JsonNode same = expected("{'a':'1','b':'2'}", "{'c':'3'}");
    assertThat(metadata(source -> null)).isEqualTo(same);
    assertThat(metadata(source -> new ObjectMeta())).isEqualTo(same);
    assertThat(metadata(source -> source)).isEqualTo(same);
  }

  @Test
  void getsTheLabelsAndAnnotationsOfNewMetadata() throws Exception {
    assertThat(
            metadata(
                source ->
                    new ObjectMetaBuilder()
                        .addToLabels(Map.of("a", "changed", "d", "4"))
                        .addToAnnotations("e", "5")
                        .build()))
        .isEqualTo(expected("{'a':'changed','b':'2','d':'4'}", "{'c':'3','e':'5'}"));
  }

  @Test
  void hasTheLabelsAndAnnotationsOfAChangedCopy() throws Exception {
    assertThat(
            metadata(
                source -> {
                  source.getLabels().remove("a");
                  source.getAnnotations().put("e", "5");
                  return source;
                }))
        .isEqualTo(expected("{'b':'2'}", "{'c':'3','e':'5'}"));
    JsonNode without =
        metadata(source -> new ObjectMetaBuilder().withName(source.getName()).build());
    assertThat(without.has("labels")).isFalse();
    assertThat(without.has("annotations")).isFalse();
    assertThat(without).hasSize(4);
  }

  @Test
  void ignoresAllOtherChanges() throws Exception {
    assertThat(
            metadata(
                source -> {
                  source.setName("other");
                  source.setUid("8");
                  source.setFinalizers(null);
                  return source;
                }))
        .isEqualTo(expected("{'a':'1','b':'2'}", "{'c':'3'}"));
  }

  @Test
  void isSeenByTheFunctions() throws Exception {
    metadata(
        source -> {
          assertThat(source.getName()).isEqualTo("web");
          assertThat(source.getLabels()).containsEntry("b", "2");
          return source;
        });
  }
}
