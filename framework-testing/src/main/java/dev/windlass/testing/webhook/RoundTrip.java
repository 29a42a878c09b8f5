// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.object.ResourceType;
import dev.windlass.testing.webhook.TreeComparison.Difference;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Converts objects of one version of a custom resource to another version and back, and compares
 * the results with the originals.
 *
 * @param types the fields of the model classes
 * @param conversion the conversion to test
 * @param generator the generator of objects of the first version
 * @param from the class of the first version
 * @param to the class of the other version
 * @param losses the fields that the conversion may lose or change
 */
record RoundTrip(
    FieldTypes types,
    ReviewedConversion<?> conversion,
    ObjectGenerator generator,
    Class<? extends HasMetadata> from,
    Class<? extends HasMetadata> to,
    Set<FieldPath> losses) {

  /**
   * A failed round trip.
   *
   * @param text the description of the failure
   * @param cause the exception that caused it, if any
   */
  private record Problem(String text, @Nullable Throwable cause) {}

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
        throw report(object, seed);
      }
    }
  }

  private AssertionError report(ObjectNode object, long seed) {
    ObjectNode smallest =
        new TreeShrinker(candidate -> problem(candidate).isPresent(), generator::isRequired)
            .shrink(object);
    Problem problem = problem(smallest).orElseThrow();
    return new AssertionError(
        this
            + " "
            + problem.text()
            + "\nThe smallest object for which this happens (seed "
            + seed
            + "):\n"
            + types.text(smallest)
            + between(smallest),
        problem.cause());
  }

  /**
   * Returns the object in the other version as text for an error message, or an empty string if the
   * object cannot be converted.
   */
  private String between(ObjectNode object) {
    try {
      return "\nIn " + version(to) + ":\n" + types.text(conversion.convert(object, from, to));
    } catch (AssertionError e) {
      return "";
    }
  }

  private Optional<Problem> problem(ObjectNode object) {
    try {
      ObjectNode before = types.canonical(object, from);
      Optional<Difference> dropped =
          new TreeComparison(types, losses).compare(object, before, from);
      if (dropped.filter(Difference::isLoss).isPresent()) {
        return Optional.of(
            new Problem("fails: the class " + from.getName() + " " + dropped.get(), null));
      }
      ObjectNode there = conversion.convert(object, from, to);
      var unused = types.typed(there, to);
      ObjectNode back = conversion.convert(there, to, from);
      return new TreeComparison(types, losses)
          .compare(before, types.canonical(back, from), from)
          .map(difference -> new Problem(difference.toString(), null));
    } catch (AssertionError e) {
      return Optional.of(new Problem(String.valueOf(e.getMessage()), e.getCause()));
    }
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
