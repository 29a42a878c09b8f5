// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion;

import dev.windlass.object.ResourceType;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * Declares how the objects of a custom resource are converted between its versions.
 *
 * <pre>{@code
 * Conversion.hub(ToolV2.class)
 *     .spoke(ToolV1.class, ToolVersions::fromV1, ToolVersions::toV1)
 *     .sameSchema(ToolV2beta1.class)
 * }</pre>
 *
 * <p>One version is the <i>hub</i>, and all others are <i>spokes</i>. Functions convert each spoke
 * to the hub and back, so <i>n</i> versions require <i>2(n - 1)</i> functions instead of <i>n(n -
 * 1)</i>. A conversion between two spokes first converts the object to the hub. Choose a hub that
 * can express all fields of the other versions; this is usually the newest version. The hub need
 * not be the storage version.
 *
 * <p><b>Metadata.</b> A function receives an object with its metadata, but can change only its
 * labels and annotations, because the API server does not accept other changes to metadata. All
 * other metadata, including managedFields, is returned to the API server unchanged. If a function
 * copies the metadata into its result, the converted object has exactly the labels and annotations
 * of the result. The metadata counts as copied if it contains {@code name} or {@code generateName}.
 * Otherwise, the labels and annotations in the function's result are added to those of the source
 * object.
 *
 * <p><b>Functions.</b> Several threads call the functions at the same time. A function must return
 * within milliseconds, because a list can contain thousands of objects. It must not send requests
 * to the API server, because the API server may itself be waiting for the conversion. It must
 * accept every object that its version's schema allows. This includes objects without a status, and
 * new objects without a uid. If a function throws an exception, the API server rejects the client's
 * request. A single object can therefore cause the list requests of other programs to fail.
 *
 * <p><b>Unknown fields.</b> Fields that the source object's class does not declare are copied to
 * the same path in the result. This also applies if a Java annotation makes the class ignore
 * unknown fields. The conversion fails if the result does not contain the parent object of such a
 * field.
 *
 * <p><b>Lost fields.</b> If a client reads an object in a spoke version and writes it back
 * unchanged, the stored object must not change. The two functions of a spoke must therefore be
 * inverses of each other. {@code dev.windlass.testing.webhook.RoundTrips} generates tests for this.
 * See {@link #keepingLostFields} for hub fields that a spoke cannot express.
 *
 * <p>Instances are immutable.
 *
 * @param <H> the class of the hub
 */
public final class Conversion<H extends HasMetadata> {

  /**
   * The annotation that {@link #keepingLostFields} adds to an object in a spoke version. It
   * contains the JSON of the object in the hub version, without {@code apiVersion}, {@code kind}
   * and {@code metadata}.
   */
  public static final String HUB_ANNOTATION = "conversion.windlass.dev/hub";

  /**
   * A version with functions that convert objects to the hub and back.
   *
   * @param version the class of this version
   * @param toHub the function that converts an object of this version to the hub
   * @param fromHub the function that converts an object of the hub to this version
   * @param <S> the class of this version
   * @param <H> the hub's class
   */
  public record Spoke<S extends HasMetadata, H extends HasMetadata>(
      Class<S> version,
      Function<? super S, ? extends H> toHub,
      Function<? super H, ? extends S> fromHub) {

    /** Checks that no component is null. */
    public Spoke {
      Objects.requireNonNull(version, "the class of a spoke is null");
      Objects.requireNonNull(toHub, "the function from a spoke to the hub is null");
      Objects.requireNonNull(fromHub, "the function from the hub to a spoke is null");
    }
  }

  private final Class<H> hub;
  private final List<Spoke<?, H>> spokes;

  /** The classes of all versions, keyed by version name and in the order of their declaration. */
  private final Map<String, Class<? extends HasMetadata>> versions;

  private final boolean keepsLostFields;

  private Conversion(
      Class<H> hub,
      List<Spoke<?, H>> spokes,
      Map<String, Class<? extends HasMetadata>> versions,
      boolean keepsLostFields) {
    this.hub = hub;
    this.spokes = spokes;
    this.versions = versions;
    this.keepsLostFields = keepsLostFields;
  }

  /**
   * Returns a conversion with the given hub and without spokes.
   *
   * @throws IllegalArgumentException if the class does not declare a custom resource; the message
   *     states what is missing
   */
  public static <H extends HasMetadata> Conversion<H> hub(Class<H> version) {
    ResourceType type = ResourceType.of(version);
    if (type.group().isEmpty()) {
      throw new IllegalArgumentException(
          version.getName()
              + " is a type of the core group, and only custom resources can be converted");
    }
    return new Conversion<>(version, List.of(), Map.of(type.version(), version), false);
  }

  /**
   * Returns a copy of this conversion with an additional version.
   *
   * @param version the class of the version
   * @param toHub the function that converts an object of this version to the hub
   * @param fromHub the function that converts an object of the hub to this version
   * @throws IllegalArgumentException if the group, kind, plural or scope of the class differs from
   *     the hub's, or if its version has already been declared
   */
  public <S extends HasMetadata> Conversion<H> spoke(
      Class<S> version,
      Function<? super S, ? extends H> toHub,
      Function<? super H, ? extends S> fromHub) {
    List<Spoke<?, H>> more = new ArrayList<>(spokes);
    more.add(new Spoke<>(version, toHub, fromHub));
    return new Conversion<>(hub, List.copyOf(more), with(version), keepsLostFields);
  }

  /**
   * Returns a copy of this conversion with an additional version that has the same fields as the
   * hub. A conversion between this version and the hub replaces only {@code apiVersion}, and does
   * not deserialise the objects.
   *
   * @throws IllegalArgumentException under the same conditions as {@link #spoke}
   */
  public Conversion<H> sameSchema(Class<? extends HasMetadata> version) {
    return new Conversion<>(hub, spokes, with(version), keepsLostFields);
  }

  /**
   * Returns a copy of this conversion that preserves hub fields that a spoke cannot express.
   *
   * <p>A conversion from the hub to a spoke checks whether the conversion back to the hub would
   * restore the object. If not, it stores the hub's fields in the annotation {@value
   * #HUB_ANNOTATION} of the converted object. The conversion back to the hub removes the
   * annotation, and restores the fields that the spoke cannot express. All other fields have the
   * spoke's values, so changes by clients of the spoke take effect. If such a client changes an
   * element of a list, the element keeps the fields that the spoke cannot express only if a {@code
   * name}, {@code type} or {@code key} identifies it.
   *
   * <p>Without this option, such fields are lost when a client of the spoke writes the object, or
   * if the spoke is the storage version. With this option, a conversion calls the functions several
   * times. The annotation counts towards the API server's limit of 256 KiB for all annotations of
   * an object, and the conversion fails if the limit is exceeded. The fields are still lost if a
   * client removes the annotation when it writes the object.
   */
  public Conversion<H> keepingLostFields() {
    return new Conversion<>(hub, spokes, versions, true);
  }

  private Map<String, Class<? extends HasMetadata>> with(Class<? extends HasMetadata> version) {
    Objects.requireNonNull(version, "the class of a version is null");
    ResourceType type = ResourceType.of(version);
    requireSame("group", type().group(), type.group(), version);
    requireSame("kind", type().kind(), type.kind(), version);
    requireSame("plural", type().plural(), type.plural(), version);
    requireSame("scope", scope(type()), scope(type), version);
    Class<? extends HasMetadata> declared = versions.get(type.version());
    if (version == hub) {
      throw new IllegalArgumentException(
          version.getName() + " is the hub, and can't be one of its spokes as well");
    }
    if (declared != null) {
      throw new IllegalArgumentException(
          "the version "
              + type.version()
              + " of "
              + type.kind()
              + " is declared twice: by "
              + declared.getName()
              + " and by "
              + version.getName());
    }
    Map<String, Class<? extends HasMetadata>> more = new LinkedHashMap<>(versions);
    more.put(type.version(), version);
    return Collections.unmodifiableMap(more);
  }

  private void requireSame(String what, String ofHub, String ofSpoke, Class<?> version) {
    if (!ofHub.equals(ofSpoke)) {
      throw new IllegalArgumentException(
          "only versions of the same type can be converted: the "
              + what
              + " of "
              + hub.getName()
              + " is "
              + ofHub
              + ", and the "
              + what
              + " of "
              + version.getName()
              + " is "
              + ofSpoke);
    }
  }

  private static String scope(ResourceType type) {
    return type.namespaced() ? "Namespaced" : "Cluster";
  }

  /** Returns the hub's class. */
  public Class<H> hub() {
    return hub;
  }

  /** Returns the hub's type. */
  public ResourceType type() {
    return ResourceType.of(hub);
  }

  /** Returns the versions added with {@link #spoke}, in the order of their declaration. */
  public List<Spoke<?, H>> spokes() {
    return spokes;
  }

  /**
   * Returns an unmodifiable map of all versions, including the hub, in the order of their
   * declaration. The keys are the names of the versions, such as {@code v1}.
   */
  public Map<String, Class<? extends HasMetadata>> versions() {
    return versions;
  }

  /** Returns whether {@link #keepingLostFields} was called. */
  public boolean keepsLostFields() {
    return keepsLostFields;
  }

  /** Returns a description such as {@code Tool.example.com (v2, v1)}, with the hub first. */
  @Override
  public String toString() {
    return type().kind() + "." + type().group() + " (" + String.join(", ", versions.keySet()) + ")";
  }
}
