// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.client.CacheSelector.ReadScope;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.ownwrites.ServerReader;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ReadableObjects;
import dev.windlass.object.ResourceType;
import dev.windlass.object.UndecodableException;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Reads objects from a cache that covers the read. Such a cache holds every object that the result
 * can contain. If no cache covers the read, or if the cache is known to lag behind this process's
 * own writes, the reader sends a request to the server.
 *
 * <p>A {@code get} can also use a cache that is restricted by selectors or to a namespace. If this
 * cache contains the object, the reader returns it. Otherwise, the object may still exist, so the
 * reader sends a request, whose result it does not cache. If the program is restricted to certain
 * namespaces, a list of all namespaces combines the lists of these namespaces. This class is
 * thread-safe.
 */
final class CacheReader {

  private final LiveClient live;
  private final SharedInformerFactory informers;
  private final CacheSelector cacheSelector;
  private final boolean cacheOnFirstUse;
  private final Predicate<ResourceType> listsEverywhere;
  private final RequestedContent content;

  /**
   * The codecs, keyed by class, or by resource type for objects without a class of their own.
   * Codecs are reused, because each codec introspects its class only once.
   */
  private final Map<Object, ObjectCodec<?>> codecs = new ConcurrentHashMap<>();

  /**
   * The codecs that decode only the requested content of an object, keyed by the corresponding
   * codecs for whole objects.
   */
  private final Map<ObjectCodec<?>, ObjectCodec<?>> reduced = new ConcurrentHashMap<>();

  /**
   * Creates a reader that returns whole objects.
   *
   * @param listsEverywhere tests whether the program has declared that it lists a type in all
   *     namespaces
   */
  CacheReader(
      LiveClient live,
      SharedInformerFactory informers,
      boolean cacheOnFirstUse,
      Predicate<ResourceType> listsEverywhere) {
    this(live, informers, cacheOnFirstUse, listsEverywhere, RequestedContent.WHOLE);
  }

  private CacheReader(
      LiveClient live,
      SharedInformerFactory informers,
      boolean cacheOnFirstUse,
      Predicate<ResourceType> listsEverywhere,
      RequestedContent content) {
    this.live = live;
    this.informers = informers;
    this.cacheSelector = new CacheSelector(informers);
    this.cacheOnFirstUse = cacheOnFirstUse;
    this.listsEverywhere = listsEverywhere;
    this.content = content;
  }

  CacheReader of(RequestedContent other) {
    return new CacheReader(live, informers, cacheOnFirstUse, listsEverywhere, other);
  }

  @SuppressWarnings("unchecked") // the key is the class of T
  <T extends HasMetadata> ObjectCodec<T> codec(Class<T> type) {
    return (ObjectCodec<T>)
        codecs.computeIfAbsent(type, any -> ObjectCodec.of(type).with(live.serialization()));
  }

  @SuppressWarnings("unchecked") // codecs of resource types create only generic objects
  ObjectCodec<GenericKubernetesResource> codec(ResourceType type) {
    return (ObjectCodec<GenericKubernetesResource>)
        codecs.computeIfAbsent(type, any -> ObjectCodec.of(type).with(live.serialization()));
  }

  @SuppressWarnings("unchecked") // both codecs create objects of class T
  private <T> ObjectCodec<T> reduced(ObjectCodec<T> whole) {
    return (ObjectCodec<T>) reduced.computeIfAbsent(whole, content::codec);
  }

  /**
   * Returns the codec for an object. The result is empty if the object is a
   * GenericKubernetesResource and its type is not cached.
   */
  @SuppressWarnings("unchecked") // the object's class is a Class<T>
  <T extends HasMetadata> Optional<ObjectCodec<T>> codecOf(T object) {
    if (!(object instanceof GenericKubernetesResource)) {
      return Optional.of(codec((Class<T>) object.getClass()));
    }
    return informers.informers().stream()
        .map(SharedIndexInformer::type)
        .filter(type -> type.kind().equals(object.getKind()))
        .filter(type -> type.apiVersion().equals(object.getApiVersion()))
        .findFirst()
        .map(type -> (ObjectCodec<T>) codec(type));
  }

