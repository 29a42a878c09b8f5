// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.feed.WatchScope;
import dev.windlass.informer.index.Overlay;
import dev.windlass.object.FieldSelector;
import dev.windlass.object.MalformedObjectException;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ObjectTree;
import dev.windlass.object.ResourceType;
import dev.windlass.object.Selector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the overlay of each cache what this process wrote, as the server's answers say, so that
 * reads from caches are never older than that.
 *
 * <p>What an answer means: a state of the object is shown in place of an older one. An object that
 * is terminating, and that nothing holds up any more, is gone. Where a write has been done and its
 * answer does not show the state (another subresource, a binding or eviction, another version of
 * the API, a deletion of many, an object whose fields a selector may leave out, no answer at all),
 * the server is asked until the cache has caught up. Dry runs and refusals mean nothing, and
 * neither does a write that a fence kept from being sent.
 *
 * <p>Thread safe.
 */
public final class OwnWrites implements WriteHook {

  private static final Logger log = LoggerFactory.getLogger(Client.class);

  private static final int SERVER_ERROR = 500;

  /** Subresources that answer a POST, and leave the object as it is. */
  private static final Set<String> UNCHANGING = Set.of("token");

  private volatile @Nullable SharedInformerFactory informers;

  /** Without caches, until {@link #watch} names some. */
  public OwnWrites() {}

  /** From now on, the caches of this factory are told. */
  public void watch(SharedInformerFactory factory) {
    informers = factory;
  }

  @Override
  public Sent before(Write write) {
    if (write.dryRun()) {
      return Sent.IGNORED;
    }
    List<Overlay<?>> begun = new ArrayList<>();
    caches(write).forEach(cache -> begun.add(cache.overlay()));
    begun.forEach(Overlay::begin);
    return new Sent() {
      @Override
      public void ended(int code, byte[] body) {
        try {
          // Others may have been made meanwhile, whose first list is older than the write.
          caches(write).forEach(cache -> OwnWrites.ended(cache, write, code, body));
        } finally {
          refused();
        }
      }

      @Override
      public void refused() {
        begun.forEach(Overlay::end);
      }
    };
  }

  /** Those that may hold what is written. */
  private List<SharedIndexInformer<?>> caches(Write write) {
    SharedInformerFactory factory = informers;
    if (factory == null) {
      return List.of();
    }
    List<SharedIndexInformer<?>> found = new ArrayList<>();
    for (SharedIndexInformer<?> informer : factory.informers()) {
      ResourceType type = informer.type();
      WatchScope scope = informer.scope();
      if (type.plural().equals(write.plural())
          && type.group().equals(write.group())
          && (!type.namespaced() || isIn(scope, write.namespace()))) {
        found.add(informer);
      }
    }
    return found;
  }

  /** With an empty namespace, the write may be about objects in any. */
  private static boolean isIn(WatchScope scope, String namespace) {
    return scope.namespace().isEmpty()
        || namespace.isEmpty()
        || scope.namespace().equals(namespace);
  }

  private static void ended(SharedIndexInformer<?> cache, Write write, int code, byte[] body) {
    if (code >= 200 && code < 300) {
      try {
        done(cache, write, body);
      } catch (MalformedObjectException e) {
        log.debug("The answer to {} is no object; what it wrote is read from the server", write);
        unknown(cache, write);
      }
    } else if (code <= 0 || code >= SERVER_ERROR) {
      unknown(cache, write); // it may have been done
    }
  }

  private static void unknown(SharedIndexInformer<?> cache, Write write) {
    if (!write.name().isEmpty()) {
      cache.overlay().unclear(key(write), -1);
    } else if (!write.method().equals("POST")) {
      cache.overlay().allUnclear(write.namespace()); // a creation shows by itself, in time
    }
  }

  private static ObjectKey key(Write write) {
    return new ObjectKey(write.namespace(), write.name());
  }

  private static void done(SharedIndexInformer<?> cache, Write write, byte[] body) {
    ObjectTree answer = ObjectTree.parse(body, 0, body.length);
    boolean deletes = write.method().equals("DELETE");
    if (deletes && write.name().isEmpty()) {
      manyDeleted(cache.overlay(), write, answer);
    } else if (deletes
        && write.subresource().isEmpty()
        && answer.text("kind").equals(Optional.of("Status"))) {
      cache.overlay().deleted(key(write), answer.text("details", "uid").orElse(""));
    } else {
      state(cache, write, answer, body);
    }
  }

