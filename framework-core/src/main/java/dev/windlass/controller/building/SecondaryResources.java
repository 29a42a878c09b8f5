// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.building;

import dev.windlass.client.Client;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.controller.enqueue.InformerSource;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.settings.ObjectAccess;
import dev.windlass.informer.index.IndexFunction;
import dev.windlass.informer.index.Query;
import dev.windlass.informer.ownwrites.Overlay;
import dev.windlass.informer.ownwrites.ServerReader;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.Projection;
import dev.windlass.object.ReadableObjects;
import dev.windlass.object.ResourceType;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Gives a controller's reconciles access to the manager's clients and to the objects of owned
 * types. This class finds these objects with an index of the uids of their controlling owners. It
 * adds the index to each cache on first use.
 */
record SecondaryResources(Clusters clusters, Client live, WatchSelection.Sources sources)
    implements ObjectAccess {

  /** The name of the index, which maps the uid of a controlling owner to its objects. */
  static final String INDEX = "windlass.controllerUid";

  /** The index function. Users of a cache share an index only if they pass the same function. */
  private static final IndexFunction<?> CONTROLLER_UID =
      object -> object.controllerOwner().map(owner -> List.of(owner.uid())).orElse(List.of());

  @Override
  public Client client(Request request) {
    return clusters.client(request.cluster());
  }

  @Override
  public <S extends HasMetadata> List<S> secondaries(Class<S> type, Request request) {
    List<WatchSelection.Sources.Watched<S>> owned = owned(type);
    String cluster = owned.get(0).spec().cluster();
    if (!cluster.equals(request.cluster())) {
      throw new IllegalArgumentException(
          "the controller owns the type %s in %s only, but the request is for %s: use client().list(...) instead"
              .formatted(
                  type.getSimpleName(), Clusters.text(cluster), Clusters.text(request.cluster())));
    }
    Optional<String> uid = uid(request);
    if (uid.isEmpty()) {
      return List.of(); // no primary object: the garbage collector deletes its objects
    }
    Map<ObjectKey, S> found = new LinkedHashMap<>(); // specs of one type can overlap
    for (WatchSelection.Sources.Watched<S> watched : owned) {
      for (S object : find(watched, request.namespace(), uid.get())) {
        found.put(ObjectKey.of(object), object);
      }
    }
    return new ArrayList<>(found.values());
  }

  /**
   * Returns the uid of the primary object. If the cache for the request's namespace has not synced,
   * this method reads the object from the server.
   */
  private Optional<String> uid(Request request) {
    WatchSelection.Sources.Watched<?> primary =
        sources.primary().orElseThrow(); // owned types require a primary type
    return primary.source().hasSynced(request.namespace())
        ? sources.lookup().primary(request).map(CachedObject::uid)
        : new LiveReader<>(live, primary.spec())
            .apply(request.key())
            .map(object -> object.getMetadata().getUid());
  }

  @SuppressWarnings("unchecked") // all objects have this class
  private <S extends HasMetadata> List<WatchSelection.Sources.Watched<S>> owned(Class<S> type) {
    List<WatchSelection.Sources.Watched<S>> found = new ArrayList<>();
    for (WatchSelection.Sources.Watched<?> watched : sources.owned()) {
      if (watched.spec().codec().target() == type) {
        found.add((WatchSelection.Sources.Watched<S>) watched);
      }
    }
    String name = type.getSimpleName();
    if (found.isEmpty()) {
      String resource = ResourceType.of(type).resource();
      for (WatchSelection.Sources.Watched<?> other : sources.owned()) {
        if (other.spec().type().resource().equals(resource)) {
          String target = other.spec().codec().target().getSimpleName();
          throw new IllegalArgumentException(
              "the controller owns %s as %s, not as %s: call secondaries(%s.class)"
                  .formatted(resource, target, name, target));
        }
      }
      throw new IllegalArgumentException(
          "the controller does not own the type %s: call owns(%s.class)".formatted(name, name));
    }
    if (found.stream().map(watched -> watched.spec().type()).distinct().count() > 1) {
      throw new IllegalArgumentException(
          "the controller owns several types as %s, so the class is ambiguous: use client().list(type, ...) instead"
              .formatted(name));
    }
    return found;
  }

  @SuppressWarnings("unchecked") // reads metadata only
  private static <S> IndexFunction<S> controllerUid() {
    return (IndexFunction<S>) CONTROLLER_UID;
  }

  private <S extends HasMetadata> List<S> find(
      WatchSelection.Sources.Watched<S> watched, String namespace, String uid) {
    Controlled<S> server = new Controlled<>(new LiveReader<>(live, watched.spec()), uid);
    InformerSource<S> source = watched.source();
    source.indexer().addIndex(INDEX, controllerUid());
    if (!source.hasSynced(namespace)) { // for example, a new namespace
      return server.listSelected(namespace).all();
    }
    ObjectCodec<S> kept = watched.spec().codec();
    ObjectCodec<S> form = kept.projection() == Projection.METADATA ? kept.ofMetadata() : kept;
    Query query = Query.ALL.inNamespace(namespace).withIndex(INDEX, uid);
    List<S> found = new ArrayList<>();
    for (Overlay<S> overlay : source.overlays(namespace)) {
      found.addAll(overlay.read(namespace, query, state -> state.as(form).decode(), server).all());
    }
    return found;
  }

  /**
   * Reads the objects of one owner from the server. An object of another owner that cannot be
   * decoded does not affect this owner.
   */
  private record Controlled<S extends HasMetadata>(LiveReader<S> server, String uid)
      implements ServerReader<S> {

    @Override
    public ReadableObjects<S> get(ObjectKey key) {
      return ReadableObjects.of(key, () -> server.apply(key));
    }

    @Override
    public ReadableObjects<S> list(String namespace) {
      return server.list(namespace);
    }

    @Override
    public boolean selects(S object) {
      return isControlled(object);
    }

    @Override
    public boolean selects(ObjectKey unreadable) {
      return server.metadata(unreadable).filter(this::isControlled).isPresent();
    }

    private boolean isControlled(HasMetadata object) {
      return OwnerReferences.controllerOf(object)
          .filter(owner -> uid.equals(owner.getUid()))
          .isPresent();
    }
  }
}
