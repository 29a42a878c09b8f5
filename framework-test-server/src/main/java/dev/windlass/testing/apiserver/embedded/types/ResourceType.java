// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.types;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.GroupResource;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A resource in one of its versions.
 *
 * @param resource the group and the plural name of the resource
 * @param version the version, such as {@code v1}
 * @param names the kind's names
 * @param traits the traits of the resource
 * @param schema the OpenAPI schema of a custom resource's version; null for built-in types
 * @param scale the paths of the scale subresource
 * @param versions the versions of a custom resource; null for built-in types
 */
public record ResourceType(
    GroupResource resource,
    String version,
    Names names,
    Set<Trait> traits,
    @Nullable ObjectNode schema,
    ScalePaths scale,
    @Nullable ObjectVersions versions) {

  /**
   * The JSON pointers to the fields that the scale subresource exposes.
   *
   * @param replicas the field for the desired number of replicas
   * @param statusReplicas the field for the observed number of replicas
   * @param selector the field for the label selector in string form; empty if there is none
   */
  public record ScalePaths(String replicas, String statusReplicas, String selector) {
    /** The paths for the built-in kinds. */
    public static final ScalePaths BUILT_IN =
        new ScalePaths("/spec/replicas", "/status/replicas", "");
  }

  /** A kind's names, as in {@code spec.names} of a CustomResourceDefinition. */
  public record Names(
      String kind,
      String listKind,
      String singular,
      List<String> shortNames,
      List<String> categories) {
    public Names {
      shortNames = List.copyOf(shortNames);
      categories = List.copyOf(categories);
    }
  }

  /** The traits in which resources can differ. */
  public enum Trait {
    /** The objects belong to namespaces. */
    NAMESPACED,
    /** The resource has a status subresource. Only this subresource can change the status. */
    STATUS,
    /** The resource has a scale subresource. */
    SCALE,
    /** {@code metadata.generation} counts the changes to the spec. */
    GENERATION,
    /** An update must contain a resourceVersion. */
    VERSIONED_UPDATE,
    /** An update creates the object if it does not exist. */
    CREATED_BY_UPDATE,
    /** The response to a delete is the object, even if it no longer exists. */
    RETURNED_BY_DELETE,
    /** A delete without a propagation policy leaves the dependents in place. */
    ORPHANS_BY_DEFAULT
  }

  public ResourceType {
    traits = Set.copyOf(traits);
  }

  public boolean has(Trait trait) {
    return traits.contains(trait);
  }

  public boolean namespaced() {
    return has(Trait.NAMESPACED);
  }

  public boolean custom() {
    return schema != null;
  }

  /**
   * Returns whether the resource has a subresource. Returns true for an empty name, which refers to
   * the object itself.
   */
  public boolean hasSubresource(String subresource) {
    return switch (subresource) {
      case "" -> true;
      case "status" -> has(Trait.STATUS);
      case "scale" -> has(Trait.SCALE);
      case "finalize" -> resource.equals(BuiltInTypes.NAMESPACES);
      default -> false;
    };
  }

  /** Returns the names of the resource's subresources. */
  List<String> subresources() {
    return Stream.of("status", "scale", "finalize").filter(this::hasSubresource).toList();
  }

  public String group() {
    return resource.group();
  }

  public String plural() {
    return resource.plural();
  }

  public String kind() {
    return names.kind();
  }

  /**
   * Returns the resource under which the store keeps the objects. The Events of both API groups are
   * stored under the same resource.
   */
  public GroupResource storage() {
    return resource.equals(EventConversion.NEWER) ? EventConversion.STORED : resource;
  }

  /** Returns the API version, such as {@code apps/v1}, or {@code v1} in the core group. */
  public String apiVersion() {
    return group().isEmpty() ? version : group() + "/" + version;
  }

  /** Converts a stored object to the form that clients of this version receive. */
  public ObjectNode present(ObjectNode stored) {
    JsonNode managed = stored.path("metadata").path("managedFields");
    if (managed.isArray() && managed.isEmpty()) {
      // An empty list means that owners were recorded and that none are left. Clients do not
      // receive it.
      ObjectNode shown = Json.shallowCopy(stored);
      shown.set("metadata", Json.without(Meta.of(stored).json(), "managedFields"));
      return present(shown);
    }
    if (versions != null) {
      return versions.read(stored, apiVersion());
    }
    if (apiVersion().equals(stored.path("apiVersion").asText())) {
      return stored;
    }
    if (resource.equals(EventConversion.NEWER)) {
      return EventConversion.toNewer(stored);
    }
    ObjectNode converted = Json.shallowCopy(stored);
    converted.put("apiVersion", apiVersion());
    return converted;
  }

  /** Converts an object in this version to the form in which it is stored. */
  public ObjectNode toStored(ObjectNode object) {
    return versions == null ? object : versions.toStored(object);
  }

  /**
   * Returns the form of a stored object that rules compare with the object's new content. For a
   * custom resource, this is the object in this version. For a built-in kind, it is {@code stored}
   * itself.
   */
  public ObjectNode comparable(ObjectNode stored) {
    return versions == null ? stored : versions.read(stored, apiVersion());
  }

  /**
   * Returns whether reads and writes in this version can call a webhook. Callers must not hold the
   * store's lock during such reads and writes.
   */
  public boolean convertsRemotely() {
    return versions != null && versions.convertRemotely();
  }
}
