// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.controllers;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.http.DeleteOptions;
import dev.windlass.testing.apiserver.embedded.http.DeleteOptions.Propagation;
import dev.windlass.testing.apiserver.embedded.objects.GroupResource;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.objects.ObjectKey;
import dev.windlass.testing.apiserver.embedded.storage.Change;
import dev.windlass.testing.apiserver.embedded.storage.ChangeListener;
import dev.windlass.testing.apiserver.embedded.storage.Store;
import dev.windlass.testing.apiserver.embedded.threads.Background;
import dev.windlass.testing.apiserver.embedded.types.BuiltInTypes;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import dev.windlass.testing.apiserver.embedded.types.ResourceTypes;
import dev.windlass.testing.apiserver.embedded.writes.ObjectDeletes;
import dev.windlass.testing.apiserver.embedded.writes.ObjectWrites;
import java.util.List;

/**
 * Deletes all objects in a namespace that is being deleted, and then removes the namespace's
 * finalizer.
 */
public final class NamespaceController implements ChangeListener {
  private final Store store;
  private final ResourceTypes types;
  private final ObjectWrites writes;
  private final ObjectDeletes deletes;
  private final Background background;

  public NamespaceController(
      Store store,
      ResourceTypes types,
      ObjectWrites writes,
      ObjectDeletes deletes,
      Background background) {
    this.store = store;
    this.types = types;
    this.writes = writes;
    this.deletes = deletes;
    this.background = background;
  }

  @Override
  public void changed(GroupResource resource, Change change) {
    Meta meta = change.meta();
    boolean namespace = resource.equals(BuiltInTypes.NAMESPACES);
    if (namespace && change.type() == Change.Type.MODIFIED && meta.deleting()) {
      background.run(() -> empty(meta.name()));
    } else if (!meta.namespace().isEmpty() && change.type() == Change.Type.DELETED) {
      // This may have been the last object, which was held by a finalizer of another controller.
      background.run(() -> empty(meta.namespace()));
    }
  }

  private void empty(String name) {
    try (Store.Transaction tx = store.begin()) {
      ObjectNode namespace = tx.get(BuiltInTypes.NAMESPACES, new ObjectKey("", name));
      if (namespace == null || !Meta.of(namespace).deleting()) {
        return;
      }
      boolean empty = true;
      for (ResourceType type : types.all()) {
        for (ObjectKey key : keysIn(tx, type, name)) {
          ObjectNode object = tx.get(type.storage(), key);
          if (object != null && !Meta.of(object).deleting()) {
            deletes.delete(type, key, DeleteOptions.of(Propagation.BACKGROUND));
          }
        }
        empty &= keysIn(tx, type, name).isEmpty();
      }
      if (empty) {
        release(name);
      }
    }
  }

  private static List<ObjectKey> keysIn(Store.Transaction tx, ResourceType type, String name) {
    return tx.table(type.storage()).objects().tailMap(new ObjectKey(name, "")).keySet().stream()
        .takeWhile(key -> key.namespace().equals(name))
        .toList();
  }

  private void release(String name) {
    writes.tryUpdate(
        types.get(BuiltInTypes.NAMESPACES),
        new ObjectKey("", name),
        "finalize",
        copy -> {
          copy.withObject("/spec").remove("finalizers");
          return copy;
        });
  }
}
