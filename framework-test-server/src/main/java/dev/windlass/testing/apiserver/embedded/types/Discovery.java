// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.types;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Serves the discovery documents, which describe the API groups, versions and resources, and the
 * version of the server.
 */
public final class Discovery {
  private static final List<String> VERBS =
      List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

  private final ResourceTypes types;

  public Discovery(ResourceTypes types) {
    this.types = types;
  }

  /** Returns the document at the given path, or empty if there is none. */
  public Optional<ObjectNode> document(List<String> path) {
    String root = path.isEmpty() ? "" : path.get(0);
    return switch (root) {
      case "version" -> Optional.of(version()).filter(version -> path.size() == 1);
      case "api" -> path.size() == 1 ? Optional.of(core()) : resources("", path, 1);
      case "apis" ->
          switch (path.size()) {
            case 1 -> Optional.of(groups());
            case 2 -> group(path.get(1));
            default -> resources(path.get(1), path, 2);
          };
      default -> Optional.empty();
    };
  }

  private static ObjectNode version() {
    return Json.object()
        .put("major", "1")
        .put("minor", "34")
        .put("gitVersion", "v1.34.0")
        .put("gitCommit", "")
        .put("gitTreeState", "clean")
        .put("buildDate", "2025-08-27T10:09:04Z")
        .put("goVersion", "")
        .put("compiler", "embedded")
        .put("platform", "java");
  }

  private static ObjectNode core() {
    ObjectNode versions = Json.object().put("kind", "APIVersions");
    versions.putArray("versions").add("v1");
    versions.putArray("serverAddressByClientCIDRs");
    return versions;
  }

  private ObjectNode groups() {
    ObjectNode list = Json.object().put("kind", "APIGroupList").put("apiVersion", "v1");
    ArrayNode groups = list.putArray("groups");
    Stream.concat(types.all().stream().map(ResourceType::group), reviewGroups())
        .filter(Predicate.not(String::isEmpty))
        .distinct()
        .forEach(name -> groups.add(describe(name)));
    return list;
  }

  private static Stream<String> reviewGroups() {
    return Arrays.stream(ReviewType.values()).map(ReviewType::group);
  }

  private Optional<ObjectNode> group(String name) {
    boolean known =
        !name.isEmpty()
            && Stream.concat(types.all().stream().map(ResourceType::group), reviewGroups())
                .anyMatch(name::equals);
    return known
        ? Optional.of(describe(name).put("kind", "APIGroup").put("apiVersion", "v1"))
        : Optional.empty();
  }

  private ObjectNode describe(String name) {
    ObjectNode group = Json.object().put("name", name);
    ArrayNode versions = group.putArray("versions");
    Stream.concat(
            types.all().stream()
                .filter(type -> type.group().equals(name))
                .map(ResourceType::version),
            ReviewType.ofGroup(name).stream().map(type -> ReviewType.VERSION))
        .distinct()
        .forEach(
            version ->
                versions
                    .addObject()
                    .put("groupVersion", name + "/" + version)
                    .put("version", version));
    group.set("preferredVersion", versions.path(0));
    return group;
  }

  private Optional<ObjectNode> resources(String group, List<String> path, int index) {
    String version = path.get(index);
    List<ResourceType> found =
        types.all().stream()
            .filter(type -> type.group().equals(group) && type.version().equals(version))
            .toList();
    List<ReviewType> reviews =
        version.equals(ReviewType.VERSION) ? ReviewType.ofGroup(group) : List.of();
    if ((found.isEmpty() && reviews.isEmpty()) || path.size() > index + 1) {
      return Optional.empty();
    }
    ObjectNode list = Json.object().put("kind", "APIResourceList").put("apiVersion", "v1");
    list.put("groupVersion", group.isEmpty() ? version : group + "/" + version);
    ArrayNode resources = list.putArray("resources");
    reviews.forEach(review -> resources.add(describe(review)));
    for (ResourceType type : found) {
      ObjectNode resource = describe(type, type.plural(), VERBS);
      resource.put("singularName", type.names().singular());
      ArrayNode shortNames = resource.putArray("shortNames");
      type.names().shortNames().forEach(shortNames::add);
      if (!type.names().categories().isEmpty()) {
        type.names().categories().forEach(resource.putArray("categories")::add);
      }
      resources.add(resource);
      for (String subresource : type.subresources()) {
        resources.add(
            describe(type, type.plural() + "/" + subresource, List.of("get", "patch", "update"))
                .put("kind", subresource.equals("scale") ? "Scale" : type.kind()));
      }
    }
    return Optional.of(list);
  }

  private static ObjectNode describe(ReviewType type) {
    ObjectNode resource = Json.object().put("name", type.plural());
    resource.put("singularName", type.singular()).put("namespaced", false);
    resource.put("kind", type.kind()).putArray("verbs").add("create");
    return resource;
  }

  private static ObjectNode describe(ResourceType type, String name, List<String> verbs) {
    ObjectNode resource = Json.object().put("name", name).put("singularName", "");
    resource.put("namespaced", type.namespaced()).put("kind", type.kind());
    ArrayNode array = resource.putArray("verbs");
    verbs.forEach(array::add);
    return resource;
  }
}
