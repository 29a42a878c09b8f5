// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.client.pipeline.WriterContext;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ObjectSerialization;
import dev.windlass.object.Projection;
import dev.windlass.object.ReadableObjects;
import dev.windlass.object.ResourceType;
import dev.windlass.object.Transform;
import dev.windlass.object.patch.TypedUpdate;
import dev.windlass.rest.ApiRequest;
import dev.windlass.rest.RestMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Preconditions;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A {@link Client} without caches. Every call sends a request. */
final class LiveClient implements Client {

  private static final Pattern SUBRESOURCE = Pattern.compile("[a-z]+");

  private final RestClient requests;
  private final RestMapper types;
  private final WriteOptions options;

  /**
   * The content of the objects that read methods return. When this client reads an object in order
   * to write it, it always reads the whole object.
   */
  private final RequestedContent content;

  private final ListPager pager;

  LiveClient(KubernetesClient client) {
    this(
        new RestClient(client),
        new RestMapper(client),
        WriteOptions.DEFAULT,
        RequestedContent.WHOLE);
  }

  private LiveClient(
      RestClient requests, RestMapper types, WriteOptions options, RequestedContent content) {
    this.requests = requests;
    this.types = types;
    this.options = options;
    this.content = content;
    this.pager = new ListPager(requests);
  }

  ResourceType typeOf(HasMetadata object) {
    return types.of(object);
  }

  WriteOptions options() {
    return options;
  }

  /** Returns a copy of this client whose writes use the given context, regardless of the thread. */
  LiveClient in(WriterContext scope) {
    return new LiveClient(requests.in(scope), types, options.in(scope), content);
  }

  LiveClient with(WriteOptions other) {
    return new LiveClient(requests, types, other, content);
  }

  @Override
  public <T extends HasMetadata> Optional<T> get(Class<T> type, ObjectKey key) {
    return get(ResourceType.of(type), key, type).map(this::formed);
  }

  @Override
  public Optional<GenericKubernetesResource> get(ResourceType type, ObjectKey key) {
    return get(type, key, GenericKubernetesResource.class).map(this::formed);
  }

  @Override
  public <T extends HasMetadata> Optional<T> get(T like) {
    return getLike(like).map(this::formed);
  }

  /** Returns the given object, reduced to the content that this client's reads return. */
  @SuppressWarnings("unchecked") // the object's class is a Class<T>
  private <T extends HasMetadata> T formed(T whole) {
    if (content.equals(RequestedContent.WHOLE)) {
      return whole;
    }
    ObjectCodec<T> codec =
        whole instanceof GenericKubernetesResource
            ? (ObjectCodec<T>) ObjectCodec.of(types.of(whole))
            : ObjectCodec.of((Class<T>) whole.getClass()).with(serialization());
    return content.of(whole, content.codec(codec));
  }

  private <T> Optional<T> get(ResourceType type, ObjectKey key, Class<T> answer) {
    try {
      return Optional.of(requests.send(request("get", "GET", type, key), answer));
    } catch (NotFoundException e) {
      return Optional.empty();
    }
  }

  @Override
  public <T extends HasMetadata> ReadableObjects<T> listReadable(Class<T> type, ListParams which) {
    return list(ObjectCodec.of(type).with(serialization()), which, content);
  }

  @Override
  public List<GenericKubernetesResource> list(ResourceType type, ListParams which) {
    return list(ObjectCodec.of(type), which, content).all();
  }

  <T extends HasMetadata> ReadableObjects<T> list(
      ObjectCodec<T> codec, ListParams which, RequestedContent part) {
    codec.type().requireListable(which.namespace());
    return pager.list(which, part.decoder(part.codec(codec)));
  }

  @Override
  public <T extends HasMetadata> T create(T object) {
    return made(object, unlessBlocked(object, () -> createLike(object)));
  }

