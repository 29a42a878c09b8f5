// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Converts typed objects to JSON and back, in the way that the program has chosen for its fabric8
 * client, for example with a Jackson module for Kotlin. If it has not chosen one, Windlass uses
 * readers that are faster than fabric8's. This class is thread-safe.
 */
public final class ObjectSerialization {

  /** The serialization of programs that have not chosen one. */
  public static final ObjectSerialization DEFAULT = new ObjectSerialization(null);

  /** Created when it is first used, because it inspects fabric8's classes. */
  private static final class Standard {
    static final KubernetesSerialization SHARED = new KubernetesSerialization();

    private Standard() {}
  }

  private final @Nullable KubernetesSerialization own;

  private ObjectSerialization(@Nullable KubernetesSerialization own) {
    this.own = own;
  }

  /**
   * Returns fabric8's serialization for clients of programs that have not chosen one. All such
   * clients share it, because each instance would inspect the classes of the objects again.
   */
  public static KubernetesSerialization standard() {
    return Standard.SHARED;
  }

  /** Returns the serialization that uses a fabric8 client's public methods, or {@link #DEFAULT}. */
  public static ObjectSerialization of(KubernetesSerialization client) {
    return client == standard() ? DEFAULT : new ObjectSerialization(client);
  }

  /** Returns whether the program has not chosen a serialization. */
  boolean isDefault() {
    return own == null;
  }

  /** Reads an object from JSON. Only the program's own serialization can do this. */
  <T> T read(byte[] json, Class<T> type) {
    return Objects.requireNonNull(
        Objects.requireNonNull(own).unmarshal(new ByteArrayInputStream(json), type));
  }

  /**
   * Converts an object to a tree of its JSON, which the caller can modify, or a tree to an object
   * of the given class.
   *
   * @throws UndecodableException if the tree cannot be deserialised into the class
   */
  public <T> T convert(Object from, Class<T> type) {
    if (own == null) {
      return ObjectCodec.convert(from, type);
    }
    try {
      return own.convertValue(from, type);
    } catch (RuntimeException e) {
      throw new UndecodableException(type, e);
    }
  }

  /** Returns the JSON of an object. Only the program's own serialization can do this. */
  byte[] write(Object object) {
    return Objects.requireNonNull(own).asJson(object).getBytes(StandardCharsets.UTF_8);
  }

  /** Returns a deep copy of an object. */
  public <T> T copy(T object) {
    return own == null ? ObjectCodec.copy(object) : own.clone(object);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ObjectSerialization that && own == that.own;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(own);
  }
}
