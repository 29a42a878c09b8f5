// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion.review;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import dev.windlass.object.ObjectSerialization;
import dev.windlass.webhook.conversion.Conversion;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** Sends reviews to a handler and reads its responses. */
public final class Reviews {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final ConversionHandler handler;

  Reviews(Conversion<?>... conversions) {
    handler = new ConversionHandler(List.of(conversions), ObjectSerialization.DEFAULT);
  }

  /** Returns a serialization that reads each text in upper case. */
  public static KubernetesSerialization shouting() {
    SimpleModule module =
        new SimpleModule()
            .addDeserializer(
                String.class,
                new StdScalarDeserializer<>(String.class) {
                  private static final long serialVersionUID = 1L;

                  @Override
                  public String deserialize(JsonParser json, DeserializationContext context)
                      throws IOException {
                    return json.getText().toUpperCase(Locale.ROOT);
                  }
                });
    return new KubernetesSerialization(new ObjectMapper().registerModule(module), false);
  }

  /** Returns a review in the form in which the API server writes it. */
  static String review(String desired, String... objects) {
    return ("{'kind':'ConversionReview','apiVersion':'apiextensions.k8s.io/v1','request':"
                + "{'uid':'u-1','desiredAPIVersion':'"
                + desired
                + "','objects':[")
            .replace('\'', '"')
        + String.join(",", objects)
        + "]}}\n";
  }

  /** Returns the text of the response to a review of the given objects. */
  String answer(String desired, String... objects) throws Exception {
    byte[] body = review(desired, objects).getBytes(StandardCharsets.UTF_8);
    return new String(handler.handle(body), StandardCharsets.UTF_8);
  }

  /** Returns the response without its frame, after a check of the frame. */
  JsonNode response(String desired, String... objects) throws Exception {
    JsonNode review = read(answer(desired, objects));
    if (!review.path("kind").asText().equals("ConversionReview")
        || !review.path("apiVersion").asText().equals("apiextensions.k8s.io/v1")
        || !review.path("response").path("uid").asText().equals("u-1")) {
      throw new AssertionError("not the response to this review: " + review);
    }
    return review.get("response");
  }

  /** Converts one object, which must succeed. */
  JsonNode convert(String desired, String object) throws Exception {
    JsonNode response = response(desired, object);
    if (!response.path("result").path("status").asText().equals("Success")
        || response.path("convertedObjects").size() != 1) {
      throw new AssertionError("failed: " + response);
    }
    return response.get("convertedObjects").get(0);
  }

  /** Converts one object, which must fail, and returns the message. */
  String failure(String desired, String... objects) throws Exception {
    JsonNode response = response(desired, objects);
    if (!response.path("result").path("status").asText().equals("Failure")
        || response.has("convertedObjects")) {
      throw new AssertionError("did not fail: " + response);
    }
    return response.get("result").get("message").asText();
  }

  static JsonNode read(String json) throws IOException {
    return JSON.readTree(json);
  }

  /** Returns JSON that is written with single quotes. */
  static String json(String single) {
    return single.replace('\'', '"');
  }
}
