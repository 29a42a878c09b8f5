// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.building;

import dev.windlass.client.ApiException;
import dev.windlass.client.Client;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.controller.enqueue.InformerSource;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.settings.ObjectAccess;
import dev.windlass.informer.index.IndexFunction;
import dev.windlass.informer.index.Query;
import dev.windlass.informer.ownwrites.Overlay;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.Projection;
import dev.windlass.object.ReadableObjects;
import dev.windlass.object.ResourceType;
import dev.windlass.object.UndecodableException;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Gives a controller's reconciles access to the manager's clients and to the objects of owned
 * types. This class finds these objects with an index of the uids of their controlling owners. It
 * adds the index to each cache on first use.
 */
record SecondaryResources(Clusters clusters, Client live, WatchSelection.Sources sources)
    implements ObjectAccess {

  /** The name of the index, which maps the uid of a controlling owner to its objects. */
  static final String INDEX = "windlass.controllerUid";

  /**
   * The maximum number of objects that {@link #secondaries} reads individually from the server: 20.
   * It reads an object from the server if the cache's overlay does not know the current version. If
   * there are more than 20 such objects, it lists the objects in the namespace instead.
   */
  private static final int SINGLE_READS = 20;

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
    LiveReader<S> server = new LiveReader<>(live, watched.spec());
    InformerSource<S> source = watched.source();
    source.indexer().addIndex(INDEX, controllerUid());
    if (!source.hasSynced(namespace)) { // for example, a new namespace
      return controlled(server, namespace, uid);
    }
    List<S> found = new ArrayList<>();
    for (Overlay<S> overlay : source.overlays(namespace)) {
      found.addAll(find(overlay, namespace, uid, server, form(watched.spec().codec())));
    }
    return found;
  }

  /**
   * Returns a codec for objects in the form in which the cache holds them: complete or with
   * metadata only.
   */
  private static <S> ObjectCodec<S> form(ObjectCodec<S> kept) {
    return kept.projection() == Projection.METADATA ? kept.ofMetadata() : kept;
  }

  private static <S extends HasMetadata> List<S> find(
      Overlay<S> overlay, String namespace, String uid, LiveReader<S> server, ObjectCodec<S> form) {
    Set<ObjectKey> unclear = overlay.unclearKeys(namespace);
    if (unclear.size() > SINGLE_READS || overlay.isAnyUnclear(namespace)) {
      return controlled(server, namespace, uid);
    }
    Query query = Query.ALL.inNamespace(namespace).withIndex(INDEX, uid);
    ReadableObjects<S> cached = overlay.lister().listReadable(query, form);
    cached.unreadable().keySet().removeAll(unclear);
    List<S> found = cached.all();
    found.removeIf(object -> unclear.contains(ObjectKey.of(object)));
    for (ObjectKey key : unclear) {
      try {
        server.apply(key).filter(object -> isControlledBy(object, uid)).ifPresent(found::add);
      } catch (UndecodableException | ApiException e) {
        rethrowOwn(e, server, key, uid);
      }
    }
    return found;
  }

  private static <S extends HasMetadata> List<S> controlled(
      LiveReader<S> server, String namespace, String uid) {
    ReadableObjects<S> read = server.list(namespace);
    read.unreadable().forEach((key, e) -> rethrowOwn(e, server, key, uid));
    return read.objects().stream().filter(object -> isControlledBy(object, uid)).toList();
  }

  /**
   * Throws the given exception, unless it states that an object cannot be decoded that belongs to
   * another owner. Such an object must not affect this owner.
   */
  private static void rethrowOwn(
      RuntimeException e, LiveReader<?> server, ObjectKey key, String uid) {
    boolean misfit =
        e instanceof UndecodableException || e.getCause() instanceof UndecodableException;
    if (!misfit || server.metadata(key).filter(object -> isControlledBy(object, uid)).isPresent()) {
      throw e;
    }
  }

  private static boolean isControlledBy(HasMetadata object, String uid) {
    return OwnerReferences.controllerOf(object)
        .filter(owner -> uid.equals(owner.getUid()))
        .isPresent();
  }
}
