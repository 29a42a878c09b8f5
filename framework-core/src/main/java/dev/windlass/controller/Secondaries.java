// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import dev.windlass.client.Client;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.informer.index.IndexFunction;
import dev.windlass.informer.index.Overlay;
import dev.windlass.informer.index.Query;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the reconciles of a builder's controller work with: the manager's client, and the objects of
 * owned types by the uid of their controller. That index is made when it is asked for first.
 */
record Secondaries(Clusters clusters, Client live, Watches.Sources sources)
    implements ReconcileTools {

  /** The name of the index. */
  static final String INDEX = "windlass.controllerUid";

  /** Up to so many objects of unknown state are read one by one; above, all are listed. */
  private static final int SINGLE_READS = 20;

  /** One function for all caches: an index is shared by those who give the same one. */
  private static final IndexFunction<?> CONTROLLER_UID =
      object -> object.controllerOwner().map(owner -> List.of(owner.uid())).orElse(List.of());

  @Override
  public boolean accepts(Request request) {
    return sources.accepts().test(request);
  }

  @Override
  public Client client(Request request) {
    return clusters.client(request.cluster());
  }

  @Override
  public <S extends HasMetadata> List<S> secondaries(Class<S> type, Request request) {
    Watches.Sources.Watched<S> owned = owned(type);
    Optional<String> uid = sources.states().primary(request).map(CachedObject::uid);
    if (uid.isEmpty()) {
      return List.of(); // what it owned is the garbage collector's
    }
    owned.source().indexer().addIndex(INDEX, controllerUid());
    List<S> found = new ArrayList<>();
    LiveReads<S> server = new LiveReads<>(live, owned.spec());
    if (!owned.source().hasSynced(request.namespace())) { // as of a namespace that is new
      return server.list(request.namespace()).stream()
          .filter(object -> isControlledBy(object, uid.get()))
          .toList();
    }
    for (Overlay<S> overlay : owned.source().overlays(request.namespace())) {
      find(overlay, request.namespace(), uid.get(), server, found);
    }
    return found;
  }

  @SuppressWarnings("unchecked") // of one class
  private <S extends HasMetadata> Watches.Sources.Watched<S> owned(Class<S> type) {
    return (Watches.Sources.Watched<S>)
        sources.owned().stream()
            .filter(watched -> watched.spec().codec().target() == type)
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "the controller does not own the type %s: call owns(%s.class)"
                            .formatted(type.getSimpleName(), type.getSimpleName())));
  }

  @SuppressWarnings("unchecked") // looks at metadata only
  private static <S> IndexFunction<S> controllerUid() {
    return (IndexFunction<S>) CONTROLLER_UID;
  }

  private static <S extends HasMetadata> void find(
      Overlay<S> overlay, String namespace, String uid, LiveReads<S> server, List<S> found) {
    Query query = Query.ALL.inNamespace(namespace).withIndex(INDEX, uid);
    Set<ObjectKey> unclear = overlay.unclearKeys(namespace);
    if (unclear.size() > SINGLE_READS || overlay.isAnyUnclear(namespace)) {
      server.list(namespace).stream()
          .filter(object -> isControlledBy(object, uid))
          .forEach(found::add);
      return;
    }
    for (S object : overlay.lister().list(query)) {
      if (!unclear.contains(ObjectKey.of(object))) {
        found.add(object);
      }
    }
    for (ObjectKey key : unclear) {
      server.apply(key).filter(object -> isControlledBy(object, uid)).ifPresent(found::add);
    }
  }

  private static boolean isControlledBy(HasMetadata object, String uid) {
    return object.getMetadata().getOwnerReferences().stream()
        .anyMatch(
            owner -> Boolean.TRUE.equals(owner.getController()) && uid.equals(owner.getUid()));
  }
}
