// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import dev.windlass.json.JsonLimits;
import io.fabric8.kubernetes.api.model.DefaultKubernetesResourceList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Converts between JSON and typed objects of one resource type. A codec also determines which part
 * of each object the cache stores.
 *
 * <p>This class is thread-safe. Two codecs are equal if they decode equal JSON into equal objects,
 * provided that they have the same {@link ObjectSerialization}, as all codecs of one client do.
 *
 * @param <T> the Java class of the objects
 */
public final class ObjectCodec<T> {

  private static final Logger log = LoggerFactory.getLogger(ObjectCodec.class);

  /**
   * Holds the mapper for all types. This separate class ensures that the mapper is created only
   * when the first object is decoded. Creating the mapper and inspecting the model classes costs
   * more than filling a small cache.
   */
  private static final class Mapper {
    static final ObjectMapper JSON = new ObjectMapper(JsonLimits.factory());

    /**
     * Reads YAML with the mapper {@link #JSON}. The constructor configures this mapper in place, as
     * it does for fabric8's own client. The second argument must be false; otherwise, the first
     * read of a field that accepts objects of any kind would load all classes of fabric8's model.
     */
    static final KubernetesSerialization YAML = new KubernetesSerialization(JSON, false);

    static final ObjectReader METADATA = reader(ObjectMeta.class).at("/metadata");

    private Mapper() {}

    static ObjectReader reader(Class<?> target) {
      return JSON.readerFor(target).without(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION);
    }
  }

  private final ResourceType type;
  private final Class<T> target;
  private final Projection projection;
  private final ObjectSerialization serialization;

  /** The parts that the decoded objects may lack, or null if the objects are complete. */
  private final PartialObjects.@Nullable Lacks lacks;

  private volatile @Nullable ObjectReader reader;
  private final AtomicLong decoded = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();

  /** The reasons for which a warning has been logged. */
  private final Set<ObjectDecoder.MetadataOnlyReason> warned = ConcurrentHashMap.newKeySet();

  private final UndecodableException.Log undecodable = new UndecodableException.Log();
  private volatile boolean detectsMutations;

  private ObjectCodec(
      ResourceType type,
      Class<T> target,
      Projection projection,
      ObjectSerialization serialization,
      PartialObjects.@Nullable Lacks lacks) {
    this.type = type;
    this.target = target;
    this.projection = projection;
    this.serialization = serialization;
    this.lacks = lacks;
  }

  private ObjectReader reader() {
    ObjectReader made = reader;
    if (made == null) {
      made = Mapper.reader(target);
      reader = made;
    }
    return made;
  }

  /**
   * Returns a codec for the given model class. The class represents either a built-in type or a
   * user-defined {@code CustomResource}.
   */
  public static <T extends HasMetadata> ObjectCodec<T> of(Class<T> target) {
    return new ObjectCodec<>(
        ResourceType.of(target), target, Projection.STRIPPED, ObjectSerialization.DEFAULT, null);
  }

  /** Returns a codec for the given type. The type does not need a model class. */
  public static ObjectCodec<GenericKubernetesResource> of(ResourceType type) {
    return new ObjectCodec<>(
        type,
        GenericKubernetesResource.class,
        Projection.STRIPPED,
        ObjectSerialization.DEFAULT,
        null);
  }

  /** Returns a copy of this codec that stores the given part of each object. */
  public ObjectCodec<T> with(Projection other) {
    return other == projection
        ? this
        : new ObjectCodec<>(type, target, other, serialization, lacks);
  }

  /** Returns a copy of this codec with the given serialization. */
  public ObjectCodec<T> with(ObjectSerialization other) {
    return other.equals(serialization)
        ? this
        : new ObjectCodec<>(type, target, projection, other, lacks);
  }

  /**
   * Returns a copy of this codec for objects to which the given transform is applied. The copy
   * marks the decoded objects as {@linkplain PartialObjects partial}.
   */
  public ObjectCodec<T> after(Transform transform) {
    PartialObjects.Lacks missing = PartialObjects.Lacks.after(transform);
    return missing == lacks
        ? this
        : new ObjectCodec<>(type, target, projection, serialization, missing);
  }

  /**
   * Returns a codec that stores only the metadata, decodes it into typed objects, and marks these
   * objects as {@linkplain PartialObjects partial}. By default, {@link CachedObject#decode()}
   * throws an exception if only the metadata is stored.
   */
  public ObjectCodec<T> ofMetadata() {
    return new ObjectCodec<>(
        type, target, Projection.METADATA, serialization, PartialObjects.Lacks.CONTENT);
  }

