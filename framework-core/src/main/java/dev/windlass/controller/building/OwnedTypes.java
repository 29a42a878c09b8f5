// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.building;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.controller.logging.ControllerLog;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.logging.OneLine;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;

/**
 * The types that a controller owns. This class logs a warning if a reconcile creates an object that
 * has an owned type, but no owner of the primary type. Events for such an object do not trigger
 * reconciles. This class logs one warning per type.
 *
 * <p>If a reconcile needs the name of an existing object that it does not control, this class
 * requests another reconcile when the name may have become free. This class is thread-safe.
 */
final class OwnedTypes {

  private static final Logger log = ControllerLog.get();

  /** The maximum number of blocked names that are stored: 1,000. The latest ones are kept. */
  static final int MOST_BLOCKED = 1_000;

  private final ResourceType primary;
  private final List<ResourceType> owned;
  private final Set<String> warned = ConcurrentHashMap.newKeySet();

  /** The requests that need the name of an existing object, keyed by this object. */
  @GuardedBy("itself")
  private final Map<ObjectKey, Set<Request>> blocked =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ObjectKey, Set<Request>> eldest) {
          return size() > MOST_BLOCKED;
        }
      };

  OwnedTypes(ResourceType primary, List<ResourceType> owned) {
    this.primary = primary;
    this.owned = owned;
  }

  /** Checks the owner references of an object that a reconcile has created or applied. */
  void made(HasMetadata object) {
    boolean isOwned =
        owned.stream().anyMatch(type -> is(type, object.getApiVersion(), object.getKind()));
    if (isOwned && !hasOwner(object) && warned.add(object.getKind())) {
      log.warn(
          "A reconcile of {} created {} {} without an owner reference, so owns({}) does not see"
              + " its changes. Use Owned.apply, or call OwnerReferences.setController before"
              + " creating the object",
          primary.kind(),
          object.getKind(),
          OneLine.of(nameOf(object)),
          object.getKind());
    }
  }

  /** Records that a request needs the name of an existing object that it does not control. */
  void blocked(Request request, ObjectKey object) {
    synchronized (blocked) {
      blocked.computeIfAbsent(object, key -> new HashSet<>(1)).add(request);
    }
  }

  /** Returns a handler that also requests the reconciles that an event may have unblocked. */
  <S> EventHandler<S> unblocking(EventHandler<? super S> owners) {
    EventHandler<S> handler = cast(owners);
    return (event, sink) -> {
      handler.handle(event, sink);
      if (mayUnblock(event)) {
        Set<Request> waiting;
        synchronized (blocked) {
          waiting = blocked.remove(event.key());
        }
        if (waiting != null) {
          waiting.forEach(sink::add);
        }
      }
    };
  }

  @SuppressWarnings("unchecked") // a handler only reads the objects in events
  private static <S> EventHandler<S> cast(EventHandler<? super S> handler) {
    return (EventHandler<S>) handler;
  }

  /** An event that changes only the status leaves the name taken. */
  private static boolean mayUnblock(ResourceEvent<?> event) {
    if (!(event instanceof ResourceEvent.Updated<?> updated)) {
      return event.type() == ResourceEvent.Type.DELETED;
    }
    CachedObject<?> before = updated.old();
    CachedObject<?> after = updated.object();
    return before.generation() != after.generation()
        || !before.owners().equals(after.owners())
        || !before.labels().equals(after.labels());
  }

  private static String nameOf(HasMetadata object) {
    ObjectMeta metadata = object.getMetadata();
    String name =
        metadata.getName() == null ? metadata.getGenerateName() + "..." : metadata.getName();
    return metadata.getNamespace() == null ? name : metadata.getNamespace() + "/" + name;
  }

  private boolean hasOwner(HasMetadata object) {
    return object.getMetadata().getOwnerReferences() != null
        && object.getMetadata().getOwnerReferences().stream()
            .anyMatch(owner -> is(primary, owner.getApiVersion(), owner.getKind()));
  }

  /** Returns whether a type has the given group and kind. The version is ignored. */
  private static boolean is(ResourceType type, String apiVersion, String kind) {
    int slash = apiVersion == null ? -1 : apiVersion.indexOf('/');
    String group = slash < 0 ? "" : apiVersion.substring(0, slash);
    return type.kind().equals(kind) && type.group().equals(group);
  }

  /**
   * Returns why a controller cannot own a type, or empty if it can. The reason completes a sentence
   * that begins with the name of the controller.
   *
   * @param watched the type to own
   * @param primary the primary type, or empty if there is none
   */
  static Optional<String> misuse(InformerSpec<?> watched, Optional<InformerSpec<?>> primary) {
    ResourceType owned = watched.type();
    if (primary.isEmpty()) {
      return Optional.of(
          "owns "
              + owned.resource()
              + ", but has no primary type that could own it: begin with forType(...), or call"
              + " watches(...)");
    }
    ResourceType owner = primary.get().type();
    String home = primary.get().cluster();
    if (!home.equals(watched.cluster())) {
      return Optional.of(
          "owns %s in %s, but its primary type is in %s, and an owner must be in the same cluster: call watches(...) instead"
              .formatted(owned.resource(), Clusters.text(watched.cluster()), Clusters.text(home)));
    }
    if (owned.resource().equals(owner.resource())) {
      return Optional.of(
          "owns "
              + owned.resource()
              + ", which is its primary type: call watches(...) with a handler that selects the"
              + " objects to reconcile");
    }
    if (owner.namespaced() && !owned.namespaced()) {
      return Optional.of(
          "owns "
              + owned.resource()
              + ", which is cluster-scoped and can't have an owner in a namespace: call"
              + " watches(...) with EventHandler.mapping(...) instead");
    }
    return Optional.empty();
  }
}
