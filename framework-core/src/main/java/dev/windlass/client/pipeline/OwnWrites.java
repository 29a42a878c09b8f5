// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.pipeline;

import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.ownwrites.Overlay;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.object.MalformedObjectException;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ObjectTree;
import dev.windlass.object.ParsedObject;
import dev.windlass.object.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Overlays each cache with the results of this process's own writes, as contained in the server's
 * responses. A read from a cache therefore never returns a version older than these writes.
 *
 * <p>An object in a response replaces an older version in the cache. A terminating object without
 * finalizers and without a remaining grace period counts as deleted. Some writes may take effect
 * without a response that contains the new version of the object. Examples are a write to a
 * subresource such as {@code scale}, a binding or eviction, a write in an API version other than
 * the cache's, a deletion of a collection, a write to an object that a field selector may exclude,
 * a write whose response is lost, and one for whose response nobody waits. After such a write,
 * reads query the server until the cache has caught up. Dry runs, rejected writes, and writes that
 * a fence has stopped do not affect the overlay.
 *
 * <p>This class is thread-safe.
 */
public final class OwnWrites implements WriteHook {

  private static final Logger log = LoggerFactory.getLogger(OwnWrites.class);

  private static final int SERVER_ERROR = 500;

  /** The subresources that accept a POST request but leave the object unchanged. */
  private static final Set<String> UNCHANGING = Set.of("token");

  private volatile @Nullable SharedInformerFactory informers;

  /** Creates a hook without caches. Call {@link #watch} to add the caches to overlay. */
  public OwnWrites() {}

  /** Overlays the caches of the given factory with the results of all subsequent writes. */
  public void watch(SharedInformerFactory factory) {
    informers = factory;
  }

  @Override
  public Sent before(WriteRequest write) {
    if (write.dryRun()) {
      return Sent.IGNORED;
    }
    List<Overlay<?>> begun = new ArrayList<>();
    caches(write).forEach(cache -> begun.add(cache.overlay()));
    begun.forEach(Overlay::begin);
    return new Sent() {
      @Override
      public void ended(WriteResponse response) {
        try {
          report(write, response);
        } finally {
          refused();
        }
      }

      @Override
      public void refused() {
        begun.forEach(Overlay::end);
      }

      @Override
      public void abandoned() {
        report(write, WriteResponse.NONE);
      }
    };
  }

  private void report(WriteRequest write, WriteResponse response) {
    // Include caches that were created in the meantime, because their first list may be older than
    // the write.
    caches(write).forEach(cache -> ended(cache, write, response));
  }

  private List<SharedIndexInformer<?>> caches(WriteRequest write) {
    SharedInformerFactory factory = informers;
    if (factory == null) {
      return List.of();
    }
    String plural = bindsPod(write) ? "pods" : write.plural();
    List<SharedIndexInformer<?>> found = new ArrayList<>();
    for (SharedIndexInformer<?> informer : factory.informers()) {
      ResourceType type = informer.type();
      WatchScope scope = informer.scope();
      if (type.plural().equals(plural)
          && type.group().equals(write.group())
          && (!type.namespaced() || isIn(scope, write.namespace()))) {
        found.add(informer);
      }
    }
    return found;
  }

  /**
   * Returns whether a write can affect the objects in a cache's scope.
   *
   * @param namespace the namespace of the write; if it is an empty string, the write can affect
   *     objects in all namespaces
   */
  private static boolean isIn(WatchScope scope, String namespace) {
    return scope.namespace().isEmpty()
        || namespace.isEmpty()
        || scope.namespace().equals(namespace);
  }

  /**
   * Returns whether a write binds a Pod by creating a Binding object. Only the body of the request
   * names the Pod. A client can also write to the subresource {@code binding} of a Pod instead.
   */
  private static boolean bindsPod(WriteRequest write) {
    return write.plural().equals("bindings") && write.group().isEmpty();
  }

  private static void ended(
      SharedIndexInformer<?> cache, WriteRequest write, WriteResponse response) {
    boolean done = response.isSuccess();
    if (bindsPod(write)) {
      if (done || mayBeDone(response.code())) {
        cache.overlay().allUnclear(write.namespace());
      }
    } else if (done) {
      try {
        done(cache, write, response);
      } catch (MalformedObjectException e) {
        log.debug("The response to {} is not an object; reading the result from the server", write);
        unknown(cache, write);
      }
    } else if (mayBeDone(response.code())) {
      unknown(cache, write);
    }
  }