  boolean refusesMetadata() {
    return projection == Projection.METADATA && lacks == null;
  }

  UndecodableException.Log undecodableLog() {
    return undecodable;
  }

  /** Returns the type of the objects that this codec reads. */
  public ResourceType type() {
    return type;
  }

  /** Returns the Java class of the objects. */
  public Class<T> target() {
    return target;
  }

  /** Returns whether the Java class represents a custom resource with a status. */
  public boolean hasStatus() {
    for (Class<?> c = target; c != null && c != CustomResource.class; c = c.getSuperclass()) {
      if (c.getSuperclass() == CustomResource.class
          && c.getGenericSuperclass() instanceof ParameterizedType parameters) {
        return parameters.getActualTypeArguments()[1] != Void.class;
      }
    }
    return false;
  }

  /**
   * Returns the part of each object that the cache stores. The default is {@link
   * Projection#STRIPPED}.
   */
  public Projection projection() {
    return projection;
  }

  /** Returns the number of typed objects that this codec has created. */
  public long decoded() {
    return decoded.get();
  }

  /**
   * Returns the number of failures. A failure is counted each time an object cannot be decoded into
   * the class, an object is nested too deeply, or a transform fails.
   */
  public long failures() {
    return failures.get();
  }

  /**
   * Sets whether {@link CachedObject#readOnly()} checks on each call that the shared object has not
   * been changed. Tests can use this check to find code that changes a shared object. It is
   * disabled by default, because it decodes and encodes the object on each call.
   */
  public void detectMutations(boolean detect) {
    detectsMutations = detect;
  }

  /** Converts a typed object to a cached object. */
  public CachedObject<T> encode(T object) {
    byte[] json = json(object);
    return new ObjectDecoder<>(this).decode(json, 0, json.length);
  }

