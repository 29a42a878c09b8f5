// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.object.CachedObject;
import dev.windlass.object.NotCachedException;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.Projection;
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
 * A {@link Client} over the caches of a {@link SharedInformerFactory}. It reads those that somebody
 * else has asked for, and makes one of its own only if told so.
 *
 * <p>It reads own writes if the given fabric8 client has an {@link OwnWrites} for its hook.
 */
public final class CachedClient implements Client {

  /** How it works. Immutable; start from {@link #DEFAULT}. */
  public static final class Settings {

    /** No owner of its own, no-op writes are left out, nothing is cached unasked. */
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
     * The same with another owner of the fields that are written outside of reconciles; empty to
     * leave it to the server, which refuses applies without one. In a reconcile it is the name of
     * the running controller.
     */
    public Settings withFieldOwner(String owner) {
      return new Settings(owner, skipNoOps, cacheOnFirstUse);
    }

    /** The same, which leaves out writes that would change nothing, or sends them. */
    public Settings withSkipNoOps(boolean skip) {
      return new Settings(fieldOwner, skip, cacheOnFirstUse);
    }

    /**
     * The same, which caches from then on a type that is read for the first time, or does not.
     * Secrets are not cached so. Reads stay live until that cache has synced.
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
  private final CacheReads reads;
  private final Settings settings;
  private final AppliedStates applied;
  private final LongAdder skipped;

  /** As {@link #CachedClient(KubernetesClient, SharedInformerFactory, Settings)}, by default. */
  public CachedClient(KubernetesClient client, SharedInformerFactory informers) {
    this(client, informers, Settings.DEFAULT);
  }

  /**
   * A client over the caches of a factory.
   *
   * @param client for everything that no cache answers; stays the caller's to close. It should not
   *     repeat requests on its own: fabric8 would repeat creations, too
   */
  public CachedClient(KubernetesClient client, SharedInformerFactory informers, Settings settings) {
    this(client, informers, settings, type -> false);
  }

  /**
   * As above.
   *
   * @param listsEverywhere whether a type is listed in all namespaces by a program whose caches are
   *     restricted to some; else its lists of all namespaces are lists of these
   */
  public CachedClient(
      KubernetesClient client,
      SharedInformerFactory informers,
      Settings settings,
      Predicate<ResourceType> listsEverywhere) {
    this(
        new LiveClient(client).with(options(settings)),
        new CacheReads(
            new LiveClient(client), informers, settings.cacheOnFirstUse(), listsEverywhere),
        settings,
        new AppliedStates(client.getKubernetesSerialization()),
        new LongAdder());
  }

  private CachedClient(
      LiveClient live,
      CacheReads reads,
      Settings settings,
      AppliedStates applied,
      LongAdder skipped) {
    this.live = live;
    this.reads = reads;
    this.settings = settings;
    this.applied = applied;
    this.skipped = skipped;
  }

  private static WriteOptions options(Settings settings) {
    return WriteOptions.DEFAULT.outsideOfReconciles(settings.fieldOwner());
  }

  /** The same, which writes in a scope on whichever thread. */
  CachedClient in(WriteScope scope) {
    return new CachedClient(live.in(scope), reads, settings, applied, skipped);
  }

  /** How many writes were left out because they would have changed nothing. */
  public long skippedWrites() {
    return skipped.sum();
  }

  // ---- reads

  @Override
  public <T extends HasMetadata> Optional<T> get(Class<T> type, ObjectKey key) {
    return reads.get(reads.codec(type), key);
  }

  @Override
  public Optional<GenericKubernetesResource> get(ResourceType type, ObjectKey key) {
    return reads.get(reads.codec(type), key);
  }

  @Override
  @SuppressWarnings("unchecked") // the class of a T
  public <T extends HasMetadata> Optional<T> get(T like) {
    ObjectKey key = ObjectKey.of(like);
    return like instanceof GenericKubernetesResource
        ? (Optional<T>) get(live.typeOf(like), key)
        : get((Class<T>) like.getClass(), key);
  }

  @Override
  public <T extends HasMetadata> List<T> list(Class<T> type, ListParams options) {
    return reads.list(reads.codec(type), options);
  }

  @Override
  public List<GenericKubernetesResource> list(ResourceType type, ListParams options) {
    return reads.list(reads.codec(type), options);
  }

  // ---- writes

  @Override
  public <T extends HasMetadata> T create(T object) {
    return live.create(object);
  }

  @Override
  public <T extends HasMetadata> T update(T object) {
    PartialWrites.requireWhole(object, "");
    Optional<T> same = asCached(object, object.getMetadata().getResourceVersion(), true);
    return same.isPresent() ? same.get() : live.update(object);
  }