  /** Sends a create request, without a report to the running controller. */
  <T extends HasMetadata> T createLike(T object) {
    ResourceType type = types.of(object);
    String namespace = namespace(type, object);
    String name = Objects.requireNonNullElse(object.getMetadata().getName(), "");
    return write(
        ApiRequest.of("create", "POST", type, namespace, name), object, requests.write(object));
  }

  @Override
  public <T extends HasMetadata> T update(T object) {
    return update(object, "", Optional.empty(), Optional.empty());
  }

  /**
   * Sends an update.
   *
   * @param base the JSON of the version that the object names. If it is empty and required, this
   *     method reads the object from the server
   * @param before the object that was decoded from the base; empty if it has not been decoded
   */
  <T extends HasMetadata> T update(
      T object, String subresource, Optional<byte[]> base, Optional<T> before) {
    PartialWriteCheck.requireWhole(object, subresource);
    ResourceType type = types.of(object);
    ObjectKey key = type.keyOf(object);
    String body =
        TypedUpdate.isComplete(object)
            ? requests.write(object)
            : updateBody(
                object,
                subresource,
                base.orElseGet(() -> requests.send(request("get", "GET", type, key))),
                before);
    return write(request("update", "PUT", type, key).subresource(subresource), object, body);
  }

  boolean addsToStatus(HasMetadata object, byte[] base) {
    return TypedUpdate.addsToStatus(serialization(), object, base);
  }

  private String updateBody(
      HasMetadata object, String subresource, byte[] base, Optional<? extends HasMetadata> before) {
    TypedUpdate update = new TypedUpdate(serialization(), object, base, before);
    if (update.conflict().isPresent()) {
      throw new ConflictException(
          "can't update %s %s: it has changed since it was read; %s"
              .formatted(object.getKind(), ObjectKey.of(object), update.conflict().get()));
    }
    return update.body(subresource);
  }

  @Override
  public <T extends HasMetadata> T patch(T object, ObjectPatch patch) {
    return patch(object, patch, "");
  }

  private <T extends HasMetadata> T patch(T object, ObjectPatch patch, String subresource) {
    PartialWriteCheck.requireSameView(object, patch);
    ResourceType type = types.of(object);
    ApiRequest request =
        request("patch", "PATCH", type, type.keyOf(object))
            .subresource(subresource)
            .body(patch.contentType(), patch.body(serialization(), object));
    return answer(written(request, options.owner(subresource)), object);
  }

  @Override
  public <T extends HasMetadata> T apply(T object) {
    return made(object, apply(object, ""));
  }

  @Override
  public <T extends HasMetadata> T applyWhole(T object, T existing) {
    T whole = ofSameUid(object, existing);
    return made(
        object,
        applying(whole, "", Optional.of(existing)).send(Optional.empty(), Optional.empty(), false));
  }

  /** Returns an object that the server applies only to the existing object. */
  <T extends HasMetadata> T ofSameUid(T object, T existing) {
    if (existing.getMetadata().getUid().equals(object.getMetadata().getUid())) {
      return object;
    }
    T copy = requests.copy(object);
    copy.getMetadata().setUid(existing.getMetadata().getUid());
    return copy;
  }

  <T extends HasMetadata> T apply(T object, String subresource) {
    return applying(object, subresource, Optional.empty())
        .send(Optional.empty(), Optional.empty(), false);
  }

  /** Returns the apply of an object, which can be sent once. */
  <T extends HasMetadata> ServerSideApply<T> applying(
      T object, String subresource, Optional<T> existing) {
    return new ServerSideApply<>(this, requests, object, subresource, existing);
  }

  /**
   * Sends one apply request with the given body.
   *
   * @param verb what the request does, for error messages: apply or create
   */
  <T extends HasMetadata> T apply(String verb, T object, String subresource, String body) {
    ResourceType type = types.of(object);
    ApiRequest request =
        request(verb, "PATCH", type, type.keyOf(object))
            .subresource(subresource)
            .with("force", Boolean.toString(options.force()))
            .body("application/apply-patch+yaml", body);
    return answer(written(request, options.applier()), object);
  }

