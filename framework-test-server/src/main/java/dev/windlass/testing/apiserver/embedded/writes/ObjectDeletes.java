// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.writes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.http.DeleteOptions;
import dev.windlass.testing.apiserver.embedded.http.DeleteOptions.Propagation;
import dev.windlass.testing.apiserver.embedded.objects.GroupResource;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.objects.ObjectKey;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.rules.KindRules;
import dev.windlass.testing.apiserver.embedded.selectors.ObjectSelection;
import dev.windlass.testing.apiserver.embedded.storage.Store;
import dev.windlass.testing.apiserver.embedded.types.BuiltInTypes;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import dev.windlass.testing.apiserver.embedded.types.ResourceType.Trait;
import java.net.HttpURLConnection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Deletes objects, either immediately or after their finalizers have been removed. */
public final class ObjectDeletes {
  /**
   * The finalizer that makes the garbage collector remove the owner references to the object from
   * its dependents before the object is deleted.
   */
  public static final String ORPHAN_FINALIZER = "orphan";

  /**
   * The finalizer that makes the garbage collector delete the dependents before the object is
   * deleted.
   */
  public static final String FOREGROUND_FINALIZER = "foregroundDeletion";

  private static final Set<String> IMMORTAL = Set.of("default", "kube-system", "kube-public");

  private final Store store;
  private final ObjectWrites writes;

  public ObjectDeletes(Store store, ObjectWrites writes) {
    this.store = store;
    this.writes = writes;
  }

  /**
   * The result of a delete.
   *
   * @param object the object after the delete request, or the last version of a deleted object
   * @param gone whether the object no longer exists; false if finalizers delay the deletion
   */
  public record Outcome(ObjectNode object, boolean gone) {}

  /** Deletes an object on behalf of the server itself. */
  public Outcome delete(ResourceType type, ObjectKey key, DeleteOptions options) {
    return delete(type, key, options, Review.NONE);
  }

  /**
   * Deletes an object, or marks it for deletion if it has finalizers.
   *
   * @throws StatusException 404 if the object does not exist, 403 if it must not be deleted, 409 if
   *     a precondition fails, or the exception that {@code review} throws
   */
  public Outcome delete(ResourceType type, ObjectKey key, DeleteOptions options, Review review) {
    if (!review.isActive()) {
      try (Store.Transaction tx = store.begin()) {
        ObjectNode old = ObjectWrites.existing(tx, type, key);
        check(type, Meta.of(old), options);
        return commit(tx, type, old, options);
      }
    }
    while (true) {
      ObjectNode old;
      try (Store.Transaction tx = store.begin()) {
        old = ObjectWrites.existing(tx, type, key);
      }
      check(type, Meta.of(old), options);
      ObjectNode shown = type.present(old);
      review.mutate(shown, Json.object());
      review.validate(shown, Json.object());
      try (Store.Transaction tx = store.begin()) {
        if (tx.isCurrent(type.storage(), key, old)) {
          return commit(tx, type, old, options);
        }
      }
    }
  }

  private Outcome commit(
      Store.Transaction tx, ResourceType type, ObjectNode old, DeleteOptions options) {
    ObjectKey key = Meta.of(old).key();
    ObjectNode marked = mark(type, old, options.propagation());
    boolean gone = ObjectWrites.finished(type, marked);
    if (options.dryRun()) {
      return new Outcome(gone ? old : marked, gone);
    }
    if (gone) {
      return new Outcome(tx.remove(type.storage(), key), true);
    }
    boolean changed = !Json.same(old, marked);
    return new Outcome(changed ? tx.put(type.storage(), marked) : old, false);
  }

  /**
   * Deletes the objects that match {@code selection}. As in kube-apiserver, the result contains the
   * objects as they were before the deletion.
   */
  public List<ObjectNode> deleteAll(
      ResourceType type, ObjectSelection selection, DeleteOptions options, Review review) {
    List<ObjectNode> matching;
    try (Store.Transaction tx = store.begin()) {
      matching =
          tx.table(type.storage()).objects().values().stream().filter(selection::matches).toList();
      if (!review.isActive()) {
        matching.forEach(object -> delete(type, Meta.of(object).key(), options));
        return matching;
      }
    }
    for (ObjectNode object : matching) {
      try {
        delete(type, Meta.of(object).key(), options, review);
      } catch (StatusException e) {
        if (e.code() != HttpURLConnection.HTTP_NOT_FOUND) {
          throw e;
        }
      }
    }
    return matching;
  }

  private static void check(ResourceType type, Meta meta, DeleteOptions options) {
    // In these messages, the real server confuses the kind and the resource.
    GroupResource kind = new GroupResource(type.group(), type.kind());
    if (type.resource().equals(BuiltInTypes.NAMESPACES) && IMMORTAL.contains(meta.name())) {
      throw StatusException.forbidden(
          type.resource(), meta.name(), "this namespace may not be deleted");
    }
    if (!options.uid().isEmpty() && !options.uid().equals(meta.uid())) {
      throw StatusException.conflict(
          kind,
          meta.name(),
          ("the UID in the precondition (%s) does not match the UID in record (%s). The object"
                  + " might have been deleted and then recreated")
              .formatted(options.uid(), meta.uid()));
    }
    String version = options.resourceVersion();
    if (!version.isEmpty() && !version.equals(meta.resourceVersion())) {
      throw StatusException.conflict(
          kind,
          meta.name(),
          ("the ResourceVersion in the precondition (%s) does not match the ResourceVersion in"
                  + " record (%s). The object might have been modified")
              .formatted(version, meta.resourceVersion()));
    }
  }

  /** Returns a copy of {@code old} that is marked for deletion. */
  private ObjectNode mark(ResourceType type, ObjectNode old, Propagation propagation) {
    ObjectNode marked = old.deepCopy();
    Meta meta = Meta.of(marked);
    Set<String> finalizers = new LinkedHashSet<>(meta.finalizers());
    boolean orphaning = finalizers.remove(ORPHAN_FINALIZER);
    boolean foreground = finalizers.remove(FOREGROUND_FINALIZER);
    boolean decided = propagation != Propagation.DEFAULT;
    boolean byDefault = !foreground && type.has(Trait.ORPHANS_BY_DEFAULT);
    if (decided ? propagation == Propagation.ORPHAN : orphaning || byDefault) {
      finalizers.add(ORPHAN_FINALIZER);
    } else if (decided ? propagation == Propagation.FOREGROUND : foreground) {
      finalizers.add(FOREGROUND_FINALIZER);
    }
    meta.finalizers(finalizers);
    if (!meta.deleting()) {
      meta.json().put("deletionTimestamp", writes.now()).put("deletionGracePeriodSeconds", 0);
      KindRules.bumpGeneration(old, marked);
      if (type.resource().equals(BuiltInTypes.NAMESPACES)) {
        meta.json().remove("deletionGracePeriodSeconds");
        marked.withObject("/status").put("phase", "Terminating");
      }
    }
    return marked;
  }
}
