// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import java.io.IOException;

/**
 * Observes the requests of one {@link InMemoryTransport}, and can make them fail. The transport
 * calls {@link #sending} and {@link #answered} on the thread of the request. It calls {@link
 * #delivers} in a task of the server's {@code Timers}, or on a server thread if timers are not set.
 * The transport does not hold a server lock during these calls.
 */
public interface TransportHook {

  /** A hook that has no effect. */
  TransportHook NONE = new TransportHook() {};

  /**
   * Observes a request for a resource before the server receives it.
   *
   * @throws IOException if the request is to fail; the server then does not receive it
   */
  default void sending(RecordedRequest request) throws IOException {}

  /**
   * Observes the response to a request after the server has executed the request, and before the
   * client receives the response.
   *
   * @throws IOException if the response is to be lost; the client then does not receive it
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
   * @param code the HTTP status code
   * @param name the name of the object in the response; the server may have generated it; empty if
   *     the response is not an object
   * @param generateName the {@code generateName} of the object; empty if it does not have one
   * @param resourceVersion the resourceVersion of the object or list; empty if the response does
   *     not have one
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
   * @param resourceVersion the resourceVersion of the object or bookmark; empty for an error
   */
  record WatchedEvent(String type, String namespace, String name, String resourceVersion) {

    /** Returns whether the event describes a change to an object. */
    public boolean isChange() {
      return !name.isEmpty();
    }
  }
}
