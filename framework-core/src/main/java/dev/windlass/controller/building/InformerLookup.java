// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.building;

import dev.windlass.controller.enqueue.InformerSource;
import dev.windlass.controller.enqueue.RequestCause;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.settings.ObjectLookup;
import dev.windlass.informer.ownwrites.Overlay;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Looks up objects in the informers of a controller's watches. */
final class InformerLookup implements ObjectLookup {

  private final Optional<? extends InformerSource<?>> primary;
  private final String cluster;
  private final Map<String, List<InformerSource<?>>> byKind;
  private final Optional<OwnedTypes> owned;

  InformerLookup(
      Optional<? extends InformerSource<?>> primary,
      String cluster,
      Map<String, List<InformerSource<?>>> byKind,
      Optional<OwnedTypes> owned) {
    this.primary = primary;
    this.cluster = cluster;
    this.byKind = byKind;
    this.owned = owned;
  }

  @Override
  public void made(HasMetadata object) {
    owned.ifPresent(types -> types.made(object));
  }

  @Override
  public void blocked(Request request, ObjectKey object) {
    owned.ifPresent(types -> types.blocked(request, object));
  }

  @Override
  public Optional<? extends CachedObject<?>> primary(Request request) {
    return request.cluster().equals(cluster)
        ? primary.flatMap(source -> latest(source, request.key()))
        : Optional.empty();
  }

  @Override
  public Stream<Request> primaries() {
    return primary.stream()
        .flatMap(source -> source.indexer().keys().stream())
        .map(key -> new Request(cluster, key));
  }

  private static <T> Optional<CachedObject<T>> latest(InformerSource<T> source, ObjectKey key) {
    for (Overlay<T> overlay : source.overlays(key.namespace())) {
      Optional<CachedObject<T>> found = overlay.get(key);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  @Override
  public Optional<? extends CachedObject<?>> behind(Object reason) {
    if (!(reason instanceof RequestCause cause)) {
      return Optional.empty();
    }
    ObjectKey key = cause.key();
    if (key == null) {
      return Optional.empty();
    }
    for (InformerSource<?> source : byKind.getOrDefault(cause.origin(), List.of())) {
      Optional<? extends CachedObject<?>> found = source.indexer().get(key);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }
}