  /** Reads an object with its managedFields, whatever part this client's reads return. */
  Optional<GenericKubernetesResource> whole(ResourceType type, ObjectKey key) {
    return get(type, key, GenericKubernetesResource.class);
  }

  @SuppressWarnings("unchecked") // the object's class is a Class<T>
  <T extends HasMetadata> Optional<T> getLike(T object) {
    ResourceType type = types.of(object);
    return get(type, type.keyOf(object), (Class<T>) object.getClass());
  }

  @Override
  public <T extends HasMetadata> T applyNew(T object) {
    return made(
        object, unlessBlocked(object, () -> applying(object, "", Optional.empty()).create()));
  }

  ConfigurationWriter configurations() {
    return new ConfigurationWriter(requests);
  }

  /** Reports to the running controller, if there is one, that an object was created or applied. */
  private <T> T made(HasMetadata object, T answer) {
    if (!options.dryRun()) {
      options.scope().ifPresent(scope -> scope.made(object));
    }
    return answer;
  }

  /** Reports to the running controller, if there is one, that another object has the name. */
  private <T extends HasMetadata> T unlessBlocked(T object, Supplier<T> creation) {
    try {
      return creation.get();
    } catch (AlreadyExistsException e) {
      options.scope().ifPresent(scope -> scope.blocked(typeOf(object).keyOf(object)));
      throw e;
    }
  }

  private <T extends HasMetadata> T write(ApiRequest request, T object, String body) {
    return answer(
        written(request, options.owner(request.subresource())).body(ApiRequest.JSON, body), object);
  }

  private ApiRequest written(ApiRequest request, String owner) {
    return request
        .with("fieldManager", owner)
        .with("fieldValidation", options.validation().map(FieldValidation::text).orElse(""))
        .with("dryRun", options.dryRun() ? "All" : "");
  }

  @SuppressWarnings("unchecked") // the object's class is a Class<T>
  private <T extends HasMetadata> T answer(ApiRequest request, T object) {
    T answer = (T) requests.send(request, object.getClass());
    if (options.dryRun()) {
      answer.getMetadata().setResourceVersion(null); // of a state that is not stored
    }
    return answer;
  }

  @Override
  public <T extends HasMetadata> boolean delete(Class<T> type, ObjectKey key, DeleteParams which) {
    return delete(ResourceType.of(type), key, which);
  }

  @Override
  public boolean delete(ResourceType type, ObjectKey key, DeleteParams which) {
    try {
      requests.send(deleting(request("delete", "DELETE", type, key), which));
      return true;
    } catch (NotFoundException e) {
      return false;
    }
  }

  @Override
  public <T extends HasMetadata> void deleteAllOf(
      Class<T> type, ListParams which, DeleteParams how) {
    ResourceType resource = ResourceType.of(type);
    if (!which.indexValues().isEmpty() || which.limit() > 0) {
      throw new IllegalArgumentException(
          "the server can't delete "
              + resource
              + " by an index or with a limit; list the objects and delete each of them");
    }
    resource.requireListable(which.namespace());
    if (resource.namespaced() && which.namespace().isEmpty()) {
      throw new IllegalArgumentException(
          "the server can't delete all " + resource + " in all namespaces at once; name one");
    }
    ApiRequest request = ApiRequest.of("delete all", "DELETE", resource, which.namespace(), "");
    requests.send(deleting(ListPager.selecting(request, which), how));
  }

  /** Sets the options of a deletion. The server reads them in the body, and ignores the query. */
  private ApiRequest deleting(ApiRequest request, DeleteParams which) {
    var body = new io.fabric8.kubernetes.api.model.DeleteOptions();
    body.setApiVersion("v1");
    body.setKind("DeleteOptions");
    body.setPropagationPolicy(which.propagation().text());
    which.gracePeriod().ifPresent(period -> body.setGracePeriodSeconds(period.toSeconds()));
    if (which.uid().isPresent() || which.resourceVersion().isPresent()) {
      body.setPreconditions(
          new Preconditions(which.resourceVersion().orElse(null), which.uid().orElse(null)));
    }
    if (options.dryRun()) {
      body.setDryRun(List.of("All"));
    }
    return request.body(ApiRequest.JSON, requests.write(body));
  }