  <T extends HasMetadata> Optional<T> get(ObjectCodec<T> codec, ObjectKey key) {
    ResourceType type = codec.type();
    type.requireScope(key);
    List<SharedIndexInformer<?>> caches = cacheSelector.readable(type, key.namespace(), content);
    if (caches.isEmpty()) {
      cacheFromNowOn(codec);
    }
    if (isUnclear(caches, key)) {
      return liveGet(codec, key);
    }
    Optional<Found> found = latest(caches, key);
    return found.isPresent() || caches.stream().anyMatch(CacheSelector::isComplete)
        ? found.map(f -> content.of(f.cache.spec(), f.state, reduced(codec)))
        : liveGet(codec, key);
  }

  private record Found(SharedIndexInformer<?> cache, CachedObject<?> state) {}

  private static boolean isUnclear(List<SharedIndexInformer<?>> caches, ObjectKey key) {
    return caches.stream().anyMatch(cache -> cache.overlay().isUnclear(key));
  }

  /**
   * Returns the object from the cache that holds all objects of the type. If there is no such
   * cache, returns the newest version from any of the given caches.
   */
  private static Optional<Found> latest(List<SharedIndexInformer<?>> caches, ObjectKey key) {
    Found latest = null;
    for (SharedIndexInformer<?> cache : caches) {
      Optional<? extends CachedObject<?>> state = cache.overlay().get(key);
      if (CacheSelector.isComplete(cache)) {
        return state.map(all -> new Found(cache, all));
      }
      if (state.isPresent() && (latest == null || latest.state.version() < state.get().version())) {
        latest = new Found(cache, state.get());
      }
    }
    return Optional.ofNullable(latest);
  }

  /**
   * Returns the whole object that a read would return, if a cache or this process's last write
   * provides it. This method does not send a request.
   */
  <T extends HasMetadata> Optional<CachedObject<T>> known(ObjectCodec<T> codec, ObjectKey key) {
    List<SharedIndexInformer<?>> caches =
        cacheSelector.readable(codec.type(), key.namespace(), RequestedContent.WHOLE);
    return isUnclear(caches, key)
        ? Optional.empty()
        : latest(caches, key).map(found -> found.state.as(codec));
  }

  /**
   * Returns the newest resourceVersion of an object in any cache, including caches that hold only a
   * part of each object. Returns empty if no cache holds the object, or if a cache may lack a write
   * of this process. This method does not send a request.
   */
  Optional<String> newestVersion(ResourceType type, ObjectKey key) {
    List<SharedIndexInformer<?>> caches = cacheSelector.reaching(type, key.namespace()).toList();
    long newest = 0; // less than any version
    for (SharedIndexInformer<?> cache : caches) {
      newest = Math.max(newest, cache.overlay().get(key).map(CachedObject::version).orElse(0L));
    }
    return newest == 0 || isUnclear(caches, key)
        ? Optional.empty()
        : Optional.of(Long.toString(newest));
  }

  <T extends HasMetadata> ReadableObjects<T> list(ObjectCodec<T> codec, ListParams options) {
    codec.type().requireListable(options.namespace());
    ReadableObjects<T> found = all(codec, options);
    return options.limit() == 0 || found.objects().size() <= options.limit()
        ? found
        : new ReadableObjects<>(found.objects().subList(0, options.limit()), found.unreadable());
  }

  private <T extends HasMetadata> ReadableObjects<T> all(ObjectCodec<T> codec, ListParams options) {
    ResourceType type = codec.type();
    Optional<SharedIndexInformer<?>> cache = cacheSelector.covering(type, scope(options), content);
    if (cache.isPresent()) {
      return list(cache.get(), codec, options);
    }
    if (cacheSelector.readable(type, options.namespace(), content).isEmpty()) {
      cacheFromNowOn(codec);
    }
    Optional<Set<String>> restriction =
        options.namespace().isEmpty() ? informers.restriction(type) : Optional.empty();
    if (restriction.isPresent() && !listsEverywhere.test(type)) {
      ReadableObjects<T> found = ReadableObjects.none();
      for (String namespace : new TreeSet<>(restriction.get())) {
        found.addAll(all(codec, options.inNamespace(namespace)));
      }
      return found;
    }
    if (!options.indexValues().isEmpty()) {
      throw new IllegalStateException(whyNoIndex(type, options));
    }
    return live.list(codec, options, content);
  }