  /** Returns whether a write may have taken effect although its response reports no success. */
  private static boolean mayBeDone(int code) {
    return code <= 0 || code >= SERVER_ERROR;
  }

  private static void unknown(SharedIndexInformer<?> cache, WriteRequest write) {
    if (!write.name().isEmpty()) {
      cache.overlay().unclear(key(write), -1);
    } else if (!write.method().equals("POST")) {
      cache.overlay().allUnclear(write.namespace()); // the watch delivers a created object
    }
  }

  private static ObjectKey key(WriteRequest write) {
    return new ObjectKey(write.namespace(), write.name());
  }

  private static void done(
      SharedIndexInformer<?> cache, WriteRequest write, WriteResponse response) {
    byte[] body = response.body();
    boolean deletes = write.method().equals("DELETE");
    if (deletes && write.name().isEmpty()) {
      manyDeleted(cache.overlay(), write, ObjectTree.parse(body, 0, body.length));
      return;
    }
    ParsedObject answer = response.object();
    if (deletes && write.subresource().isEmpty() && answer.kind().equals("Status")) {
      ObjectTree status = ObjectTree.parse(body, 0, body.length);
      cache.overlay().deleted(key(write), status.text("details", "uid").orElse(""));
    } else {
      state(cache, write, answer);
    }
  }

  private static void state(SharedIndexInformer<?> cache, WriteRequest write, ParsedObject answer) {
    String name = answer.name();
    boolean named = !name.isEmpty() && (write.name().isEmpty() || write.name().equals(name));
    if (!named || !answer.kind().equals(cache.type().kind())) {
      record(cache, write, named ? answer.version() : -1);
      return;
    }
    ObjectKey key = new ObjectKey(write.namespace(), name);
    if (hasEnded(write, answer)) {
      cache.overlay().deleted(key, answer.uid());
      return;
    }
    Optional<Boolean> selected = cache.scope().selects(key, answer.labels());
    if (selected.isPresent() && !selected.get()) {
      cache.overlay().outside(key, answer.uid(), answer.version());
    } else if (selected.isPresent() && write.version().equals(cache.type().version())) {
      cache.overlay().written(answer);
    } else {
      cache.overlay().unclear(key, answer.uid(), answer.version());
    }
  }

  /**
   * Handles a response that contains a different kind of object, such as a Scale, a Binding or an
   * Eviction. Records that the current version of the written object is unknown.
   */
  private static void record(SharedIndexInformer<?> cache, WriteRequest write, long version) {
    if (write.name().isEmpty()) {
      return; // the response to the creation is not the object
    }
    if (!UNCHANGING.contains(write.subresource())) {
      cache.overlay().unclear(key(write), version);
    }
  }

  /**
   * Returns whether the object in the response no longer exists. The server deletes a terminating
   * object as soon as it has no finalizers and its grace period is over. The response then contains
   * the last version of the object.
   */
  private static boolean hasEnded(WriteRequest write, ParsedObject object) {
    if (write.plural().equals("namespaces") && write.group().isEmpty()) {
      return false; // spec.finalizers and the objects in the namespace delay its deletion
    }
    boolean held = object.isFinalized() || object.gracePeriodSeconds() != 0;
    return write.method().equals("DELETE")
        ? !(object.isTerminating() && held)
        : object.isTerminating() && !held;
  }

  /**
   * Handles the response to a deletion of a collection. The response contains the versions of the
   * objects before the deletion. It does not contain the finalizers that the deletion may add, for
   * orphaning or for foreground deletion. This method therefore records that the current versions
   * of these objects are unknown.
   */
  private static void manyDeleted(Overlay<?> overlay, WriteRequest write, ObjectTree list) {
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
      long before = WriteRequest.number(list.text("items", item, "metadata", "resourceVersion"));
      String uid = list.text("items", item, "metadata", "uid").orElse("");
      overlay.unclear(key, uid, before < 0 ? -1 : before + 1);
    }
  }
}