  @Override
  public <T extends HasMetadata> T patch(T object, ObjectPatch patch) {
    PartialWrites.requireSameForm(object, patch);
    Optional<T> same = unpatched(object, patch);
    return same.isPresent() ? same.get() : live.patch(object, patch);
  }

  private <T extends HasMetadata> Optional<T> unpatched(T object, ObjectPatch patch) {
    return patch.changesNothing(object)
        ? asCached(object, patch.before().orElseThrow().getMetadata().getResourceVersion(), false)
        : Optional.empty();
  }

  @Override
  public <T extends HasMetadata> T apply(T object) {
    return apply(object, "");
  }

  private <T extends HasMetadata> T apply(T object, String subresource) {
    WriteOptions options = live.options();
    if (!settings.skipNoOps() || options.dryRun()) {
      return live.apply(object, subresource);
    }
    String configuration = live.configuration(object);
    AppliedStates.Target target = target(object, subresource);
    Optional<CachedObject<T>> cached = known(object);
    if (cached.isPresent()) {
      CachedObject<T> state = cached.get();
      try {
        if (applied.isLast(target, configuration, state)) {
          T same = state.decode();
          skipped.increment();
          return same;
        }
      } catch (UndecodableException | NotCachedException e) {
        // the server shall judge
      }
    }
    T answer =
        applied.isCreatedWithDefaults(target)
            ? live.applyToCreated(object)
            : live.apply(object, subresource);
    applied.applied(target, configuration, answer, known(object));
    return answer;
  }

  private AppliedStates.Target target(HasMetadata object, String subresource) {
    return new AppliedStates.Target(
        live.typeOf(object), ObjectKey.of(object), subresource, live.options().applier());
  }

  @Override
  public <T extends HasMetadata> T applyNew(T object) {
    T created = live.applyNew(object);
    if (settings.skipNoOps() && !live.options().dryRun()) {
      applied.created(target(created, ""), live.configuration(object, created), created);
    }
    return created;
  }

  /**
   * What the cache has, if that is what a write would lead to.
   *
   * @param version from which the write was computed; null if from none
   * @param compare whether the object itself must be as it is cached
   */
  private <T extends HasMetadata> Optional<T> asCached(
      T object, @Nullable String version, boolean compare) {
    if (version == null || !settings.skipNoOps() || live.options().dryRun()) {
      return Optional.empty();
    }
    try {
      Optional<CachedObject<T>> cached =
          known(object).filter(state -> state.resourceVersion().equals(version));
      if (cached.isEmpty() || (compare && !isSame(object, cached.get()))) {
        return Optional.empty();
      }
      Optional<T> decoded = cached.map(CachedObject::decode);
      skipped.increment();
      return decoded;
    } catch (UndecodableException e) {
      return Optional.empty(); // the server shall judge
    }
  }

  /** The state of the object as reads show it, if it is known: the cache's, or our last write's. */
  private <T extends HasMetadata> Optional<CachedObject<T>> known(T object) {
    if (object.getMetadata().getName() == null) {
      return Optional.empty();
    }
    return reads.codecOf(object).flatMap(codec -> reads.known(codec, ObjectKey.of(object)));
  }

  /** Whether an object says the same as a cached one of its class. */
  private <T extends HasMetadata> boolean isSame(T object, CachedObject<T> cached) {
    return reads.codecOf(object).filter(codec -> codec.isSame(object, cached)).isPresent();
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
        PartialWrites.requireWhole(object, name);
        Optional<T> same =
            name.equals("status")
                ? asCached(object, object.getMetadata().getResourceVersion(), true)
                : Optional.empty();
        return same.isPresent() ? same.get() : sent.update(object);
      }

      @Override
      public <T extends HasMetadata> T patch(T object, ObjectPatch patch) {
        PartialWrites.requireSameForm(object, patch);
        Optional<T> same = name.equals("status") ? unpatched(object, patch) : Optional.empty();
        return same.isPresent() ? same.get() : sent.patch(object, patch);
      }

      @Override
      public <T extends HasMetadata> T apply(T object) {
        return CachedClient.this.apply(object, name);
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
    Objects.requireNonNull(projection, "reading(...) was given null: give it a Projection");
    return reading(new Form(projection, Transform.NONE));
  }

  @Override
  public Client reading(Transform transform) {
    Objects.requireNonNull(transform, "reading(...) was given null: Transform.NONE drops nothing");
    return reading(new Form(Projection.STRIPPED, transform));
  }

  private Client reading(Form form) {
    return new CachedClient(live, reads.of(form), settings, applied, skipped);
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
    return new CachedClient(live.with(options), reads, settings, applied, skipped);
  }
}
