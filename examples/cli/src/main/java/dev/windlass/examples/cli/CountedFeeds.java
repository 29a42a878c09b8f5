// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.cli;

import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.feed.FeedEvent;
import dev.windlass.informer.feed.FeedStream;
import dev.windlass.informer.feed.ListRequest;
import dev.windlass.informer.feed.ListerWatcher;
import dev.windlass.informer.feed.WatchRequest;
import dev.windlass.informer.feed.WatchScope;
import dev.windlass.manager.ManagerBuilder;
import dev.windlass.object.ResourceType;
import dev.windlass.trouble.Access;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The usual way to the API server, and how many objects of each type the list has brought that is
 * being read: a cache takes a list only when it is complete, and its own count is zero until then.
 * All methods may be called from any thread.
 */
final class CountedFeeds implements ManagerBuilder.Connector {

  private final Map<String, AtomicLong> counts = new ConcurrentHashMap<>();

  /**
   * How many objects have arrived of the list that was asked for last.
   *
   * @param type such as {@code foos.samplecontroller.k8s.io}
   * @param namespace empty for all
   */
  long arrived(String type, String namespace) {
    return count(type, namespace).get();
  }

  private AtomicLong count(String type, String namespace) {
    return counts.computeIfAbsent(type + " in " + namespace, key -> new AtomicLong());
  }

  @Override
  public SharedInformerFactory.Connector with(KubernetesClient client) {
    return (type, scope) -> counted(ListerWatcher.http(client, type, scope), type, scope);
  }

  /** The same feed, whose lists are counted. */
  ListerWatcher counted(ListerWatcher feed, ResourceType type, WatchScope scope) {
    return new Counted(feed, count(type.resource(), scope.namespace()));
  }

  /** A feed, and what its lists have brought. */
  private record Counted(ListerWatcher feed, AtomicLong count) implements ListerWatcher {

    @Override
    public FeedStream list(ListRequest request, Runnable wakeUp) {
      if (request.continueToken().isEmpty()) {
        count.set(0);
      }
      return new CountedStream(feed.list(request, wakeUp), count);
    }

    /** Changes are none of a list. */
    @Override
    public FeedStream watch(WatchRequest request, Runnable wakeUp) {
      FeedStream stream = feed.watch(request, wakeUp);
      if (!request.initialEvents()) {
        return stream;
      }
      count.set(0);
      return new CountedStream(stream, count);
    }

    @Override
    public boolean streamsLists() {
      return feed.streamsLists();
    }

    @Override
    public String describe() {
      return feed.describe();
    }

    @Override
    public Access access() {
      return feed.access();
    }
  }

  /** The answer to a list, as pages or as a stream. */
  private record CountedStream(FeedStream stream, AtomicLong count) implements FeedStream {

    @Override
    public Optional<FeedEvent> poll() {
      Optional<FeedEvent> event = stream.poll();
      event
          .map(FeedEvent::type)
          .filter(type -> type == FeedEvent.Type.LISTED || type == FeedEvent.Type.ADDED)
          .ifPresent(type -> count.incrementAndGet());
      return event;
    }

    @Override
    public void close() {
      stream.close();
    }
  }
}
