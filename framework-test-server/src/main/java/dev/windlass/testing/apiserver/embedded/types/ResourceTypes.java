// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.types;

import dev.windlass.testing.apiserver.embedded.objects.GroupResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The resource types that clients can currently address: the built-in types and the types that
 * established CRDs define.
 *
 * <p>Reads do not acquire a lock. A change becomes visible to all readers at once. Only the store's
 * listeners make changes, one at a time, while the store's lock is held.
 */
public final class ResourceTypes {
  private volatile List<ResourceType> types = BuiltInTypes.all();

  /** Returns all types, with the built-in types first. */
  public List<ResourceType> all() {
    return types;
  }

  public Optional<ResourceType> find(String group, String version, String plural) {
    return types.stream()
        .filter(type -> type.plural().equals(plural))
        .filter(type -> type.group().equals(group) && type.version().equals(version))
        .findFirst();
  }

  /**
   * Returns one of the versions of the resource, or empty if clients cannot address the resource.
   */
  public Optional<ResourceType> find(GroupResource resource) {
    return types.stream().filter(type -> type.resource().equals(resource)).findFirst();
  }

  /**
   * Returns one of the versions of the resource.
   *
   * @throws IllegalArgumentException if clients cannot address the resource
   */
  public ResourceType get(GroupResource resource) {
    return find(resource)
        .orElseThrow(() -> new IllegalArgumentException("no such resource: " + resource));
  }

  /** Returns the other versions of the resource to which a type belongs. */
  public List<ResourceType> otherVersions(ResourceType type) {
    return types.stream()
        .filter(other -> other.resource().equals(type.resource()))
        .filter(other -> !other.version().equals(type.version()))
        .toList();
  }

  /** Replaces all versions of {@code resource}. An empty list removes the resource. */
  public void replace(GroupResource resource, List<ResourceType> versions) {
    List<ResourceType> changed = new ArrayList<>(types);
    changed.removeIf(type -> type.resource().equals(resource));
    changed.addAll(versions);
    types = List.copyOf(changed);
  }
}
