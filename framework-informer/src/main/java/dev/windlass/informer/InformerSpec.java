// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import dev.windlass.informer.feed.WatchScope;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.Projection;
import dev.windlass.object.ResourceType;
import dev.windlass.object.Transform;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * What an informer copies: which objects, and what of each. Informers with equal specs are one; a
 * lambda as a {@link Transform} is equal to itself only, so keep it in a constant to share it.
 *
 * @param codec the type, the class, and how much of each object is kept
 * @param scope which objects
 * @param transform changes each object before it is cached; {@link Transform#NONE} by default
 * @param cluster the name of the cluster, for programs that know several; empty for their own
 * @param <T> the typed class of the objects
 */
public record InformerSpec<T>(
    ObjectCodec<T> codec, WatchScope scope, Transform transform, String cluster) {

  /** Rejects a transform combined with METADATA. */
  public InformerSpec {
    codec = codec.after(transform);
    if (codec.projection() == Projection.METADATA && transform != Transform.NONE) {
      throw new IllegalArgumentException(
          "a transform of "
              + codec.type()
              + " together with Projection.METADATA: of metadata nothing needs to be dropped");
    }
  }

  /** A spec of the program's own cluster. */
  public InformerSpec(ObjectCodec<T> codec, WatchScope scope, Transform transform) {
    this(codec, scope, transform, "");
  }

  /** All objects of a model class, built-in or the user's. */
  public static <T extends HasMetadata> InformerSpec<T> of(Class<T> type) {
    return new InformerSpec<>(ObjectCodec.of(type), WatchScope.ALL, Transform.NONE);
  }

  /** All objects of a type for which there is no class; see {@link ResourceType#discover}. */
  public static InformerSpec<GenericKubernetesResource> of(ResourceType type) {
    return new InformerSpec<>(ObjectCodec.of(type), WatchScope.ALL, Transform.NONE);
  }

  /** The same, restricted to a scope. */
  public InformerSpec<T> in(WatchScope other) {
    return new InformerSpec<>(codec, other, transform, cluster);
  }

  /** The same for another part of each object. */
  public InformerSpec<T> with(Projection projection) {
    return new InformerSpec<>(codec.with(projection), scope, transform, cluster);
  }

  /** The same with objects that are changed before they are cached. */
  public InformerSpec<T> with(Transform other) {
    return new InformerSpec<>(codec, scope, other, cluster);
  }

  /**
   * The same in another cluster.
   *
   * @param name the one under which the manager has connected it; empty for the program's own
   */
  public InformerSpec<T> inCluster(String name) {
    return new InformerSpec<>(codec, scope, transform, name);
  }

  /** The type of the objects. */
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