  @Override
  public SubresourceClient subresource(String name) {
    return new LiveSubresource(name);
  }

  private final class LiveSubresource implements SubresourceClient {
    private final String name;

    LiveSubresource(String name) {
      if (!SUBRESOURCE.matcher(name).matches()) {
        throw new IllegalArgumentException(
            "'" + name + "' can't be a subresource; use a name such as status or scale");
      }
      this.name = name;
    }

    @Override
    public <T extends HasMetadata> T update(T object) {
      return LiveClient.this.update(object, name, Optional.empty(), Optional.empty());
    }

    @Override
    public <T extends HasMetadata> T patch(T object, ObjectPatch patch) {
      return LiveClient.this.patch(object, patch, name);
    }

    @Override
    public <T extends HasMetadata> T apply(T object) {
      return LiveClient.this.apply(object, name);
    }

    @Override
    public <B> B read(Class<? extends HasMetadata> type, ObjectKey key, Class<B> bodyType) {
      return requests.send(request("get", "GET", type, key), bodyType);
    }

    @Override
    public <B> B replace(Class<? extends HasMetadata> type, ObjectKey key, B body) {
      @SuppressWarnings("unchecked") // the body's class is a Class<B>
      Class<B> answer = (Class<B>) body.getClass();
      return send(request("update", "PUT", type, key), body, answer);
    }

    @Override
    public <B, R> R create(
        Class<? extends HasMetadata> type, ObjectKey key, B body, Class<R> answerType) {
      return send(request("create", "POST", type, key), body, answerType);
    }

    private ApiRequest request(
        String verb, String method, Class<? extends HasMetadata> type, ObjectKey key) {
      return LiveClient.this.request(verb, method, ResourceType.of(type), key).subresource(name);
    }

    private <R> R send(ApiRequest request, Object body, Class<R> answer) {
      return requests.send(
          written(request, options.owner(name)).body(ApiRequest.JSON, requests.write(body)),
          answer);
    }
  }

  private ApiRequest request(String verb, String method, ResourceType type, ObjectKey key) {
    type.requireScope(key);
    return ApiRequest.of(verb, method, type, key.namespace(), key.name());
  }

  /** Returns the namespace of an object. The object can have a generateName instead of a name. */
  private static String namespace(ResourceType type, HasMetadata object) {
    if (object.getMetadata() == null) {
      throw new IllegalArgumentException(
          "an object without metadata can't be created: " + object.getKind());
    }
    @Nullable String namespace = object.getMetadata().getNamespace();
    if (!type.namespaced()) {
      return "";
    }
    if (namespace == null || namespace.isEmpty()) {
      throw new IllegalArgumentException(
          type.kind()
              + " is a namespaced type, and this object names no namespace: set"
              + " metadata.namespace");
    }
    return namespace;
  }

  @Override
  public Client reading(Projection projection) {
    Objects.requireNonNull(projection, "reading(...) was given null: pass a Projection");
    return new LiveClient(
        requests, types, options, new RequestedContent(projection, Transform.NONE));
  }

  @Override
  public Client reading(Transform transform) {
    Objects.requireNonNull(
        transform, "reading(...) was given null: pass Transform.NONE to keep all fields");
    return new LiveClient(
        requests, types, options, new RequestedContent(Projection.STRIPPED, transform));
  }

  @Override
  public Client uncached() {
    return this;
  }

  @Override
  public Client dryRun() {
    return with(options.inDryRun());
  }

  @Override
  public Client withFieldOwner(String owner) {
    return with(options.withFieldOwner(owner));
  }

  @Override
  public Client withFieldValidation(FieldValidation validation) {
    return with(options.withValidation(validation));
  }

  @Override
  public Client withoutForce() {
    return with(options.withoutForce());
  }

  @Override
  public ObjectSerialization serialization() {
    return requests.serialization();
  }
}
