// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.feed.WatchScope;
import dev.windlass.informer.index.Overlay;
import dev.windlass.object.MalformedObjectException;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ObjectTree;
import dev.windlass.object.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the overlay of each cache what this process wrote, as the server's answers say, so that
 * reads from caches are never older than that.
 *
 * <p>What an answer means: a state of the object is shown in place of an older one. An object that
 * is terminating, and that nothing holds up any more, is gone. Where a write has been done and its
 * answer does not show the state (another subresource, another version of the API, no answer at
 * all), the server is asked until the cache has caught up. Dry runs and refusals mean nothing.
 *
 * <p>Thread safe.
 */
public final class OwnWrites implements WriteHook {

  private static final Logger log = LoggerFactory.getLogger(Client.class);

  private static final int SERVER_ERROR = 500;

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
    return (code, body) -> {
      try {
        // Others may have been made meanwhile, whose first list is older than the write.
        caches(write).forEach(cache -> ended(cache, write, code, body));
      } finally {
        begun.forEach(Overlay::end);
      }
    };
  }

  /** Those that hold everything in a scope, which the write may be in. */
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
          && (type.namespaced() ? scope.covers(write.namespace()) : scope.selectsAll())) {
        found.add(informer);
      }
    }
    return found;
  }

  private static void ended(SharedIndexInformer<?> cache, Write write, int code, byte[] body) {
    if (code >= 200 && code < 300) {
      try {
        done(cache, write, body);
      } catch (MalformedObjectException e) {
        log.debug("The answer to {} is no object; its key is read from the server", write);
        unknown(cache, write);
      }
    } else if (code <= 0 || code >= SERVER_ERROR) {
      unknown(cache, write); // it may have been done
    }
  }

  private static void unknown(SharedIndexInformer<?> cache, Write write) {
    if (!write.name().isEmpty()) {
      cache.overlay().unclear(new ObjectKey(write.namespace(), write.name()), -1);
    }
  }

  private static void done(SharedIndexInformer<?> cache, Write write, byte[] body) {
    ObjectTree answer = ObjectTree.parse(body, 0, body.length);
    boolean deletes = write.method().equals("DELETE");
    if (deletes && write.name().isEmpty()) {
      manyDeleted(cache.overlay(), answer);
    } else if (deletes && answer.text("kind").equals(Optional.of("Status"))) {
      cache
          .overlay()
          .deleted(
              new ObjectKey(write.namespace(), write.name()),
              answer.text("details", "uid").orElse(""));
    } else {
      state(cache, write, answer, body);
    }
  }

  private static void state(
      SharedIndexInformer<?> cache, Write write, ObjectTree answer, byte[] body) {
    String name = answer.text("metadata", "name").orElse("");
    if (name.isEmpty() || !(write.name().isEmpty() || write.name().equals(name))) {
      return; // a Binding, a token: not about a state of the object
    }
    ObjectKey key = new ObjectKey(write.namespace(), name);
    boolean isObject = answer.text("kind").equals(Optional.of(cache.type().kind()));
    if (isObject && hasEnded(write, answer)) {
      cache.overlay().deleted(key, answer.text("metadata", "uid").orElse(""));
    } else if (isObject && write.version().equals(cache.type().version())) {
      cache.overlay().written(body);
    } else if (isObject || write.method().equals("PUT") || write.method().equals("PATCH")) {
      cache.overlay().unclear(key, version(answer));
    }
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

  /** The answer has the states before; those that something holds up are terminating now. */
  private static void manyDeleted(Overlay<?> overlay, ObjectTree list) {
    for (int i = 0; i < list.size("items"); i++) {
      String item = Integer.toString(i);
      String name = list.text("items", item, "metadata", "name").orElse("");
      if (name.isEmpty()) {
        continue;
      }
      ObjectKey key =
          new ObjectKey(list.text("items", item, "metadata", "namespace").orElse(""), name);
      boolean held =
          list.size("items", item, "metadata", "finalizers") > 0
              || list.has("items", item, "spec", "terminationGracePeriodSeconds");
      if (held) {
        long before = number(list.text("items", item, "metadata", "resourceVersion"));
        overlay.unclear(key, before < 0 ? -1 : before + 1);
      } else {
        overlay.deleted(key, list.text("items", item, "metadata", "uid").orElse(""));
      }
    }
  }

  private static long version(ObjectTree object) {
    return number(object.text("metadata", "resourceVersion"));
  }

  private static long number(Optional<String> text) {
    return text.filter(digits -> digits.matches("[0-9]{1,18}")).map(Long::parseLong).orElse(-1L);
  }
}
