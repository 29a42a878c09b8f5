// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.client;

import dev.windlass.client.CachedClient;
import dev.windlass.client.Client;
import dev.windlass.client.DeleteParams;
import dev.windlass.client.FieldValidation;
import dev.windlass.client.ListParams;
import dev.windlass.client.NotFoundException;
import dev.windlass.client.ObjectPatch;
import dev.windlass.client.SubresourceClient;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ObjectSerialization;
import dev.windlass.object.Projection;
import dev.windlass.object.ReadableObjects;
import dev.windlass.object.ResourceType;
import dev.windlass.object.Transform;
import dev.windlass.testing.apiserver.embedded.InProcessApi;
import dev.windlass.testing.client.FakeClientBuilder.FakeIndex;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A {@link Client} without a server, for unit tests of a reconciler. It stores objects in memory
 * and applies the rules of the embedded API server to them. It supports resource versions and
 * conflicts, generated names, finalizers with deletion timestamps, status subresources, selectors,
 * all kinds of patches, and server-side apply. Every read returns the latest version of an object.
 * The client creates the namespace of an object automatically, unless the namespace has been
 * deleted.
 *
 * <p>A test can inspect the {@linkplain #calls() calls} to this client and can make calls
 * {@linkplain #failing fail}.
 *
 * <p>Objects change only through calls to this client. It does not include watches, garbage
 * collection or controllers; to test with these, use an {@code EmbeddedApiServer} with a manager.
 * Webhooks and RBAC are not supported, and the built-in validation of Kubernetes is only partly
 * implemented; to test with these, use a {@code RealApiServer}.
 *
 * <p>This class is thread-safe. The variants that {@link #withFieldOwner} and similar methods
 * return share the objects, the recorded calls, and the configured failures and actions.
 */
public final class FakeClient implements Client {

  private final Client live;

  private final KubernetesClient kubernetes;
  private final FakeTypes types;
  private final FakeCalls calls;
  private final Map<String, FakeIndex> indices;

  private FakeClient(
      Client live,
      KubernetesClient kubernetes,
      FakeTypes types,
      FakeCalls calls,
      Map<String, FakeIndex> indices) {
    this.live = live;
    this.kubernetes = kubernetes;
    this.types = types;
    this.calls = calls;
    this.indices = indices;
  }

  /** Creates a client that contains the given objects, including their status. */
  public static FakeClient of(HasMetadata... objects) {
    return builder().objects(objects).build();
  }

  /** Returns a builder for a client with additional settings. */
  public static FakeClientBuilder builder() {
    return new FakeClientBuilder();
  }

  static FakeClient over(
      InProcessApi api, FakeTypes types, Map<String, FakeIndex> indices, String fieldOwner) {
    Config config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl("http://fake/")
            .withRequestRetryBackoffLimit(0)
            .build();
    KubernetesClient kubernetes =
        new KubernetesClientBuilder()
            .withConfig(config)
            .withHttpClientFactory(api.transport())
            .withKubernetesSerialization(ObjectSerialization.standard())
            .build();
    SharedInformerFactory none =
        new SharedInformerFactory(
            (type, scope) -> {
              throw new UnsupportedOperationException(
                  "caches are not supported: use an EmbeddedApiServer");
            },
            WatchScope.ALL,
            InformerOptions.defaults());
    CachedClient.Settings settings =
        CachedClient.Settings.DEFAULT.withFieldOwner(fieldOwner).withSkipNoOps(false);
    Client live = new CachedClient(kubernetes, none, settings).uncached();
    return new FakeClient(live, kubernetes, types, new FakeCalls(), Map.copyOf(indices));
  }

  // ---- for tests

  /**
   * Adds the given object, including its status. This method is not recorded as a call, and
   * configured failures do not affect it.
   */
  public <T extends HasMetadata> T add(T object) {
    meet(object);
    T created = live.create(object);
    Object status =
        kubernetes.getKubernetesSerialization().convertValue(object, Map.class).get("status");
    if (status == null) {
      return created;
    }
    ObjectPatch patch =
        ObjectPatch.merge(kubernetes.getKubernetesSerialization().asJson(Map.of("status", status)));
    try {
      return live.status().patch(created, patch);
    } catch (NotFoundException e) {
      return created; // the status is part of the object
    }
  }

  /** Returns all calls, including failed calls, in the order in which they were made. */
  public List<FakeCall> calls() {
    return calls.calls();
  }

  /** Removes all recorded calls. */
  public void forgetCalls() {
    calls.forgetCalls();
  }

  /**
   * Makes each matching call throw the given exception until {@link #heal()} is called. Such a call
   * has no other effect.
   */
  public FakeClient failing(Predicate<FakeCall> matcher, RuntimeException exception) {
    calls.order(matcher, false, throwing(exception));
    return this;
  }

  /** Makes the next matching call throw the given exception. The call has no other effect. */
  public FakeClient failingOnce(Predicate<FakeCall> matcher, RuntimeException exception) {
    calls.order(matcher, true, throwing(exception));
    return this;
  }

  private static Consumer<FakeCall> throwing(RuntimeException exception) {
    return call -> {
      throw exception;
    };
  }

  /**
   * Runs the given action on the calling thread before the next matching call is executed. For
   * example, the action can change the object as another client would. If the action throws an
   * exception, the call throws the same exception.
   */
  public FakeClient onCall(Predicate<FakeCall> matcher, Consumer<FakeCall> action) {
    calls.order(matcher, true, action);
    return this;
  }

  /**
   * Removes all failures and actions that were configured with {@link #failing}, {@link
   * #failingOnce} and {@link #onCall}.
   */
  public void heal() {
    calls.forgetOrders();
  }

  private void call(String verb, ResourceType type, Optional<ObjectKey> key, String subresource) {
    types.meet(type);
    calls.before(new FakeCall(verb, type, key, subresource));
  }

  private void call(String verb, HasMetadata object, String subresource) {
    boolean named = object.getMetadata() != null && object.getMetadata().getName() != null;
    Optional<ObjectKey> key = named ? Optional.of(ObjectKey.of(object)) : Optional.empty();
    call(verb, meet(object), key, subresource);
  }

  private ResourceType meet(HasMetadata object) {
    types.meetNamespaceOf(object);
    if (object instanceof GenericKubernetesResource) {
      return ResourceType.discover(kubernetes, object.getApiVersion(), object.getKind());
    }
    ResourceType type = ResourceType.of(object.getClass());
    types.meet(type);
    return type;
  }

  // ---- reads

  @Override
  public <T extends HasMetadata> Optional<T> get(Class<T> type, ObjectKey key) {
    call("get", ResourceType.of(type), Optional.of(key), "");
    return live.get(type, key);
  }

  @Override
  public Optional<GenericKubernetesResource> get(ResourceType type, ObjectKey key) {
    call("get", type, Optional.of(key), "");
    return live.get(type, key);
  }

  @Override
  public <T extends HasMetadata> Optional<T> get(T like) {
    call("get", meet(like), Optional.of(ObjectKey.of(like)), "");
    return live.get(like);
  }

  @Override
  public <T extends HasMetadata> ReadableObjects<T> listReadable(Class<T> type, ListParams which) {
    call("list", ResourceType.of(type), Optional.empty(), "");
    if (which.indexValues().isEmpty()) {
      return live.listReadable(type, which);
    }
    ListParams all =
        ListParams.in(which.namespace())
            .withLabels(which.labels())
            .withFields(which.fieldSelector());
    Set<ObjectKey> indexed = new HashSet<>();
    for (T object : live.reading(Projection.FULL).listReadable(type, all).objects()) {
      if (which.indexValues().stream()
          .allMatch(
              wanted ->
                  index(type, wanted.index()).values().apply(object).contains(wanted.value()))) {
        indexed.add(ObjectKey.of(object));
      }
    }
    ReadableObjects<T> found = live.listReadable(type, all);
    found.objects().removeIf(object -> !indexed.contains(ObjectKey.of(object)));
    found.unreadable().clear(); // as in a cache, no index contains them
    int size = found.objects().size();
    found
        .objects()
        .subList(which.limit() == 0 ? size : Math.min(which.limit(), size), size)
        .clear();
    return found;
  }

  private FakeIndex index(Class<?> type, String name) {
    FakeIndex index = indices.get(name);
    if (index == null || index.type() != type) {
      throw new IllegalArgumentException(
          "there is no index '%s' of %s: add it with FakeClient.builder().index(...)"
              .formatted(name, type.getSimpleName()));
    }
    return index;
  }

  @Override
  public List<GenericKubernetesResource> list(ResourceType type, ListParams which) {
    call("list", type, Optional.empty(), "");
    return live.list(type, which);
  }

  // ---- writes

  @Override
  public <T extends HasMetadata> T create(T object) {
    call("create", object, "");
    return live.create(object);
  }

  @Override
  public <T extends HasMetadata> T update(T object) {
    call("update", object, "");
    return live.update(object);
  }

  @Override
  public <T extends HasMetadata> T patch(T object, ObjectPatch patch) {
    call("patch", object, "");
    return live.patch(object, patch);
  }

  @Override
  public <T extends HasMetadata> T apply(T object) {
    call("apply", object, "");
    return live.apply(object);
  }

  @Override
  public <T extends HasMetadata> T applyWhole(T object, T existing) {
    call("apply", object, "");
    return live.applyWhole(object, existing);
  }

  @Override
  public <T extends HasMetadata> T applyNew(T object) {
    call("applyNew", object, "");
    return live.applyNew(object);
  }

  @Override
  public <T extends HasMetadata> boolean delete(Class<T> type, ObjectKey key, DeleteParams how) {
    call("delete", ResourceType.of(type), Optional.of(key), "");
    return live.delete(type, key, how);
  }

  @Override
  public boolean delete(ResourceType type, ObjectKey key, DeleteParams how) {
    call("delete", type, Optional.of(key), "");
    return live.delete(type, key, how);
  }

  @Override
  public <T extends HasMetadata> void deleteAllOf(
      Class<T> type, ListParams which, DeleteParams how) {
    call("deleteAllOf", ResourceType.of(type), Optional.empty(), "");
    live.deleteAllOf(type, which, how);
  }

  @Override
  public SubresourceClient subresource(String name) {
    SubresourceClient sent = live.subresource(name);
    return new SubresourceClient() {
      @Override
      public <T extends HasMetadata> T update(T object) {
        call("update", object, name);
        return sent.update(object);
      }

      @Override
      public <T extends HasMetadata> T patch(T object, ObjectPatch patch) {
        call("patch", object, name);
        return sent.patch(object, patch);
      }

      @Override
      public <T extends HasMetadata> T apply(T object) {
        call("apply", object, name);
        return sent.apply(object);
      }

      @Override
      public <B> B read(Class<? extends HasMetadata> type, ObjectKey key, Class<B> bodyType) {
        call("read", ResourceType.of(type), Optional.of(key), name);
        return sent.read(type, key, bodyType);
      }

      @Override
      public <B> B replace(Class<? extends HasMetadata> type, ObjectKey key, B body) {
        call("replace", ResourceType.of(type), Optional.of(key), name);
        return sent.replace(type, key, body);
      }

      @Override
      public <B, R> R create(
          Class<? extends HasMetadata> type, ObjectKey key, B body, Class<R> answerType) {
        throw new UnsupportedOperationException(
            "a FakeClient has no %s of %s: use a RealApiServer".formatted(name, type.getName()));
      }
    };
  }

  // ---- variants

  @Override
  public Client uncached() {
    return this;
  }

  @Override
  public Client reading(Projection projection) {
    return with(live.reading(projection));
  }

  @Override
  public Client reading(Transform transform) {
    return with(live.reading(transform));
  }

  @Override
  public Client dryRun() {
    return with(live.dryRun());
  }

  @Override
  public Client withFieldOwner(String owner) {
    return with(live.withFieldOwner(owner));
  }

  @Override
  public Client withFieldValidation(FieldValidation validation) {
    return with(live.withFieldValidation(validation));
  }

  @Override
  public Client withoutForce() {
    return with(live.withoutForce());
  }

  private Client with(Client other) {
    return new FakeClient(other, kubernetes, types, calls, indices);
  }

  @Override
  public ObjectSerialization serialization() {
    return live.serialization();
  }
}
