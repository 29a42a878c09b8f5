// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion.review;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.logging.OneLine;
import dev.windlass.object.ObjectSerialization;
import dev.windlass.webhook.conversion.Conversion;
import dev.windlass.webhook.server.MalformedRequestException;
import dev.windlass.webhook.server.RequestHandler;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Responds to the ConversionReviews for all kinds that share a path. This class is thread-safe.
 *
 * <p>All objects in a request are of the same kind. A request usually contains a single object,
 * because the API server converts each object when it decodes the object from etcd. If the API
 * server converts a list, the request contains all items that do not have the desired version yet
 * ({@code webhook_converter.go}). An object in a request is never a list. The response contains all
 * converted objects in the order of the request, or a failure that names the first object that
 * cannot be converted.
 */
public final class ConversionHandler implements RequestHandler {

  private static final Logger log = LoggerFactory.getLogger(ConversionHandler.class);

  /**
   * The version of ConversionReview. API servers use no other version, because Windlass lists only
   * this one in {@code conversionReviewVersions}.
   */
  private static final String API_VERSION = "apiextensions.k8s.io/v1";

  private static final String KIND = "ConversionReview";

  /** The maximum length of an apiVersion in a message. */
  static final int LONGEST_VERSION = 256;

  /** The maximum number of different problems that are logged as warnings. */
  private static final int MAX_WARNINGS = 100;

  /** The converters, keyed by kind and group, such as {@code Tool.example.com}. */
  private final Map<String, KindConverter<?>> converters = new HashMap<>();

  /** The problems that have been logged as warnings. */
  private final Set<String> warned = ConcurrentHashMap.newKeySet();

  /**
   * Creates a handler for the given conversions.
   *
   * @param serialization converts the typed objects to JSON and back
   * @throws IllegalArgumentException if two of them are for the same kind
   */
  public ConversionHandler(
      Collection<? extends Conversion<?>> conversions, ObjectSerialization serialization) {
    for (Conversion<?> conversion : conversions) {
      String kind = conversion.type().kind() + "." + conversion.type().group();
      if (converters.put(kind, converter(conversion, serialization)) != null) {
        throw new IllegalArgumentException("there are two conversions of " + kind);
      }
    }
  }

  private static <H extends HasMetadata> KindConverter<H> converter(
      Conversion<H> conversion, ObjectSerialization serialization) {
    return new KindConverter<>(conversion, serialization);
  }

  @Override
  public byte[] handle(byte[] body) throws MalformedRequestException, InterruptedException {
    JsonNode request = request(body);
    String desired = request.get("desiredAPIVersion").textValue();
    ObjectNode review = JsonNodeFactory.instance.objectNode();
    review.put("apiVersion", API_VERSION).put("kind", KIND);
    ObjectNode response = review.putObject("response");
    response.set("uid", request.get("uid"));
    ArrayNode converted = response.arrayNode();
    for (JsonNode object : request.get("objects")) {
      if (Thread.interrupted()) {
        throw new InterruptedException("the request has timed out");
      }
      try {
        converted.add(convert((ObjectNode) object, desired));
      } catch (ConversionFailure e) {
        String message = message(object, desired, e);
        response.putObject("result").put("status", "Failure").put("message", message);
        return ObjectJson.write(review);
      }
    }
    response.set("convertedObjects", converted);
    response.putObject("result").put("status", "Success");
    return ObjectJson.write(review);
  }

  /** Returns the request of a ConversionReview that an API server could have sent. */
  private static JsonNode request(byte[] body) throws MalformedRequestException {
    ObjectNode review;
    try {
      review = ObjectJson.parse(body);
    } catch (IOException e) { // its message quotes the body
      throw new MalformedRequestException("the body is not a JSON object, or nested too deeply");
    }
    require(
        text(review, "apiVersion").equals(API_VERSION) && text(review, "kind").equals(KIND),
        "the body is not a ConversionReview of " + API_VERSION);
    JsonNode request = review.path("request");
    require(!text(request, "uid").isEmpty(), "the request has no uid");
    require(!text(request, "desiredAPIVersion").isEmpty(), "the request has no desiredAPIVersion");
    require(request.path("objects").isArray(), "the request has no list of objects");
    for (JsonNode object : request.get("objects")) {
      require(
          !text(object, "apiVersion").isEmpty() && !text(object, "kind").isEmpty(),
          "an object has no apiVersion or no kind");
      require(
          !object.has("metadata") || object.get("metadata").isObject(),
          "the metadata of an object is not a JSON object");
    }
    return request;
  }

  private static String text(JsonNode object, String field) {
    String value = object.path(field).textValue();
    return value == null ? "" : value;
  }

  private static void require(boolean condition, String message) throws MalformedRequestException {
    if (!condition) {
      throw new MalformedRequestException(message);
    }
  }

  private JsonNode convert(ObjectNode object, String desired) throws ConversionFailure {
    String version = text(object, "apiVersion");
    if (version.equals(desired)) {
      return object;
    }
    int slash = version.indexOf('/');
    String group = slash < 0 ? "" : version.substring(0, slash);
    KindConverter<?> converter = converters.get(text(object, "kind") + "." + group);
    if (converter == null) {
      throw new ConversionFailure("this program does not declare a conversion of its kind", null);
    }
    return converter.convert(object, desired);
  }

  /** Returns the message for a failure, and logs it. */
  private String message(JsonNode object, String desired, ConversionFailure failure) {
    String change =
        "from "
            + OneLine.of(text(object, "apiVersion"), LONGEST_VERSION)
            + " to "
            + OneLine.of(desired, LONGEST_VERSION);
    String message =
        ObjectJson.name(object) + " can't be converted " + change + ": " + failure.getMessage();
    log(text(object, "kind") + " " + change + ": " + failure.getMessage(), message, failure);
    return message;
  }

  /**
   * Logs the first occurrence of a problem as a warning, and further occurrences at the debug
   * level. After {@link #MAX_WARNINGS} different problems, logs all problems at the debug level.
   */
  private void log(String problem, String message, ConversionFailure failure) {
    if (warned.size() < MAX_WARNINGS && warned.add(problem)) {
      log.warn(
          "{}. Further failures with this cause are logged at DEBUG", message, failure.getCause());
    } else {
      log.debug("{}", message, failure.getCause());
    }
  }
}