  private static void state(
      SharedIndexInformer<?> cache, Write write, ObjectTree answer, byte[] body) {
    String name = answer.text("metadata", "name").orElse("");
    boolean named = !name.isEmpty() && (write.name().isEmpty() || write.name().equals(name));
    boolean isObject = named && answer.text("kind").equals(Optional.of(cache.type().kind()));
    if (!isObject) {
      told(cache, write, named ? version(answer) : -1);
      return;
    }
    ObjectKey key = new ObjectKey(write.namespace(), name);
    String uid = answer.text("metadata", "uid").orElse("");
    if (hasEnded(write, answer)) {
      cache.overlay().deleted(key, uid);
      return;
    }
    Optional<Boolean> selected = selects(cache, key, answer);
    if (selected.isPresent() && !selected.get()) {
      cache.overlay().outside(key, uid, version(answer));
    } else if (selected.isPresent() && write.version().equals(cache.type().version())) {
      cache.overlay().written(body);
    } else {
      cache.overlay().unclear(key, uid, version(answer));
    }
  }

  /**
   * The answer is about something else than the object: a scale, a Binding, an Eviction. What it
   * made of the object is not known.
   */
  private static void told(SharedIndexInformer<?> cache, Write write, long version) {
    if (write.name().isEmpty()) {
      return; // a creation that was answered with nothing
    }
    if (!UNCHANGING.contains(write.subresource())) {
      cache.overlay().unclear(key(write), version);
    }
  }

  /**
   * Whether the cache would hold the object; empty if that depends on fields of which only the
   * server knows what they mean.
   */
  private static Optional<Boolean> selects(
      SharedIndexInformer<?> cache, ObjectKey key, ObjectTree object) {
    WatchScope scope = cache.scope();
    return labelsMatch(scope, object)
        ? FieldSelector.parse(scope.fieldSelector()).matches(key)
        : Optional.of(false);
  }

  private static boolean labelsMatch(WatchScope scope, ObjectTree object) {
    if (scope.labelSelector().isEmpty()) {
      return true;
    }
    Map<String, String> labels = new HashMap<>();
    for (String label : object.fields("metadata", "labels")) {
      object.text("metadata", "labels", label).ifPresent(value -> labels.put(label, value));
    }
    return Selector.parse(scope.labelSelector()).matches(labels);
  }

  /**
   * Whether this was the last state: the server deletes what is terminating as soon as nothing
   * holds it up. What a deletion answers with may be the last state of what is gone already.
   */
  private static boolean hasEnded(Write write, ObjectTree object) {
    if (write.plural().equals("namespaces") && write.group().isEmpty()) {
      return false; // held up by spec.finalizers and by what is in it
    }
    boolean terminating = object.has("metadata", "deletionTimestamp");
    boolean held =
        object.size("metadata", "finalizers") > 0
            || !object.text("metadata", "deletionGracePeriodSeconds").orElse("0").equals("0");
    return write.method().equals("DELETE") ? !(terminating && held) : terminating && !held;
  }

  /**
   * The answer has the states before, and what the deletion made of them is not known: what it
   * itself adds (a finalizer for what is orphaned or deleted in the foreground) is not in them.
   */
  private static void manyDeleted(Overlay<?> overlay, Write write, ObjectTree list) {
    if (!list.has("items")) {
      overlay.allUnclear(write.namespace());
      return;
    }
    for (int i = 0; i < list.size("items"); i++) {
      String item = Integer.toString(i);
      ObjectKey key =
          new ObjectKey(
              list.text("items", item, "metadata", "namespace").orElse(""),
              list.text("items", item, "metadata", "name").orElse(""));
      long before = number(list.text("items", item, "metadata", "resourceVersion"));
      String uid = list.text("items", item, "metadata", "uid").orElse("");
      overlay.unclear(key, uid, before < 0 ? -1 : before + 1);
    }
  }

  private static long version(ObjectTree object) {
    return number(object.text("metadata", "resourceVersion"));
  }

  private static long number(Optional<String> text) {
    return text.filter(digits -> digits.matches("[0-9]{1,18}")).map(Long::parseLong).orElse(-1L);
  }
}
