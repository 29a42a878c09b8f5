// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion.review;

import static dev.windlass.webhook.conversion.review.Reviews.json;
import static dev.windlass.webhook.conversion.review.Reviews.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.object.ObjectSerialization;
import dev.windlass.webhook.conversion.Conversion;
import dev.windlass.webhook.conversion.ToolV1;
import dev.windlass.webhook.conversion.ToolV2;
import dev.windlass.webhook.conversion.ToolV2beta1;
import dev.windlass.webhook.conversion.ToolVersions;
import dev.windlass.webhook.server.MalformedRequestException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ConversionHandlerTest {

  private static final String METADATA =
      json(
          "{ 'name':'web','namespace':'shop','uid':'7','resourceVersion':'12','labels':{'a':'b'},"
              + "'annotations':{'x':'é\\u0041'},'future':{'n':1.0e2},"
              + "'managedFields':[{'manager':'m','fieldsV1':{'f:spec':{}}}]}");

  private static final String V1 =
      json("{'apiVersion':'example.com/v1','kind':'Tool','metadata':")
          + METADATA
          + json(",'spec':{'address':'db:5432','size':3,'parts':['a','b']}}");

  private final Reviews reviews = new Reviews(ToolVersions.CONVERSION);

  private static String tool(String version, String name, String spec) {
    return json(
        "{'kind':'Tool','metadata':{'name':'%s','namespace':'shop'},'apiVersion':'example.com/%s',"
                .formatted(name, version)
            + "'spec':"
            + spec
            + "}");
  }

  @Test
  void convertsASpokeToTheHubAndBack() throws Exception {
    JsonNode hub = reviews.convert("example.com/v2", V1);
    assertThat(hub.get("apiVersion").asText()).isEqualTo("example.com/v2");
    assertThat(hub.get("kind").asText()).isEqualTo("Tool");
    assertThat(hub.get("spec"))
        .isEqualTo(
            read(
                json(
                    "{'host':'db','port':5432,'size':3,"
                        + "'parts':[{'name':'a'},{'name':'b'}]}")));
    assertThat(reviews.convert("example.com/v1", hub.toString())).isEqualTo(read(V1));
  }

  @Test
  void keepsTheMetadata() throws Exception {
    assertThat(reviews.convert("example.com/v2", V1).get("metadata")).isEqualTo(read(METADATA));
  }

  @Test
  void keepsTheDigitsOfNumbersThatNoClassDeclares() throws Exception {
    String number = "-123456789012345678901234567890";
    String exact = "{\"extra\":[" + number + "," + number + ".1234567890,1.50]}";
    assertThat(reviews.answer("example.com/v2", tool("v1", "web", exact))).contains(exact);
    assertThat(reviews.answer("example.com/v2beta1", tool("v2", "web", exact))).contains(exact);
  }

  @Test
  void replacesOnlyTheVersionBetweenVersionsWithTheSameFields() throws Exception {
    String v2 = V1.replace("/v1", "/v2").replace("\"size\":3", "\"unknown\":[ 1e3 ] ");
    String beta = v2.replace("example.com/v2", "example.com/v2beta1");
    assertThat(reviews.convert("example.com/v2beta1", v2)).isEqualTo(read(beta));
    assertThat(reviews.convert("example.com/v2", beta)).isEqualTo(read(v2));
  }

  @Test
  void convertsBetweenASpokeAndAVersionWithTheFieldsOfTheHub() throws Exception {
    JsonNode beta = reviews.convert("example.com/v2beta1", V1);
    assertThat(beta.get("apiVersion").asText()).isEqualTo("example.com/v2beta1");
    assertThat(beta.get("spec").get("host").asText()).isEqualTo("db");
    assertThat(reviews.convert("example.com/v1", beta.toString())).isEqualTo(read(V1));
  }

  @Test
  void convertsThroughTheHubBetweenTwoSpokes() throws Exception {
    Conversion<ToolV2beta1> through =
        Conversion.hub(ToolV2beta1.class)
            .spoke(ToolV1.class, ConversionHandlerTest::beta, ConversionHandlerTest::first)
            .spoke(ToolV2.class, ConversionHandlerTest::beta, ConversionHandlerTest::second);
    JsonNode second = new Reviews(through).convert("example.com/v2", V1);
    assertThat(second).isEqualTo(reviews.convert("example.com/v2", V1));
  }

  private static ToolV2beta1 beta(ToolV1 tool) {
    return beta(ToolVersions.fromV1(tool));
  }

  private static ToolV2beta1 beta(ToolV2 tool) {
    ToolV2beta1 beta = new ToolV2beta1();
    beta.setSpec(tool.getSpec());
    return beta;
  }

  private static ToolV1 first(ToolV2beta1 beta) {
    return ToolVersions.toV1(second(beta));
  }

  private static ToolV2 second(ToolV2beta1 beta) {
    ToolV2 tool = new ToolV2();
    tool.setSpec(beta.getSpec());
    return tool;
  }

  @Test
  void passesObjectsThroughThatHaveTheDesiredVersion() throws Exception {
    String odd = json("{'apiVersion':'example.com/v2','kind':'Tool','metadata':{},'spec':7}");
    assertThat(reviews.answer("example.com/v2", V1, odd, V1)).contains("," + odd + ",");
  }

  @Test
  void convertsThousandsOfObjectsInTheirOrder() throws Exception {
    String[] tools =
        IntStream.range(0, 3000)
            .mapToObj(i -> tool("v1", "tool-" + i, "{'size':" + i + "}"))
            .toArray(String[]::new);
    JsonNode converted = reviews.response("example.com/v2", tools).get("convertedObjects");
    assertThat(converted).hasSize(3000);
    for (int i = 0; i < 3000; i++) {
      assertThat(converted.get(i).get("spec").get("size").asInt()).isEqualTo(i);
      assertThat(converted.get(i).get("metadata").get("name").asText()).isEqualTo("tool-" + i);
    }
  }

  @Test
  void convertsObjectsWithoutASpecOrAName() throws Exception {
    String bare =
        json("{'apiVersion':'example.com/v1','kind':'Tool','metadata':{'generateName':'web-'}}");
    assertThat(reviews.convert("example.com/v2", bare)).isEqualTo(read(bare.replace("/v1", "/v2")));
    String withoutMetadata = json("{'apiVersion':'example.com/v1','kind':'Tool'}");
    assertThat(reviews.convert("example.com/v2", withoutMetadata).get("metadata")).isEmpty();
  }

  @Test
  void readsObjectsAsTheProgramDoes() throws Exception {
    byte[] answer =
        new ConversionHandler(
                List.of(ToolVersions.CONVERSION), ObjectSerialization.of(Reviews.shouting()))
            .handle(Reviews.review("example.com/v2", V1).getBytes(StandardCharsets.UTF_8));
    assertThat(new String(answer, StandardCharsets.UTF_8)).contains("\"host\":\"DB\"");
  }

  @Test
  void readsFieldsInAnyOrder() throws Exception {
    String review =
        json("{'request':{'objects':[%s],'x':[{}],'desiredAPIVersion':'example.com/v2','uid':'u'}")
                .formatted(V1)
            + json(",'apiVersion':'apiextensions.k8s.io/v1','kind':'ConversionReview'}");
    byte[] answer =
        new ConversionHandler(List.of(ToolVersions.CONVERSION), ObjectSerialization.DEFAULT)
            .handle(review.getBytes(StandardCharsets.UTF_8));
    assertThat(new String(answer, StandardCharsets.UTF_8)).contains("\"host\":\"db\"");
  }

  @Test
  void namesTheObjectThatCannotBeConvertedAndReturnsNone() throws Exception {
    String message =
        reviews.failure(
            "example.com/v2",
            tool("v1", "good", "{}"),
            tool("v1", "bad", "{'address':'s3cret'}"),
            tool("v1", "good", "{}"));
    assertThat(message)
        .isEqualTo(
            "Tool shop/bad can't be converted from example.com/v1 to example.com/v2:"
                + " spec.address has no port");
  }

  @Test
  void revealsOnlyTheClassOfAnyOtherException() throws Exception {
    assertThat(reviews.failure("example.com/v2", tool("v1", "bad", "{'address':'a:s3cret'}")))
        .endsWith(": the conversion function threw java.lang.NumberFormatException");
  }

  @Test
  void namesTheFieldThatDoesNotFitTheClassButNotItsValue() throws Exception {
    assertThat(reviews.failure("example.com/v2", tool("v1", "bad", "{'parts':['a',{'s3cret':1}]}")))
        .endsWith(": it does not fit " + ToolV1.class.getName() + " at spec.parts[1]");
  }

  @Test
  void rejectsAFunctionThatReturnsNull() throws Exception {
    Reviews broken =
        new Reviews(
            Conversion.hub(ToolV2.class).spoke(ToolV1.class, tool -> null, ToolVersions::toV1));
    assertThat(broken.failure("example.com/v2", V1))
        .endsWith("the conversion function returned null");
  }

  @Test
  void rejectsReviewsThatAreNestedTooDeeply() {
    String deep = "[".repeat(5000) + "]".repeat(5000);
    assertThatThrownBy(
            () -> reviews.answer("example.com/v2", tool("v1", "deep", "{'parts':" + deep + "}")))
        .isInstanceOf(MalformedRequestException.class)
        .hasMessageContaining("nested too deeply");
  }

  @Test
  void convertsDeeplyNestedFieldsThatNoClassDeclares() throws Exception {
    String deep = "[".repeat(900) + "]".repeat(900);
    assertThat(reviews.answer("example.com/v2", tool("v1", "deep", "{\"extra\":" + deep + "}")))
        .contains(deep);
  }

  @Test
  void namesTheVersionsThatItConverts() throws Exception {
    assertThat(reviews.failure("example.com/v3", V1))
        .endsWith(
            "this program does not convert example.com/v3;"
                + " it converts Tool.example.com (v2, v1, v2beta1)");
    assertThat(reviews.failure("example.com/v2", V1.replace("\"Tool\"", "\"Hammer\"")))
        .isEqualTo(
            "Hammer shop/web can't be converted from example.com/v1 to example.com/v2:"
                + " this program does not declare a conversion of its kind");
  }

  @Test
  void servesSeveralKindsAndRejectsTwoConversionsOfOne() {
    assertThatThrownBy(() -> new Reviews(ToolVersions.CONVERSION, ToolVersions.CONVERSION))
        .hasMessageContaining("two conversions of Tool.example.com");
  }

  @Test
  void endsWhenItsThreadIsInterrupted() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> reviews.answer("example.com/v2", V1))
        .isInstanceOf(InterruptedException.class);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "7",
        "[]",
        "{}",
        "{",
        "{'apiVersion':'apiextensions.k8s.io/v1','kind':'ConversionReview'}",
        "{'apiVersion':'apiextensions.k8s.io/v1beta1','kind':'ConversionReview','request':"
            + "{'uid':'u','desiredAPIVersion':'example.com/v2','objects':[]}}",
        "{'apiVersion':'apiextensions.k8s.io/v1','kind':'ConversionReview','request':"
            + "{'desiredAPIVersion':'example.com/v2','objects':[]}}",
        "{'apiVersion':'apiextensions.k8s.io/v1','kind':'ConversionReview','request':"
            + "{'uid':'u','objects':[]}}",
        "{'apiVersion':'apiextensions.k8s.io/v1','kind':'ConversionReview','request':"
            + "{'uid':'u','desiredAPIVersion':'example.com/v2'}}",
        "{'apiVersion':'apiextensions.k8s.io/v1','kind':'ConversionReview','request':"
            + "{'uid':'u','uid':'v','desiredAPIVersion':'example.com/v2','objects':[]}}",
        "{'apiVersion':'apiextensions.k8s.io/v1','kind':'ConversionReview','request':"
            + "{'uid':'u','desiredAPIVersion':'example.com/v2','objects':[1]}}",
        "{'apiVersion':'apiextensions.k8s.io/v1','kind':'ConversionReview','request':"
            + "{'uid':'u','desiredAPIVersion':'example.com/v2','objects':[{'kind':'Tool'}]}}",
        "{'apiVersion':'apiextensions.k8s.io/v1','kind':'ConversionReview','request':"
            + "{'uid':'u','desiredAPIVersion':'example.com/v2','objects':[]}} {}",
        "{'apiVersion':'apiextensions.k8s.io/v1','kind':'ConversionReview','request':"
            + "{'uid':'u','desiredAPIVersion':'example.com/v2','objects':[{'apiVersion':"
            + "'example.com/v1','kind':'Tool','metadata':{'name':'a','name':'b'}}]}}",
      })
  void rejectsBodiesThatNoApiServerSends(String body) {
    ConversionHandler handler =
        new ConversionHandler(List.of(ToolVersions.CONVERSION), ObjectSerialization.DEFAULT);
    assertThatThrownBy(() -> handler.handle(json(body).getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(MalformedRequestException.class)
        .hasMessageNotContaining("example");
    assertThatThrownBy(() -> handler.handle(json(body).getBytes(StandardCharsets.UTF_16LE)))
        .isInstanceOf(MalformedRequestException.class);
  }
}