  private byte[] json(T object) {
    try {
      return serialization.isDefault()
          ? Mapper.JSON.writerFor(target).writeValueAsBytes(object)
          : serialization.write(object);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "an object of " + target.getName() + " can't be written as JSON", e);
    }
  }

  /** Returns whether this codec uses the {@linkplain ObjectSerialization#DEFAULT fast readers}. */
  boolean isFast() {
    return serialization.isDefault();
  }

  private T read(byte[] json) throws IOException {
    return serialization.isDefault() ? reader().readValue(json) : serialization.read(json, target);
  }

  static <T extends HasMetadata> DefaultKubernetesResourceList<T> page(byte[] json, Class<T> item)
      throws IOException {
    var types = Mapper.JSON.getTypeFactory();
    return Mapper.JSON.readValue(
        json, types.constructParametricType(DefaultKubernetesResourceList.class, item));
  }

  @SuppressWarnings("unchecked") // the class of an object of type T
  public static <T> T copy(T typed) {
    Class<T> target = (Class<T>) typed.getClass();
    try (TokenBuffer tokens = new TokenBuffer(Mapper.JSON, false)) {
      Mapper.JSON.writeValue(tokens, typed);
      return Mapper.reader(target)
          .without(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .readValue(tokens.asParser());
    } catch (IOException | RuntimeException e) {
      throw new UndecodableException(target, e);
    }
  }

  /**
   * Parses JSON into a tree, which the caller can modify.
   *
   * @param target the class of the tree, which the signature does not name, so that the JSON
   *     library remains an internal choice
   * @throws IOException if the bytes are not JSON, or exceed the {@link JsonLimits}
   */
  public static <N> N parse(byte[] json, Class<N> target) throws IOException {
    return target.cast(Mapper.JSON.readTree(json));
  }

  /**
   * Parses a YAML document into an object of the given class, or returns null if the document is
   * empty. Unlike fabric8's {@code Serialization}, this method does not load all classes of
   * fabric8's model.
   *
   * @param yaml the document; a document that begins with a brace is parsed as JSON
   * @throws RuntimeException if the document is not YAML, or cannot be deserialised into the class;
   *     the message may quote the document
   */
  public static <T> @Nullable T ofYaml(String yaml, Class<T> target) {
    return Mapper.YAML.unmarshal(yaml, target);
  }

  /**
   * Converts an object to a tree of its JSON, which the caller can modify, or a tree to an object
   * of the given class. This method ignores fields that the class does not have, even if the class
   * is configured to reject such fields.
   *
   * @throws UndecodableException if the tree cannot be deserialised into the class
   */
  public static <T> T convert(Object from, Class<T> target) {
    if (!(from instanceof JsonNode tree)) {
      return target.cast(Mapper.JSON.<JsonNode>valueToTree(from));
    }
    try {
      return Mapper.reader(target)
          .without(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .readValue(tree);
    } catch (IOException | RuntimeException e) {
      throw new UndecodableException(target, e);
    }
  }

  /**
   * Returns whether the given typed object and the given object from a cache have the same value in
   * every field of the class. The field {@code managedFields} is compared only if the typed object
   * has it.
   */
  public boolean isSame(T typed, T decoded) {
    if (serialization.isDefault()
        && typed instanceof CustomResource<?, ?> custom
        && decoded instanceof CustomResource<?, ?> known
        && !isSameJson(custom.getStatus(), known.getStatus())) {
      return false; // the usual change, which is cheaper to detect than a difference anywhere
    }
    if (Arrays.equals(json(typed), json(decoded))) {
      return true; // usual, and cheaper than a comparison that ignores the order of fields
    }
    ObjectNode one = serialization.convert(typed, ObjectNode.class);
    ObjectNode other = serialization.convert(decoded, ObjectNode.class);
    if (one.path("metadata").path("managedFields").isEmpty()
        && other.get("metadata") instanceof ObjectNode metadata) {
      metadata.remove("managedFields");
      ((ObjectNode) one.get("metadata")).remove("managedFields");
    }
    return one.equals(other);
  }

  private static boolean isSameJson(@Nullable Object one, @Nullable Object other) {
    JsonNode first = Mapper.JSON.valueToTree(one);
    JsonNode second = Mapper.JSON.valueToTree(other);
    return first.equals(second);
  }

  T decode(CachedObject<T> object, byte[] json) {
    try {
      T typed = marked(read(json));
      decoded.incrementAndGet();
      return typed;
    } catch (IOException | RuntimeException e) {
      failures.incrementAndGet();
      throw new UndecodableException(object, target, e);
    }
  }

  private T marked(T typed) {
    if (lacks != null && typed instanceof HasMetadata object) {
      lacks.mark(object);
    }
    return typed;
  }

  ObjectMeta decodeMetadata(CachedObject<T> object, byte[] json) {
    try {
      return Mapper.METADATA.readValue(json);
    } catch (IOException | RuntimeException e) {
      throw new UndecodableException(object, ObjectMeta.class, e);
    }
  }

  void checkUnchanged(CachedObject<T> object, T shared) {
    if (!detectsMutations) {
      return;
    }
    try {
      byte[] now = json(shared);
      byte[] then = json(marked(read(object.json())));
      if (Arrays.equals(now, then)) {
        return;
      }
    } catch (IOException e) {
      throw new UndecodableException(object, target, e);
    }
    throw new IllegalStateException(
        object
            + " was modified by code that got it from readOnly(); use decode() for an object that"
            + " may be modified");
  }

  /**
   * Applies a transform to the JSON of an object. Returns the resulting JSON, or null if the
   * transform fails.
   */
  byte @Nullable [] transform(byte[] json, Transform transform) {
    try {
      JsonNode root = Mapper.JSON.readTree(json);
      transform.apply(new ObjectTree((ObjectNode) root));
      return Mapper.JSON.writeValueAsBytes(root);
    } catch (IOException | RuntimeException | LinkageError | StackOverflowError e) {
      log.debug("a transform failed: {}", e.getClass().getName());
      return null;
    }
  }

  void notKept(ObjectKey key, ObjectDecoder.MetadataOnlyReason why) {
    failures.incrementAndGet();
    String message =
        "Only the metadata of {} {} is kept: {}. Further such objects are counted, and logged at"
            + " DEBUG.";
    if (warned.add(why)) {
      log.warn(message, type.kind(), key, why.why);
    } else {
      log.debug(message, type.kind(), key, why.why);
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ObjectCodec<?> codec
        && type.equals(codec.type)
        && target.equals(codec.target)
        && projection == codec.projection
        && lacks == codec.lacks;
  }

  @Override
  public int hashCode() {
    return type.hashCode() * 31 + target.hashCode();
  }

  @Override
  public String toString() {
    return type + " as " + target.getSimpleName() + ", " + projection;
  }
}
