// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion.review;

import static dev.windlass.webhook.conversion.review.Reviews.json;
import static dev.windlass.webhook.conversion.review.Reviews.read;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.webhook.conversion.Conversion;
import dev.windlass.webhook.conversion.ToolVersions;
import org.junit.jupiter.api.Test;

final class LostFieldsTest {

  private static final String KEY = Conversion.HUB_ANNOTATION;

  private static final String LOSSY =
      json(
          "{'apiVersion':'example.com/v2','kind':'Tool','metadata':{'name':'web'},'spec':"
              + "{'host':'db','port':1,'size':3,'color':'red',"
              + "'parts':[{'name':'a','weight':1},{'name':'b','weight':2}]}}");

  private final Reviews reviews = new Reviews(ToolVersions.CONVERSION.keepingLostFields());

  private ObjectNode spoke() throws Exception {
    return (ObjectNode) reviews.convert("example.com/v1", LOSSY);
  }

  private JsonNode hub(JsonNode spoke) throws Exception {
    return reviews.convert("example.com/v2", spoke.toString());
  }

  @Test
  void losesThemUnlessAskedToKeepThem() throws Exception {
    Reviews lossy = new Reviews(ToolVersions.CONVERSION);
    JsonNode spoke = lossy.convert("example.com/v1", LOSSY);
    assertThat(spoke.get("metadata").has("annotations")).isFalse();
    assertThat(lossy.convert("example.com/v2", spoke.toString()).get("spec").has("color"))
        .isFalse();
  }

  @Test
  void restoresWhatTheSpokeCannotExpress() throws Exception {
    JsonNode spoke = spoke();
    assertThat(read(spoke.get("metadata").get("annotations").get(KEY).asText()))
        .isEqualTo(((ObjectNode) read(LOSSY)).retain("spec"));
    assertThat(hub(spoke)).isEqualTo(read(LOSSY));
  }

  @Test
  void keepsTheChangesOfTheSpokesClients() throws Exception {
    ObjectNode spoke = spoke();
    ((ObjectNode) spoke.get("spec")).put("size", 4).put("address", "other:2");
    assertThat(hub(spoke).get("spec"))
        .isEqualTo(
            read(
                json(
                    "{'host':'other','port':2,'size':4,'color':'red',"
                        + "'parts':[{'name':'a','weight':1},{'name':'b','weight':2}]}")));
  }

  @Test
  void restoresThemInElementsThatAreMovedButNotInNewOnes() throws Exception {
    ObjectNode spoke = spoke();
    ((ObjectNode) spoke.get("spec")).set("parts", read(json("['c','b','a']")));
    assertThat(hub(spoke).get("spec").get("parts"))
        .isEqualTo(read(json("[{'name':'c'},{'name':'b','weight':2},{'name':'a','weight':1}]")));
    ((ObjectNode) spoke.get("spec")).remove("parts");
    assertThat(hub(spoke).get("spec").has("parts")).isFalse();
  }

  @Test
  void addsNothingToAnObjectThatLosesNothing() throws Exception {
    String plain = LOSSY.replace("color", "size").replaceAll("\"size\":\"red\",", "");
    JsonNode spoke = reviews.convert("example.com/v1", plain.replaceAll(",\"weight\":[12]", ""));
    assertThat(spoke.get("metadata").has("annotations")).isFalse();
  }

  @Test
  void removesAnAnnotationThatIsNoLongerTrue() throws Exception {
    String plain =
        json(
            "{'apiVersion':'example.com/v2','kind':'Tool','metadata':{'name':'web','annotations':"
                + "{'"
                + KEY
                + "':'{}','kept':'1'}},'spec':{'size':3}}");
    assertThat(reviews.convert("example.com/v1", plain).get("metadata").get("annotations"))
        .isEqualTo(read(json("{'kept':'1'}")));
  }

  @Test
  void ignoresAnAnnotationThatDoesNotFit() throws Exception {
    for (String broken : new String[] {"", "{", "[]", "7", "{\"spec\":{\"port\":\"x\"}}", "null"}) {
      ObjectNode spoke = spoke();
      ((ObjectNode) spoke.get("metadata").get("annotations")).put(KEY, broken);
      JsonNode hub = hub(spoke);
      assertThat(hub.get("spec").get("host").asText()).as(broken).isEqualTo("db");
      assertThat(hub.get("spec").has("color")).as(broken).isFalse();
    }
  }

  @Test
  void saysWhenTheyDoNotFitIntoTheAnnotations() throws Exception {
    String big = LOSSY.replace("red", "r".repeat(300_000));
    assertThat(reviews.failure("example.com/v1", big))
        .startsWith("Tool web can't be converted")
        .endsWith("do not fit into the annotations, which can have 256 KiB");
  }
}
