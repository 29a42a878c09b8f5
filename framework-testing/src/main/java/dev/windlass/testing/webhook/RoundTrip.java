// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.object.ObjectSerialization;
import dev.windlass.object.ResourceType;
import dev.windlass.webhook.conversion.Conversion;
import dev.windlass.webhook.conversion.Conversion.Spoke;
import dev.windlass.webhook.conversion.review.ConversionHandler;
import dev.windlass.webhook.server.MalformedRequestException;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Converts objects of one version of a custom resource to another version and back, and compares
 * the results with the originals. As in the API server's own round-trip tests, an absent field,
 * null, an empty list and an empty map are equal.
 *
 * @param types the fields of the model classes
 * @param conversion the conversion to test
 * @param generator the generator of objects of the first version
 * @param from the class of the first version
 * @param to the class of the other version
 * @param losses the paths of the fields that the conversion may lose or change
 * @param <H> the class of the hub version
 */
record RoundTrip<H extends HasMetadata>(
    FieldTypes types,
    Conversion<H> conversion,
    ObjectGenerator generator,
    Class<? extends HasMetadata> from,
    Class<? extends HasMetadata> to,
    Set<String> losses) {

  /** The maximum length of a value in a description, in characters. */
  private static final int LONGEST_VALUE = 200;

  /**
   * Converts random objects to the other version and back. The first object has all optional fields
   * and the second has none. Each of the others has a random fraction of them.
   *
   * @param objects the number of objects
   * @throws AssertionError if an object cannot be converted, or if a round trip changes it
   */
  void check(int objects, long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < objects; i++) {
      double share = i == 0 ? 1 : i == 1 ? 0 : random.nextDouble();
      ObjectNode object = generator.generate(random, share);
      if (problem(object).isPresent()) {
        shrink(object, object);
        AssertionError problem = problem(object).orElseThrow();
        throw new AssertionError(
            "%s %s%nThe smallest object for which this happens (seed %d):%n%s%s"
                .formatted(
                    this, problem.getMessage(), seed, object.toPrettyString(), between(object)),
            problem.getCause());
      }
    }
  }

  /** Removes the fields and elements of a part without which the object still has a problem. */
  private void shrink(ObjectNode object, JsonNode part) {
    if (part instanceof ObjectNode fields) {
      for (String name : names(fields)) {
        JsonNode value = fields.get(name);
        if (!generator.isRequired(fields, name)) {
          fields.remove(name);
          if (problem(object).isPresent()) {
            continue;
          }
          fields.set(name, value);
        }
        shrink(object, value);
      }
    } else if (part instanceof ArrayNode list) {
      for (int i = list.size() - 1; i >= 0; i--) {
        JsonNode element = list.remove(i);
        if (problem(object).isEmpty()) {
          list.insert(i, element);
          shrink(object, element);
        }
      }
    }
  }

  private static Set<String> names(JsonNode object) {
    Set<String> names = new LinkedHashSet<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  /**
   * Returns the object in the other version as text for an error message, or an empty string if the
   * object cannot be converted.
   */
  private String between(ObjectNode object) {
    try {
      return "\nIn " + version(to) + ":\n" + convert(object, from, to).toPrettyString();
    } catch (AssertionError e) {
      return "";
    }
  }

  private Optional<AssertionError> problem(ObjectNode object) {
    try {
      ObjectNode before = without(types.canonical(object, from));
      difference("", without(object.deepCopy()), before, true)
          .ifPresent(
              lost -> {
                throw new AssertionError("fails: the class " + from.getName() + " " + lost);
              });
      ObjectNode there = convert(object, from, to);
      var unused = types.typed(there, to);
      ObjectNode back = convert(there, to, from);
      return difference("", before, without(types.canonical(back, from)), false)
          .map(AssertionError::new);
    } catch (AssertionError e) {
      return Optional.of(e);
    }
  }

  // ---- conversion

  /**
   * Converts an object as the API server does, by sending a ConversionReview to the handler.
   *
   * @throws AssertionError if the object cannot be converted. The cause is the exception that the
   *     conversion function has thrown, if any
   */
  private ObjectNode convert(ObjectNode object, Class<?> source, Class<?> target) {
    ObjectNode review = JsonNodeFactory.instance.objectNode();
    review.put("apiVersion", "apiextensions.k8s.io/v1").put("kind", "ConversionReview");
    ObjectNode request = review.putObject("request").put("uid", "round-trip");
    request.put(
        "desiredAPIVersion", HasMetadata.getApiVersion(target.asSubclass(HasMetadata.class)));
    request.putArray("objects").add(object);
    JsonNode response;
    try {
      byte[] body = review.toString().getBytes(StandardCharsets.UTF_8);
      var handler = new ConversionHandler(List.of(conversion), ObjectSerialization.DEFAULT);
      response = types.parse(handler.handle(body)).path("response");
    } catch (MalformedRequestException e) {
      throw new IllegalStateException("the review is malformed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the conversion was interrupted", e);
    }
    JsonNode result = response.path("result");
    if (!result.path("status").asText().equals("Success")) {
      Throwable cause = failure(object, source, target);
      String detail = cause == null ? "" : " (" + cause + ")";
      throw new AssertionError("fails: " + result.path("message").asText() + detail, cause);
    }
    return (ObjectNode) response.path("convertedObjects").path(0);
  }

  /**
   * Calls the conversion functions directly and returns the exception that one of them throws, or
   * null if none does. The ConversionReview contains only a message instead of the exception.
   */
  private @Nullable Throwable failure(ObjectNode object, Class<?> source, Class<?> target) {
    try {
      Optional<H> converted = spoke(source).map(spoke -> toHub(spoke, object));
      H hub = converted.orElseGet(() -> types.typed(object, conversion.hub()));
      var unused = spoke(target).map(spoke -> spoke.fromHub().apply(hub));
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

  // ---- comparison

  /** Removes the fields that may be lost, and objects that are empty without them. */
  private ObjectNode without(ObjectNode object) {
    for (String path : losses) {
      remove(object, List.of(path.replace("[]", ".[]").split("\\.")));
    }
    return object;
  }

  private static void remove(JsonNode node, List<String> path) {
    List<String> rest = path.subList(1, path.size());
    if (node instanceof ArrayNode list && path.get(0).equals("[]")) {
      list.forEach(element -> remove(element, rest));
    } else if (node instanceof ObjectNode object) {
      for (String name : path.get(0).equals("*") ? names(object) : Set.of(path.get(0))) {
        if (!rest.isEmpty()) {
          remove(object.path(name), rest);
        }
        if (rest.isEmpty() || (object.path(name).isObject() && object.path(name).isEmpty())) {
          object.remove(name);
        }
      }
    }
  }

  /**
   * Describes the first difference between two objects, if there is one.
   *
   * @param onlyLosses whether to find only values that are absent in the second object and not
   *     empty
   */
  private static Optional<String> difference(
      String path, @Nullable JsonNode before, @Nullable JsonNode after, boolean onlyLosses) {
    if (before == null ? after == null : before.equals(after)) {
      return Optional.empty();
    }
    if (before instanceof ObjectNode one && after instanceof ObjectNode other) {
      Set<String> names = names(one);
      names.addAll(names(other));
      return names.stream()
          .map(
              name ->
                  difference(
                      path.isEmpty() ? name : path + "." + name,
                      one.get(name),
                      other.get(name),
                      onlyLosses))
          .flatMap(Optional::stream)
          .findFirst();
    } else if (before instanceof ArrayNode one
        && after instanceof ArrayNode other
        && one.size() == other.size()) {
      for (int i = 0; i < one.size(); i++) {
        Optional<String> found =
            difference(path + "[" + i + "]", one.get(i), other.get(i), onlyLosses);
        if (found.isPresent()) {
          return found;
        }
      }
      return Optional.empty();
    }
    boolean isEmpty = before == null || (before.isContainerNode() && before.isEmpty());
    boolean isLoss = after == null && !isEmpty;
    return onlyLosses && !isLoss ? Optional.empty() : Optional.of(description(path, before, after));
  }

  private static String description(
      String path, @Nullable JsonNode before, @Nullable JsonNode after) {
    if (after == null) {
      return "loses " + path + ", which was " + value(before);
    } else if (before == null) {
      return "adds " + path + ", which is " + value(after);
    }
    return "changes " + path + " from " + value(before) + " to " + value(after);
  }

  private static String value(@Nullable JsonNode value) {
    String text = String.valueOf(value);
    return text.length() <= LONGEST_VALUE ? text : text.substring(0, LONGEST_VALUE) + "...";
  }

  private static String version(Class<? extends HasMetadata> version) {
    return ResourceType.of(version).version();
  }

  /** Returns the conversion path, such as {@code Tool v1 -> v2 -> v1}. */
  @Override
  public String toString() {
    String first = version(from);
    return ResourceType.of(from).kind() + " " + first + " -> " + version(to) + " -> " + first;
  }
}
