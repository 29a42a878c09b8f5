// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.object.ObjectSerialization;
import dev.windlass.object.ResourceType;
import dev.windlass.webhook.conversion.Conversion;
import dev.windlass.webhook.conversion.Conversion.Spoke;
import dev.windlass.webhook.conversion.review.ConversionHandler;
import dev.windlass.webhook.server.MalformedRequestException;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Converts objects in the same way as the API server does: by sending a ConversionReview to the
 * handler.
 *
 * @param <H> the class of the hub version
 */
final class ReviewedConversion<H extends HasMetadata> {

  private static final String UID = "round-trip";

  private final FieldTypes types;
  private final Conversion<H> conversion;
  private final ConversionHandler handler;

  ReviewedConversion(FieldTypes types, Conversion<H> conversion) {
    this.types = types;
    this.conversion = conversion;
    this.handler = new ConversionHandler(List.of(conversion), ObjectSerialization.DEFAULT);
  }

  /**
   * Converts an object.
   *
   * @throws AssertionError if the object cannot be converted. The cause is the exception that the
   *     conversion function has thrown, if any
   */
  ObjectNode convert(
      ObjectNode object, Class<? extends HasMetadata> from, Class<? extends HasMetadata> to) {
    JsonNode response = respond(object, ResourceType.of(to).apiVersion());
    if (!response.path("result").path("status").asText().equals("Success")) {
      Throwable cause = failure(object, from, to);
      throw new AssertionError(
          "fails: "
              + response.path("result").path("message").asText()
              + (cause == null ? "" : " (" + cause + ")"),
          cause);
    }
    return (ObjectNode) response.path("convertedObjects").path(0);
  }

  private JsonNode respond(ObjectNode object, String desired) {
    ObjectNode review = JsonNodeFactory.instance.objectNode();
    review.put("apiVersion", "apiextensions.k8s.io/v1").put("kind", "ConversionReview");
    ObjectNode request = review.putObject("request");
    request.put("uid", UID).put("desiredAPIVersion", desired).putArray("objects").add(object);
    try {
      return types.parse(handler.handle(types.bytes(review))).path("response");
    } catch (MalformedRequestException e) {
      throw new IllegalStateException("the review is malformed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the conversion was interrupted", e);
    }
  }

  /**
   * Calls the conversion functions directly and returns the exception that one of them throws, or
   * null if none does. The ConversionReview contains only a message instead of the exception.
   */
  private @Nullable Throwable failure(ObjectNode object, Class<?> from, Class<?> to) {
    try {
      Optional<Spoke<?, H>> source = spoke(from);
      H hub =
          source.isPresent() ? toHub(source.get(), object) : types.typed(object, conversion.hub());
      if (spoke(to).isPresent()) {
        var unused = spoke(to).get().fromHub().apply(hub);
      }
      return null;
    } catch (RuntimeException | Error e) {
      return e;
    }
  }

  private Optional<Spoke<?, H>> spoke(Class<?> version) {
    return conversion.spokes().stream().filter(spoke -> spoke.version() == version).findFirst();
  }

  private <S extends HasMetadata> H toHub(Spoke<S, H> spoke, ObjectNode object) {
    return spoke.toHub().apply(types.typed(object, spoke.version()));
  }
}
