// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.informer.InformerSpec;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ObjectDecoder;
import dev.windlass.object.Projection;
import dev.windlass.object.Transform;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * The part of each object that a reader returns.
 *
 * @param projection the part of each object to keep
 * @param transform the function that is applied to each object
 */
record RequestedContent(Projection projection, Transform transform) {

  /** Whole objects, as they are on the server. The objects may lack managedFields. */
  static final RequestedContent WHOLE = new RequestedContent(Projection.STRIPPED, Transform.NONE);

  /** Returns whether the objects in a cache with the given spec include this content. */
  boolean isIn(InformerSpec<?> spec) {
    Projection kept = spec.codec().projection();
    return switch (projection) {
      case METADATA -> kept == Projection.METADATA || spec.transform() == Transform.NONE;
      case STRIPPED -> kept != Projection.METADATA && spec.transform().equals(transform);
      case FULL -> kept == Projection.FULL && spec.transform().equals(transform);
    };
  }

  <T> ObjectCodec<T> codec(ObjectCodec<T> whole) {
    return projection == Projection.METADATA
        ? whole.ofMetadata()
        : whole.with(projection).after(transform);
  }

  /** Returns whether the objects in a cache with the given spec include more than this content. */
  boolean isLessThan(InformerSpec<?> spec) {
    return projection == Projection.METADATA && spec.codec().projection() != Projection.METADATA;
  }

  <T> T of(InformerSpec<?> spec, CachedObject<?> state, ObjectCodec<T> codec) {
    return isLessThan(spec) ? cut(state.json(), codec) : state.as(codec).decode();
  }

  <T extends HasMetadata> T of(T whole, ObjectCodec<T> codec) {
    if (transform == Transform.NONE && projection != Projection.METADATA) {
      return whole;
    }
    return cut(codec.with(Projection.STRIPPED).after(Transform.NONE).encode(whole).json(), codec);
  }

  private <T> T cut(byte[] json, ObjectCodec<T> codec) {
    return decoder(codec).decode(json, 0, json.length).decode();
  }

  <T> ObjectDecoder<T> decoder(ObjectCodec<T> codec) {
    return new ObjectDecoder<>(codec, transform);
  }
}
