// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.webhook;

import dev.windlass.webhook.conversion.Conversion;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * Generates tests that convert random objects to another version and back, and verify that no field
 * is lost.
 *
 * <pre>{@code
 * @TestFactory
 * Stream<DynamicTest> conversionsLoseNothing() {
 *   return RoundTrips.of(ToolVersions.CONVERSION)
 *       .values(ToolV1.class, "spec.address", random -> "db:" + random.nextInt(65_536))
 *       .mayLose(ToolV1.class, "spec.color")
 *       .tests();
 * }
 * }</pre>
 *
 * <p>There are two tests for each spoke. One converts objects of the spoke to the hub and back. The
 * other converts objects of the hub to the spoke and back. Each test generates random objects from
 * the fields of the model class, including nested classes, lists, maps, enums, quantities,
 * durations, times and numbers. Optional fields can be absent, and lists and maps can be empty. The
 * test converts the objects with ConversionReview requests, as the API server does. The results
 * must equal the original objects, including their labels and annotations. An absent field, null,
 * an empty list and an empty map count as equal. A failure message names the lost field and shows
 * the smallest object that loses it.
 *
 * <p>If the conversion keeps lost fields ({@link Conversion#keepingLostFields}), there are also two
 * tests for each pair of spokes. Otherwise, conversions between spokes may lose fields.
 *
 * <p>The same seed generates the same objects in each run. Instances are not thread-safe. Methods
 * that change a setting return the same instance.
 */
public final class RoundTrips {

  private static final int OBJECTS = 500;

  private static final Pattern PATH = Pattern.compile("[^.\\[\\]]+(\\[])*(\\.[^.\\[\\]]+(\\[])*)*");

  /** What was set for a version. The keys and elements are paths. */
  private record Settings(
      Set<String> always, Set<String> losses, Map<String, Function<RandomGenerator, ?>> values) {}

  private final Conversion<?> conversion;
  private final Map<Class<? extends HasMetadata>, Settings> versions = new LinkedHashMap<>();
  private int objects = OBJECTS;
  private long seed = 1;

  private RoundTrips(Conversion<?> conversion) {
    this.conversion = conversion;
    for (Class<? extends HasMetadata> version : conversion.versions().values()) {
      versions.put(version, new Settings(new HashSet<>(), new HashSet<>(), new HashMap<>()));
    }
  }

  /** Returns tests of the given conversion. */
  public static RoundTrips of(Conversion<?> conversion) {
    return new RoundTrips(conversion);
  }

  /**
   * Declares fields that a round trip through the given version may lose by design, because this
   * version cannot express them.
   *
   * @param version the version that cannot express the fields
   * @param paths the paths of the fields in the other version, such as {@code spec.parts[].weight};
   *     {@code *} stands for any key of a map. All fields below these paths may also be lost
   * @throws IllegalArgumentException if the conversion does not have this version, or if a path is
   *     invalid
   */
  public RoundTrips mayLose(Class<? extends HasMetadata> version, String... paths) {
    of(version, paths).losses().addAll(List.of(paths));
    return this;
  }

  /**
   * Declares fields that each generated object of a version must have, because the version's schema
   * requires them. Fields annotated with {@code @Required} or {@code @JsonProperty(required =
   * true)} are always generated and need not be declared.
   *
   * @param paths the paths of the fields, such as {@code spec}
   * @throws IllegalArgumentException if the conversion does not have this version, or if a path is
   *     invalid
   */
  public RoundTrips always(Class<? extends HasMetadata> version, String... paths) {
    of(version, paths).always().addAll(List.of(paths));
    return this;
  }

  /**
   * Sets the function that generates the values of a field. This is necessary if the schema
   * restricts the field to some values of its Java type, or if the test cannot generate values of
   * this type.
   *
   * @param path the field's path, such as {@code spec.address}
   * @param generator the function that returns a value, which is converted to JSON
   * @throws IllegalArgumentException if the conversion does not have this version, or if the path
   *     is invalid
   */
  public RoundTrips values(
      Class<? extends HasMetadata> version, String path, Function<RandomGenerator, ?> generator) {
    of(version, path).values().put(path, generator);
    return this;
  }

  /**
   * Sets the number of objects per test. The default is 500.
   *
   * @throws IllegalArgumentException if the number is not positive
   */
  public RoundTrips objects(int number) {
    if (number < 1) {
      throw new IllegalArgumentException("at least one object must be converted, not " + number);
    }
    objects = number;
    return this;
  }

  /** Sets the seed of the random generator that generates the objects. The default is 1. */
  public RoundTrips seed(long number) {
    seed = number;
    return this;
  }

  private Settings of(Class<? extends HasMetadata> version, String... paths) {
    for (String path : paths) {
      if (!PATH.matcher(path).matches()) {
        throw new IllegalArgumentException(
            "'" + path + "' is not the path of a field, such as spec.parts[].weight");
      }
    }
    Settings settings = versions.get(version);
    if (settings == null) {
      throw new IllegalArgumentException(version.getName() + " is not a version of " + conversion);
    }
    return settings;
  }

  /**
   * Returns the tests: two for each spoke, and two for each pair of spokes if the conversion keeps
   * lost fields.
   */
  public Stream<DynamicTest> tests() {
    return pairs().stream()
        .map(pair -> DynamicTest.dynamicTest(pair.toString(), () -> pair.check(objects, seed)));
  }

  /**
   * Runs all tests.
   *
   * @throws AssertionError if an object cannot be converted, or if a round trip changes an object;
   *     the message describes the problem
   */
  public void check() {
    pairs().forEach(pair -> pair.check(objects, seed));
  }

  private List<RoundTrip<?>> pairs() {
    FieldTypes types = new FieldTypes();
    List<RoundTrip<?>> pairs = new ArrayList<>();
    versions.forEach(
        (from, settings) ->
            versions.forEach(
                (to, other) -> {
                  boolean isSpoke = from != conversion.hub() && to != conversion.hub();
                  if (from != to && (!isSpoke || conversion.keepsLostFields())) {
                    ObjectGenerator generator =
                        new ObjectGenerator(types, from, settings.always(), settings.values());
                    pairs.add(
                        new RoundTrip<>(types, conversion, generator, from, to, other.losses()));
                  }
                }));
    return pairs;
  }
}
