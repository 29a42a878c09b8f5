// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import dev.windlass.failure.RequiredPermission;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.reflector.FeedEvent;
import dev.windlass.informer.reflector.FeedStream;
import dev.windlass.informer.reflector.ListerWatcher;
import dev.windlass.informer.reflector.ListerWatcher.ListRequest;
import dev.windlass.informer.reflector.ListerWatcher.WatchRequest;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.manager.ManagerBuilder;
import dev.windlass.object.ResourceType;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the objects that the feeds of a manager receive in the current list of each resource type
 * and namespace. The size of a cache does not show the progress of a list, because it remains zero
 * until the whole list has arrived. This class is thread-safe.
 */
final class CountedFeeds {

  private final Map<String, AtomicLong> counts = new ConcurrentHashMap<>();

  /**
   * Returns the number of objects received so far from the most recently requested list.
   *
   * @param type the resource, such as {@code foos.samplecontroller.k8s.io}
   * @param namespace the namespace; empty for all namespaces
   */
  long arrived(String type, String namespace) {
    return count(type, namespace).get();
  }

  private AtomicLong count(String type, String namespace) {
    return counts.computeIfAbsent(type + " in " + namespace, key -> new AtomicLong());
  }

  /** Returns a connector whose feeds are those of the given connector, and are counted. */
  ManagerBuilder.Connector counting(ManagerBuilder.Connector connector) {
    return client -> {
      SharedInformerFactory.Connector feeds = connector.with(client);
      return (type, scope) -> counted(feeds.connect(type, scope), type, scope);
    };
  }

  /** Wraps a feed so that it counts the objects in its lists. */
  ListerWatcher counted(ListerWatcher feed, ResourceType type, WatchScope scope) {
    return new Counted(feed, count(type.resource(), scope.namespace()));
  }

  /** A feed that counts the objects in its current list. */
  private record Counted(ListerWatcher feed, AtomicLong count) implements ListerWatcher {

    @Override
    public FeedStream list(ListRequest request, Runnable wakeUp) {
      if (request.continueToken().isEmpty()) {
        count.set(0);
      }
      return new CountedStream(feed.list(request, wakeUp), count);
    }

    /**
     * Opens a watch. If the watch begins as a streaming list, the returned stream counts the added
     * objects. Changes that other watches report are not counted.
     */
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
    public RequiredPermission access() {
      return feed.access();
    }
  }

  /**
   * A stream that counts the objects that it returns. It is either the response to a list request
   * or a streaming list.
   */
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
