// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import java.io.IOException;

/**
 * Observes the requests of one {@link InMemoryTransport}, and can make them fail. The transport
 * calls {@link #sending} and {@link #answered} on the request's thread. It calls {@link #delivers}
 * as a task of the server's {@code Timers}, or on a server thread if timers are not set. It does
 * not hold a server lock during these calls.
 */
public interface TransportHook {

  /** A hook that has no effect. */
  TransportHook NONE = new TransportHook() {};

  /**
   * Observes a request for a resource before the server receives it.
   *
   * @throws IOException to make the request fail without an effect
   */
  default void sending(RecordedRequest request) throws IOException {}

  /**
   * Observes the response to a request after the server has executed the request, and before the
   * client receives the response.
   *
   * @throws IOException to lose the response although the request had its effect
   */
  default void answered(RecordedRequest request, Answer answer) throws IOException {}

  /**
   * Returns whether a watch may deliver an event. The transport calls this method before the
   * delivery. If the result is false, the watch holds this event and all subsequent events until
   * {@link InMemoryTransport#resume()} is called.
   *
   * @param watch the watch request
   * @param event the event
   */
  default boolean delivers(RecordedRequest watch, WatchedEvent event) {
    return true;
  }

  /**
   * The response to a request.
   *
   * @param code the HTTP status
   * @param name the name of the object in the response, which the server may have generated; empty
   *     if the response is not an object
   * @param generateName the prefix from which the server generated the name; empty otherwise
   * @param resourceVersion the version of the object or the list; empty if the response has none
   */
  record Answer(int code, String name, String generateName, String resourceVersion) {

    /** Returns whether the request succeeded. */
    public boolean isSuccess() {
      return code < 300;
    }
  }

  /**
   * An event of a watch.
   *
   * @param type ADDED, MODIFIED, DELETED, BOOKMARK or ERROR
   * @param namespace the object's namespace; empty for a cluster-scoped object
   * @param name the object's name; empty for a bookmark or an error
   * @param resourceVersion the version of the object or the bookmark; empty for an error
   */
  record WatchedEvent(String type, String namespace, String name, String resourceVersion) {

    /** Returns whether the event describes a change to an object. */
    public boolean isChange() {
      return !name.isEmpty();
    }
  }
}
