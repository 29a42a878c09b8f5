// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import dev.windlass.object.ResourceType;
import dev.windlass.trouble.Access;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;

/**
 * Opens lists and watches of one type on an API server. The seam between the framework and whatever
 * carries the bytes.
 *
 * <p>Neither method blocks or throws: a request that fails says so through its stream. Both are
 * called by one thread, the reflector's.
 */
public interface ListerWatcher {

  /**
   * Asks for one page of objects.
   *
   * @param wakeUp called by any thread when the stream has something new to poll
   */
  FeedStream list(ListRequest request, Runnable wakeUp);

  /**
   * Asks for all changes after a version.
   *
   * @param wakeUp called by any thread when the stream has something new to poll
   */
  FeedStream watch(WatchRequest request, Runnable wakeUp);

  /**
   * Whether a list may be asked for as a watch with {@link WatchRequest#initialEvents}. A server
   * that refuses that is asked for pages instead, so it is enough to know the protocol.
   */
  default boolean streamsLists() {
    return false;
  }

  /** What is watched and where, for messages to people. */
  String describe();

  /** What it needs rights for, for messages to people. */
  default Access access() {
    return new Access(List.of("list", "watch"), "this resource", "", "");
  }

  /**
   * On the byte stream of the client's HTTP transport; for every real API server.
   *
   * @param client stays the caller's to close, after the last stream
   */
  static ListerWatcher http(KubernetesClient client, ResourceType type, WatchScope scope) {
    return new HttpListerWatcher(client, type, scope);
  }
}
