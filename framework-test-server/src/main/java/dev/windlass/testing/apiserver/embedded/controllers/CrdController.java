// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.controllers;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.conversion.Conversions;
import dev.windlass.testing.apiserver.embedded.http.DeleteOptions;
import dev.windlass.testing.apiserver.embedded.http.DeleteOptions.Propagation;
import dev.windlass.testing.apiserver.embedded.objects.GroupResource;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.objects.ObjectKey;
import dev.windlass.testing.apiserver.embedded.schema.CrdRules;
import dev.windlass.testing.apiserver.embedded.storage.Change;
import dev.windlass.testing.apiserver.embedded.storage.ChangeListener;
import dev.windlass.testing.apiserver.embedded.storage.Store;
import dev.windlass.testing.apiserver.embedded.threads.Background;
import dev.windlass.testing.apiserver.embedded.types.BuiltInTypes;
import dev.windlass.testing.apiserver.embedded.types.ResourceTypes;
import dev.windlass.testing.apiserver.embedded.writes.ObjectDeletes;
import dev.windlass.testing.apiserver.embedded.writes.ObjectWrites;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the custom resources of each CRD as soon as the CRD is stored. When a client deletes a
 * CRD, this controller first deletes the CRD's custom resources.
 */
public final class CrdController implements ChangeListener {
  private static final Logger log = LoggerFactory.getLogger(CrdController.class);
  private static final String FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

  private final Store store;
  private final ResourceTypes types;
  private final ObjectWrites writes;
  private final ObjectDeletes deletes;
  private final Conversions conversions;
  private final Background background;

  public CrdController(
      Store store,
      ResourceTypes types,
      Conversions conversions,
      ObjectWrites writes,
      ObjectDeletes deletes,
      Background background) {
    this.store = store;
    this.types = types;
    this.conversions = conversions;
    this.writes = writes;
    this.deletes = deletes;
    this.background = background;
  }

  @Override
  public void changed(GroupResource resource, Change change) {
    if (!resource.equals(BuiltInTypes.CRDS)) {
      reviewTerminating(resource, change);
      return;
    }
    ObjectNode crd = change.object();
    switch (change.type()) {
      case ADDED -> {
        warn(crd);
        establish(crd);
      }
      case MODIFIED -> {
        types.replace(CrdRules.resource(crd), CrdRules.types(crd, conversions.of(crd)));
        if (change.previous() != null && !change.previous().path("spec").equals(crd.path("spec"))) {
          warn(crd);
          try (Store.Transaction tx = store.begin()) {
            tx.restart(CrdRules.resource(crd));
          }
        }
        if (change.meta().deleting()) {
          background.run(() -> cleanUp(change.meta().key()));
        }
      }
      case DELETED -> {
        types.replace(CrdRules.resource(crd), List.of());
        try (Store.Transaction tx = store.begin()) {
          tx.drop(CrdRules.resource(crd));
        }
      }
    }
  }

  private static void warn(ObjectNode crd) {
    CrdRules.unsupportedRules(crd)
        .forEach(
            (rule, reason) ->
                log.warn(
                    "The embedded API server accepts all objects for the rule '{}' of {}, because it"
                        + " lacks a function of Kubernetes ({}). Test the rule on a real server",
                    rule,
                    CrdRules.resource(crd),
                    reason));
  }

  /** Continues the deletion of a CRD after one of its custom resources has been deleted. */
  private void reviewTerminating(GroupResource resource, Change change) {
    if (change.type() == Change.Type.DELETED && resource.group().contains(".")) {
      background.run(() -> cleanUp(new ObjectKey("", resource.toString())));
    }
  }

  /**
   * Marks a new CRD as established. This is a separate write, so a watch receives an event for it.
   */
  private void establish(ObjectNode crd) {
    ObjectNode established = crd.deepCopy();
    Meta meta = Meta.of(established);
    Set<String> finalizers = new LinkedHashSet<>(meta.finalizers());
    finalizers.add(FINALIZER);
    meta.finalizers(finalizers);
    ObjectNode status = established.putObject("status");
    ArrayNode conditions = status.putArray("conditions");
    condition(conditions, "NamesAccepted", "NoConflicts", "no conflicts found");
    condition(
        conditions, "Established", "InitialNamesAccepted", "the initial names have been accepted");
    status.set("acceptedNames", crd.path("spec").path("names"));
    ArrayNode versions = status.putArray("storedVersions");
    crd.path("spec")
        .path("versions")
        .forEach(
            version -> {
              if (version.path("storage").asBoolean()) {
                versions.add(version.path("name"));
              }
            });
    try (Store.Transaction tx = store.begin()) {
      tx.put(BuiltInTypes.CRDS, established);
    }
  }

  private void condition(ArrayNode conditions, String type, String reason, String message) {
    conditions
        .addObject()
        .put("type", type)
        .put("status", "True")
        .put("lastTransitionTime", writes.now())
        .put("reason", reason)
        .put("message", message);
  }

  private void cleanUp(ObjectKey key) {
    try (Store.Transaction tx = store.begin()) {
      ObjectNode crd = tx.get(BuiltInTypes.CRDS, key);
      if (crd == null || !Meta.of(crd).deleting()) {
        return;
      }
      GroupResource resource = CrdRules.resource(crd);
      for (ObjectNode object : List.copyOf(tx.table(resource).objects().values())) {
        if (!Meta.of(object).deleting()) {
          types
              .find(resource)
              .ifPresent(
                  type ->
                      deletes.delete(
                          type, Meta.of(object).key(), DeleteOptions.of(Propagation.BACKGROUND)));
        }
      }
      if (tx.table(resource).objects().isEmpty()) {
        release(key);
      }
    }
  }

  private void release(ObjectKey key) {
    writes.tryUpdate(
        types.get(BuiltInTypes.CRDS),
        key,
        "",
        copy -> {
          List<String> left = Meta.of(copy).finalizers();
          left.remove(FINALIZER);
          Meta.of(copy).finalizers(left);
          return copy;
        });
  }
}
