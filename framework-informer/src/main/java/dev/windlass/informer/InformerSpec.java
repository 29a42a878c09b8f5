// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ObjectSerialization;
import dev.windlass.object.Projection;
import dev.windlass.object.ResourceType;
import dev.windlass.object.Transform;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Specifies which objects an informer caches, and which part of each object. Equal specs share one
 * informer. A lambda that is used as a {@link Transform} is equal only to itself, so store it in a
 * constant to share the informer.
 *
 * @param codec the codec, which defines the type, the Java class, and the part of each object to
 *     keep
 * @param scope the scope of the objects to cache
 * @param transform the transform that the informer applies to each object before caching it; {@link
 *     Transform#NONE} by default
 * @param cluster the name of the cluster, for programs that connect to several clusters; empty for
 *     the program's own cluster
 * @param <T> the Java class of the objects
 */
public record InformerSpec<T>(
    ObjectCodec<T> codec, WatchScope scope, Transform transform, String cluster) {

  /** Checks that a transform is not combined with {@link Projection#METADATA}. */
  public InformerSpec {
    codec = codec.after(transform);
    if (codec.projection() == Projection.METADATA && transform != Transform.NONE) {
      throw new IllegalArgumentException(
          "a transform of "
              + codec.type()
              + " can't be combined with Projection.METADATA: omit the transform");
    }
  }

  /** Creates a spec for the program's own cluster. */
  public InformerSpec(ObjectCodec<T> codec, WatchScope scope, Transform transform) {
    this(codec, scope, transform, "");
  }

  /** Returns a spec for all objects of the given model class, built-in or user-defined. */
  public static <T extends HasMetadata> InformerSpec<T> of(Class<T> type) {
    return new InformerSpec<>(ObjectCodec.of(type), WatchScope.ALL, Transform.NONE);
  }

  /**
   * Returns a spec for all objects of a type that does not have a Java class; see {@link
   * ResourceType#discover}.
   */
  public static InformerSpec<GenericKubernetesResource> of(ResourceType type) {
    return new InformerSpec<>(ObjectCodec.of(type), WatchScope.ALL, Transform.NONE);
  }

  /** Returns a copy of this spec with the given scope. */
  public InformerSpec<T> in(WatchScope other) {
    return new InformerSpec<>(codec, other, transform, cluster);
  }

  /** Returns a copy of this spec with the given projection. */
  public InformerSpec<T> with(Projection projection) {
    return new InformerSpec<>(codec.with(projection), scope, transform, cluster);
  }

  /**
   * Returns a copy of this spec with the given transform, which changes each object before it is
   * cached.
   */
  public InformerSpec<T> with(Transform other) {
    return new InformerSpec<>(codec, scope, other, cluster);
  }

  InformerSpec<T> with(ObjectSerialization serialization) {
    return new InformerSpec<>(codec.with(serialization), scope, transform, cluster);
  }

  /**
   * Returns a copy of this spec for the given cluster.
   *
   * @param name the name under which the cluster was added to the manager; empty for the program's
   *     own cluster
   */
  public InformerSpec<T> inCluster(String name) {
    return new InformerSpec<>(codec, scope, transform, name);
  }

  /** Returns the objects' type. */
  public ResourceType type() {
    return codec.type();
  }

  @Override
  public String toString() {
    return codec
        + ", "
        + scope
        + (transform == Transform.NONE ? "" : ", transformed")
        + (cluster.isEmpty() ? "" : ", in the cluster " + cluster);
  }
}
