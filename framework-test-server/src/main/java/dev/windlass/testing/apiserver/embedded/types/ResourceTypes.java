// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.types;

import dev.windlass.testing.apiserver.embedded.objects.GroupResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The resources that clients can currently address: the built-in resources and the resources of
 * established CRDs.
 *
 * <p>Reads do not acquire a lock, and see each change either completely or not at all. Only the
 * store's listeners write, one at a time, under the store's lock.
 */
public final class ResourceTypes {
  private volatile List<ResourceType> types = BuiltInTypes.all();

  /** Returns all types. Built-in types are first. */
  public List<ResourceType> all() {
    return types;
  }

  public Optional<ResourceType> find(String group, String version, String plural) {
    return types.stream()
        .filter(type -> type.plural().equals(plural))
        .filter(type -> type.group().equals(group) && type.version().equals(version))
        .findFirst();
  }

  /** Returns any version of the resource, or empty if clients cannot address the resource. */
  public Optional<ResourceType> find(GroupResource resource) {
    return types.stream().filter(type -> type.resource().equals(resource)).findFirst();
  }

  /** Returns any version of the resource, which must exist. */
  public ResourceType get(GroupResource resource) {
    return find(resource)
        .orElseThrow(() -> new IllegalArgumentException("no such resource: " + resource));
  }

  /** Returns the other versions of the same resource. */
  public List<ResourceType> otherVersions(ResourceType type) {
    return types.stream()
        .filter(other -> other.resource().equals(type.resource()))
        .filter(other -> !other.version().equals(type.version()))
        .toList();
  }

  /** Replaces all versions of {@code resource} with {@code versions}, which can be empty. */
  public void replace(GroupResource resource, List<ResourceType> versions) {
    List<ResourceType> changed = new ArrayList<>(types);
    changed.removeIf(type -> type.resource().equals(resource));
    changed.addAll(versions);
    types = List.copyOf(changed);
  }
}
