// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion.review;

import dev.windlass.logging.OneLine;
import dev.windlass.object.ObjectSerialization;
import dev.windlass.webhook.conversion.Conversion;
import dev.windlass.webhook.server.MalformedRequestException;
import dev.windlass.webhook.server.RequestHandler;
import io.fabric8.kubernetes.api.model.HasMetadata;
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
    ReviewRequest request = ReviewParser.parse(body);
    JsonOutput out = response(request, body.length).raw(",\"convertedObjects\":[");
    boolean first = true;
    for (RequestedObject object : request.objects()) {
      if (Thread.interrupted()) {
        throw new InterruptedException("the request has timed out");
      }
      if (!first) {
        out.raw(",");
      }
      first = false;
      try {
        convert(object, request.desiredApiVersion(), out);
      } catch (ConversionFailure e) {
        return failure(request, object, e);
      }
    }
    return out.raw("],\"result\":{\"status\":\"Success\"}}}").toByteArray();
  }

  private static JsonOutput response(ReviewRequest request, int size) {
    return new JsonOutput(size)
        .raw("{\"apiVersion\":")
        .value(ReviewRequest.API_VERSION)
        .raw(",\"kind\":")
        .value(ReviewRequest.KIND)
        .raw(",\"response\":{\"uid\":")
        .value(request.uid());
  }

  private void convert(RequestedObject object, String desired, JsonOutput out)
      throws ConversionFailure {
    if (object.apiVersion().equals(desired)) {
      out.copy(object.body(), object.range().from(), object.range().to());
      return;
    }
    int slash = object.apiVersion().indexOf('/');
    String group = slash < 0 ? "" : object.apiVersion().substring(0, slash);
    KindConverter<?> converter = converters.get(object.kind() + "." + group);
    if (converter == null) {
      throw new ConversionFailure("this program does not declare a conversion of its kind", null);
    }
    converter.convert(object, desired, out);
  }

  private byte[] failure(ReviewRequest request, RequestedObject object, ConversionFailure failure) {
    String change =
        "from "
            + OneLine.of(object.apiVersion(), 256)
            + " to "
            + OneLine.of(request.desiredApiVersion(), 256);
    String message = object + " can't be converted " + change + ": " + failure.getMessage();
    log(object.kind() + " " + change + ": " + failure.getMessage(), message, failure);
    return response(request, message.length() + 256)
        .raw(",\"result\":{\"status\":\"Failure\",\"message\":")
        .value(message)
        .raw("}}}")
        .toByteArray();
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