  private static ReadScope scope(ListParams options) {
    return new ReadScope(
        options.namespace(),
        options.labels(),
        options.fieldSelector(),
        options.indexValues().stream().map(ListParams.IndexValue::index).toList());
  }

  private <C, T extends HasMetadata> ReadableObjects<T> list(
      SharedIndexInformer<C> cache, ObjectCodec<T> codec, ListParams options) {
    ObjectCodec<T> reduced = reduced(codec);
    return cache
        .overlay()
        .read(
            options.namespace(),
            options.query(),
            state -> content.of(cache.spec(), state, reduced),
            new ServerReader<>() {
              @Override
              public ReadableObjects<T> get(ObjectKey key) {
                return liveSelected(codec, key, options);
              }

              @Override
              public ReadableObjects<T> list(String namespace) {
                return live.list(codec, options.withoutIndices(), content);
              }

              @Override
              public boolean selects(T object) {
                return matches(cache, codec, object, options);
              }

              @Override
              public boolean selects(ObjectKey unreadable) {
                return isSelected(cache, codec.type(), unreadable, options);
              }
            });
  }

  /**
   * Returns the object with the given key, if its fields match the field selector. The server
   * evaluates the selector.
   */
  private <T extends HasMetadata> ReadableObjects<T> liveSelected(
      ObjectCodec<T> codec, ObjectKey key, ListParams options) {
    if (options.fieldSelector().isEmpty()) {
      return ReadableObjects.of(key, () -> liveGet(codec, key));
    }
    String fields = options.fieldSelector() + ",metadata.name=" + key.name();
    return live.list(codec, ListParams.in(key.namespace()).withFields(fields), content);
  }

  /** Returns whether an object that does not fit its class is selected, as its metadata show. */
  private <C> boolean isSelected(
      SharedIndexInformer<C> cache, ResourceType type, ObjectKey key, ListParams options) {
    ObjectCodec<GenericKubernetesResource> generic = ObjectCodec.of(type);
    try {
      return live.whole(type, key).filter(it -> matches(cache, generic, it, options)).isPresent();
    } catch (UndecodableException e) {
      return false; // an index that decodes objects omits it
    }
  }

  private <C, T extends HasMetadata> boolean matches(
      SharedIndexInformer<C> cache, ObjectCodec<T> codec, T object, ListParams options) {
    CachedObject<C> state = codec.encode(object).as(cache.spec().codec());
    return cache.overlay().matches(state, options.query());
  }

  private <T extends HasMetadata> Optional<T> liveGet(ObjectCodec<T> codec, ObjectKey key) {
    Optional<T> found =
        isGeneric(codec)
            ? live.get(codec.type(), key).map(codec.target()::cast)
            : live.get(codec.target(), key);
    return found.map(whole -> content.of(whole, reduced(codec)));
  }

  private static boolean isGeneric(ObjectCodec<?> codec) {
    return codec.target() == GenericKubernetesResource.class;
  }

  private void cacheFromNowOn(ObjectCodec<? extends HasMetadata> codec) {
    boolean wanted =
        cacheOnFirstUse
            && !isGeneric(codec)
            && codec.target() != Secret.class
            && !informers.policy().isNever(codec.type());
    if (wanted) {
      informers.cache(codec.target());
      informers.startIfStarted();
    }
  }

  /**
   * Returns a message that explains why no cache can be used to list objects by an index, and that
   * states the remedy.
   */
  private String whyNoIndex(ResourceType resource, ListParams options) {
    List<SharedIndexInformer<?>> watched = informers.informers(resource);
    String list =
        "a list of %s by the index %s requires a cache, and "
            .formatted(resource, options.indexValues().get(0).index());
    if (watched.isEmpty()) {
      return list
          + "no cache holds these objects: watch the type with a controller, or register it with"
          + " Manager.cache";
    }
    boolean syncing =
        watched.stream()
            .anyMatch(
                cache ->
                    !cache.hasSynced()
                        && CacheSelector.isComplete(cache)
                        && CacheSelector.reaches(cache, options.namespace()));
    return syncing
        ? list
            + "the cache of %s has not synced yet; in an event handler use".formatted(resource)
            + " ControllerBuilder.watchesReferenced, or the indexer of the cache"
            + " (Manager.cache), which can be read at any time"
        : list
            + "the cache of %s holds only %s: list objects within that scope, or widen it"
                .formatted(resource, watched.get(0).scope());
  }
}
