// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import dev.windlass.client.Client;
import dev.windlass.client.ConflictException;
import dev.windlass.client.DeleteParams;
import dev.windlass.client.ListParams;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.Projection;
import dev.windlass.object.ResourceType;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Deletes objects that an owner controls and no longer needs. For example, if the owner's spec
 * contains the name of a Deployment and this name changes, the owner no longer needs the old
 * Deployment.
 *
 * <p>This class deletes an object only if the owner is its controller and the object is not one of
 * the desired objects. It identifies the owner by its uid. The object's uid and resourceVersion are
 * preconditions of the deletion, so an object that has changed since it was read is not deleted. As
 * a result, this class never deletes objects of other owners, objects of an earlier owner with the
 * same name, or objects that another owner has just taken over. It reads only the metadata, so it
 * also deletes an object that cannot be decoded into its class. This class has no state.
 */
public final class Prune {

  private Prune() {}

  /**
   * Deletes the objects of a type that the owner controls, except those in {@code wanted}.
   * Considers only objects in the owner's namespace, or in all namespaces if the owner is
   * cluster-scoped. Ignores objects that are already being deleted.
   *
   * @param client the client that lists and deletes the objects; if its cache holds only some
   *     objects of the type, this method does not delete the other objects
   * @param wanted the objects to keep; only their names and namespaces are compared
   * @return the keys of the objects that this call deleted
   * @throws ConflictException if one of the objects has changed since it was read. Before this
   *     method throws the exception, it deletes the other objects. The next reconcile handles the
   *     changed object
   */
  public static <T extends HasMetadata> List<ObjectKey> prune(
      Client client, HasMetadata owner, Class<T> type, Collection<? extends HasMetadata> wanted) {
    String namespace = Objects.requireNonNullElse(owner.getMetadata().getNamespace(), "");
    return prune(client, owner, type, ListParams.in(namespace), wanted, DeleteParams.DEFAULT);
  }

  /**
   * Deletes undesired objects like {@link #prune(Client, HasMetadata, Class, Collection)}, but
   * considers only the objects that the given parameters select. If the parameters use an index by
   * owner, the client does not have to scan all objects of the type.
   *
   * @param among the parameters that select the objects to consider; this method keeps all other
   *     objects, even if the owner controls them
   * @param how the options of the deletions; the uid and the resourceVersion of each object replace
   *     its preconditions
   */
  public static <T extends HasMetadata> List<ObjectKey> prune(
      Client client,
      HasMetadata owner,
      Class<T> type,
      ListParams among,
      Collection<? extends HasMetadata> wanted,
      DeleteParams how) {
    return prune(
        owner,
        client.reading(Projection.METADATA).list(type, among),
        wanted,
        object -> client.delete(type, ObjectKey.of(object), only(object, how)));
  }

  /**
   * Deletes undesired objects of a type that does not have a Java class; see {@link #prune(Client,
   * HasMetadata, Class, ListParams, Collection, DeleteParams)}.
   */
  public static List<ObjectKey> prune(
      Client client,
      HasMetadata owner,
      ResourceType type,
      ListParams among,
      Collection<? extends HasMetadata> wanted,
      DeleteParams how) {
    return prune(
        owner,
        client.reading(Projection.METADATA).list(type, among),
        wanted,
        object -> client.delete(type, ObjectKey.of(object), only(object, how)));
  }

  private static DeleteParams only(HasMetadata object, DeleteParams how) {
    return how.withUid(object.getMetadata().getUid())
        .withResourceVersion(object.getMetadata().getResourceVersion());
  }

  private static List<ObjectKey> prune(
      HasMetadata owner,
      List<? extends HasMetadata> existing,
      Collection<? extends HasMetadata> wanted,
      Predicate<HasMetadata> delete) {
    Set<ObjectKey> kept = new HashSet<>();
    wanted.forEach(object -> kept.add(ObjectKey.of(object)));
    List<ObjectKey> deleted = new ArrayList<>();
    @Nullable ConflictException conflict = null;
    for (HasMetadata object : existing) {
      ObjectKey key = ObjectKey.of(object);
      if (kept.contains(key)
          || object.isMarkedForDeletion()
          || !OwnerReferences.isControlledBy(object, owner)) {
        continue;
      }
      try {
        if (delete.test(object)) {
          deleted.add(key);
        }
      } catch (ConflictException e) {
        conflict = e;
      }
    }
    if (conflict != null) {
      throw conflict;
    }
    return deleted;
  }
}
