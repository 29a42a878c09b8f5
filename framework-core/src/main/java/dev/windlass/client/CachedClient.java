// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.client.apply.ApplyCache;
import dev.windlass.client.pipeline.OwnWrites;
import dev.windlass.client.pipeline.WriterContext;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.object.CachedObject;
import dev.windlass.object.NotCachedException;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ObjectSerialization;
import dev.windlass.object.Projection;
import dev.windlass.object.ReadableObjects;
import dev.windlass.object.ResourceType;
import dev.windlass.object.Transform;
import dev.windlass.object.UndecodableException;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Client} that reads from the caches of a {@link SharedInformerFactory}. By default, the
 * client uses only caches that already exist. With {@link Settings#withCacheOnFirstUse}, it also
 * creates missing caches.
 *
 * <p>Reads reflect the writes of this process if {@link OwnWrites} is the {@link
 * dev.windlass.client.pipeline.WriteHook WriteHook} of the fabric8 client.
 */
public final class CachedClient implements Client {

  /**
   * The settings of a {@link CachedClient}. Start from {@link #DEFAULT}. Instances are immutable.
   */
  public static final class Settings {

    /**
     * The default settings: the client has no field owner, skips writes that would have no effect,
     * and does not cache types on first use.
     */
    public static final Settings DEFAULT = new Settings("", true, false);

    private final String fieldOwner;
    private final boolean skipNoOps;
    private final boolean cacheOnFirstUse;

    private Settings(String fieldOwner, boolean skipNoOps, boolean cacheOnFirstUse) {
      this.fieldOwner = fieldOwner;
      this.skipNoOps = skipNoOps;
      this.cacheOnFirstUse = cacheOnFirstUse;
    }

    /**
     * Returns a copy of these settings with the given default field owner. The client uses it
     * outside reconciles, and for subresources. If the default field owner is empty, the client
     * rejects applies outside reconciles. For other writes, the server then derives the field owner
     * from the user agent.
     */
    public Settings withFieldOwner(String owner) {
      return new Settings(owner, skipNoOps, cacheOnFirstUse);
    }

    /**
     * Returns a copy of these settings that specifies whether the client skips writes that would
     * have no effect.
     */
    public Settings withSkipNoOps(boolean skip) {
      return new Settings(fieldOwner, skip, cacheOnFirstUse);
    }

    /**
     * Returns a copy of these settings that specifies whether the client creates a cache for a type
     * when it first reads this type. It never creates caches for Secrets or for types without a
     * Java class. Until a new cache has synced, the client reads from the server.
     */
    public Settings withCacheOnFirstUse(boolean cache) {
      return new Settings(fieldOwner, skipNoOps, cache);
    }

    String fieldOwner() {
      return fieldOwner;
    }

    boolean skipNoOps() {
      return skipNoOps;
    }

    boolean cacheOnFirstUse() {
      return cacheOnFirstUse;
    }
  }

  private final LiveClient live;
  private final CacheReader cacheReader;
  private final Settings settings;
  private final ApplyCache applied;
  private final LongAdder skipped;

  /**
   * Creates a client that reads from the caches of the given factory and has the {@linkplain
   * Settings#DEFAULT default settings}.
   */
  public CachedClient(KubernetesClient client, SharedInformerFactory informers) {
    this(client, informers, Settings.DEFAULT);
  }

  /**
   * Creates a client that reads from the caches of the given factory.
   *
   * @param client the fabric8 client, which sends the writes and the reads that no cache can serve.
   *     The caller remains responsible for closing it. Disable retries in its configuration;
   *     otherwise, fabric8 also retries creations
   */
  public CachedClient(KubernetesClient client, SharedInformerFactory informers, Settings settings) {
    this(client, informers, settings, type -> false);
  }

  /**
   * Creates a client that reads from the caches of the given factory. Use this constructor if the
   * caches may be restricted to certain namespaces.
   *
   * @param listsEverywhere returns whether the program can list the given type in all namespaces.
   *     For any other type, a list of all namespaces covers only the namespaces of the caches
   */
  public CachedClient(
      KubernetesClient client,
      SharedInformerFactory informers,
      Settings settings,
      Predicate<ResourceType> listsEverywhere) {
    this(
        new LiveClient(client).with(options(settings)),
        new CacheReader(
            new LiveClient(client), informers, settings.cacheOnFirstUse(), listsEverywhere),
        settings,
        new ApplyCache(client.getKubernetesSerialization()),
        new LongAdder());
  }

  private CachedClient(
      LiveClient live,
      CacheReader cacheReader,
      Settings settings,
      ApplyCache applied,
      LongAdder skipped) {
    this.live = live;
    this.cacheReader = cacheReader;
    this.settings = settings;
    this.applied = applied;
    this.skipped = skipped;
  }

  private static WriteOptions options(Settings settings) {
    return WriteOptions.DEFAULT.outsideOfReconciles(settings.fieldOwner());
  }

  /**
   * Internal: returns a copy of the given client whose writes use the given context on every
   * thread. If the client does not support contexts, returns it unchanged. The clients of a manager
   * support contexts.
   */
  @SuppressWarnings("exports") // only the controller calls this method
  public static Client bound(Client client, WriterContext to) {
    if (client instanceof CachedClient cached) {
      return new CachedClient(
          cached.live.in(to), cached.cacheReader, cached.settings, cached.applied, cached.skipped);
    }
    return client instanceof LiveClient live ? live.in(to) : client;
  }

  /** Returns the number of writes that the client skipped because they would have had no effect. */
  public long skippedWrites() {
    return skipped.sum();
  }

  // ---- reads

  @Override
  public <T extends HasMetadata> Optional<T> get(Class<T> type, ObjectKey key) {
    return cacheReader.get(cacheReader.codec(type), key);
  }

  @Override
  public Optional<GenericKubernetesResource> get(ResourceType type, ObjectKey key) {
    return cacheReader.get(cacheReader.codec(type), key);
  }

  @Override
  @SuppressWarnings("unchecked") // the object's class is a Class<T>
  public <T extends HasMetadata> Optional<T> get(T like) {
    ResourceType type = live.typeOf(like);
    ObjectKey key = type.keyOf(like);
    return like instanceof GenericKubernetesResource
        ? (Optional<T>) get(type, key)
        : get((Class<T>) like.getClass(), key);
  }

  @Override
  public <T extends HasMetadata> ReadableObjects<T> listReadable(
      Class<T> type, ListParams options) {
    return cacheReader.list(cacheReader.codec(type), options);
  }

  @Override
  public List<GenericKubernetesResource> list(ResourceType type, ListParams options) {
    return cacheReader.list(cacheReader.codec(type), options).all();
  }

  // ---- writes

  @Override
  public <T extends HasMetadata> T create(T object) {
    return live.create(object);
  }

  @Override
  public <T extends HasMetadata> T update(T object) {
    return update(object, "");
  }

  private <T extends HasMetadata> T update(T object, String subresource) {
    PartialWriteCheck.requireWhole(object, subresource);
    Optional<CachedObject<T>> base =
        state(object, object.getMetadata().getResourceVersion()).filter(CachedObject::hasContent);
    Optional<T> before = base.flatMap(CachedClient::decoded);
    boolean isWhole = subresource.isEmpty() || subresource.equals("status");
    if (before.isPresent()
        && isWhole
        && skips()
        && isSame(object, before.get())
        && !(subresource.equals("status") && live.addsToStatus(object, base.get().json()))) {
      skipped.increment();
      return before.get();
    }
    return live.update(object, subresource, base.map(CachedObject::json), before);
  }

  private static <T> Optional<T> decoded(CachedObject<T> state) {
    try {
      return Optional.of(state.decode());
    } catch (UndecodableException e) {
      return Optional.empty(); // the server decides whether a write changes anything
    }
  }

  private boolean skips() {
    return settings.skipNoOps() && !live.options().dryRun();
  }

  @Override
  public <T extends HasMetadata> T patch(T object, ObjectPatch patch) {
    PartialWriteCheck.requireSameView(object, patch);
    Optional<T> same = unpatched(object, patch);
    return same.isPresent() ? same.get() : live.patch(object, patch);
  }

  private <T extends HasMetadata> Optional<T> unpatched(T object, ObjectPatch patch) {
    return patch.changesNothing(serialization(), object)
        ? asCached(object, patch.before().orElseThrow().getMetadata().getResourceVersion())
        : Optional.empty();
  }

  @Override
  public <T extends HasMetadata> T apply(T object) {
    return apply(object, "", Optional.empty());
  }

  @Override
  public <T extends HasMetadata> T applyWhole(T object, T existing) {
    return apply(live.ofSameUid(object, existing), "", Optional.of(existing));
  }

  private <T extends HasMetadata> T apply(T object, String subresource, Optional<T> existing) {
    ServerSideApply<T> apply = live.applying(object, subresource, existing);
    Optional<CachedObject<T>> cached = known(object);
    if (!skips()) {
      return apply.send(base(object), cached, false);
    }
    String configuration = live.configurations().toApply(object);
    ApplyCache.Target target = target(object, subresource);
    boolean check = apply.mayTakeOver(!applied.isKnown(target), cached);
    if (cached.isPresent() && !check) {
      try {
        Optional<T> same = applied.unchanged(target, configuration, cached.get());
        if (same.isPresent()) {
          skipped.increment();
          return same.get();
        }
      } catch (UndecodableException | NotCachedException e) {
        // The server decides whether the apply changes anything.
      }
    }
    T answer = apply.send(base(object), cached, check);
    applied.applied(target, configuration, answer, known(object));
    return answer;
  }

  /**
   * Returns the newest resourceVersion of the object in the caches, if the running reconcile
   * observes which version its apply replaces.
   */
  private Optional<String> base(HasMetadata object) {
    return live.options().isObserved()
        ? cacheReader.newestVersion(live.typeOf(object), ObjectKey.of(object))
        : Optional.empty();
  }

  private ApplyCache.Target target(HasMetadata object, String subresource) {
    return new ApplyCache.Target(
        live.typeOf(object), ObjectKey.of(object), subresource, live.options().applier());
  }

  @Override
  public <T extends HasMetadata> T applyNew(T object) {
    T created = live.applyNew(object);
    if (settings.skipNoOps() && !live.options().dryRun()) {
      String configuration = live.configurations().toApply(object);
      applied.applied(target(object, ""), configuration, created, known(object));
    }
    return created;
  }

  /**
   * Returns the cached object, if a write that is based on the given resourceVersion and changes
   * nothing can be skipped.
   */
  private <T extends HasMetadata> Optional<T> asCached(T object, @Nullable String version) {
    Optional<T> cached =
        skips() ? state(object, version).flatMap(CachedClient::decoded) : Optional.empty();
    cached.ifPresent(any -> skipped.increment());
    return cached;
  }

  /** Returns the given version of an object, if {@link #known} returns this version. */
  private <T extends HasMetadata> Optional<CachedObject<T>> state(
      T object, @Nullable String version) {
    return known(object).filter(state -> state.resourceVersion().equals(version));
  }

  /**
   * Returns the whole object that a read would return, if a cache or this process's last write
   * provides it. This method does not send a request.
   */
  private <T extends HasMetadata> Optional<CachedObject<T>> known(T object) {
    if (object.getMetadata().getName() == null) {
      return Optional.empty();
    }
    return cacheReader
        .codecOf(object)
        .flatMap(codec -> cacheReader.known(codec, ObjectKey.of(object)));
  }

  private <T extends HasMetadata> boolean isSame(T object, T cached) {
    return cacheReader.codecOf(object).filter(codec -> codec.isSame(object, cached)).isPresent();
  }

  @Override
  public <T extends HasMetadata> boolean delete(Class<T> type, ObjectKey key, DeleteParams which) {
    return live.delete(type, key, which);
  }

  @Override
  public boolean delete(ResourceType type, ObjectKey key, DeleteParams which) {
    return live.delete(type, key, which);
  }

  @Override
  public <T extends HasMetadata> void deleteAllOf(
      Class<T> type, ListParams which, DeleteParams how) {
    live.deleteAllOf(type, which, how);
  }

  @Override
  public SubresourceClient subresource(String name) {
    SubresourceClient sent = live.subresource(name);
    return new SubresourceClient() {
      @Override
      public <T extends HasMetadata> T update(T object) {
        return CachedClient.this.update(object, name);
      }

      @Override
      public <T extends HasMetadata> T patch(T object, ObjectPatch patch) {
        PartialWriteCheck.requireSameView(object, patch);
        Optional<T> same = name.equals("status") ? unpatched(object, patch) : Optional.empty();
        return same.isPresent() ? same.get() : sent.patch(object, patch);
      }

      @Override
      public <T extends HasMetadata> T apply(T object) {
        return CachedClient.this.apply(object, name, Optional.empty());
      }

      @Override
      public <B> B read(Class<? extends HasMetadata> type, ObjectKey key, Class<B> bodyType) {
        return sent.read(type, key, bodyType);
      }

      @Override
      public <B> B replace(Class<? extends HasMetadata> type, ObjectKey key, B body) {
        return sent.replace(type, key, body);
      }

      @Override
      public <B, R> R create(
          Class<? extends HasMetadata> type, ObjectKey key, B body, Class<R> answerType) {
        return sent.create(type, key, body, answerType);
      }
    };
  }

  // ---- variants

  @Override
  public Client uncached() {
    return live;
  }

  @Override
  public Client reading(Projection projection) {
    Objects.requireNonNull(projection, "reading(...) was given null: pass a Projection");
    return reading(new RequestedContent(projection, Transform.NONE));
  }

  @Override
  public Client reading(Transform transform) {
    Objects.requireNonNull(
        transform, "reading(...) was given null: pass Transform.NONE to keep all fields");
    return reading(new RequestedContent(Projection.STRIPPED, transform));
  }

  private Client reading(RequestedContent content) {
    return new CachedClient(live, cacheReader.of(content), settings, applied, skipped);
  }

  @Override
  public Client dryRun() {
    return with(live.options().inDryRun());
  }

  @Override
  public Client withFieldOwner(String owner) {
    return with(live.options().withFieldOwner(owner));
  }

  @Override
  public Client withFieldValidation(FieldValidation validation) {
    return with(live.options().withValidation(validation));
  }

  @Override
  public Client withoutForce() {
    return with(live.options().withoutForce());
  }

  private Client with(WriteOptions options) {
    return new CachedClient(live.with(options), cacheReader, settings, applied, skipped);
  }

  @Override
  public ObjectSerialization serialization() {
    return live.serialization();
  }
}
