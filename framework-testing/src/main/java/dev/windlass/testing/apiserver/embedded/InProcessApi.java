// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The objects of an {@link EmbeddedApiServer} without a server: answers the requests of fabric8
 * clients in the calling thread, without sockets and threads. It has no watches, and no controller
 * acts on its objects: no garbage collection, no deletion of what a namespace holds.
 *
 * <p>Safe for use by several threads.
 */
public final class InProcessApi {

  private static final int HISTORY = 1;

  private final ResourceTypes types = new ResourceTypes();
  private final Writes writes;
  private final ObjectRequests objects;

  /** Those that were made here, and are not made again after they were deleted. */
  private final Set<String> namespaces = ConcurrentHashMap.newKeySet();

  private final RequestParser parser = new RequestParser(types);
  private final Discovery discovery = new Discovery(types);

  /**
   * Creates one that holds nothing.
   *
   * @param clock of the times that a server sets
   */
  public InProcessApi(Clock clock) {
    Store store = new Store(HISTORY, Duration.ZERO);
    writes = new Writes(store, clock, new Identities(new Random()));
    objects = new ObjectRequests(store, writes, new Deletes(store, writes));
  }

  /** Makes the objects of a custom resource definition known, with its schema and subresources. */
  public void define(CustomResourceDefinition definition) {
    byte[] json = Serialization.asJson(definition).getBytes(StandardCharsets.UTF_8);
    ObjectNode crd = Json.parseObject(json);
    CrdRules.defaults(crd);
    types.replace(CrdRules.resource(crd), CrdRules.types(crd));
  }

  /** Creates a namespace, unless it exists or this has created it before. */
  public void inNamespace(String name) {
    if (namespaces.add(name)) {
      ObjectNode namespace = Json.object();
      Meta.of(namespace).json().put("name", name);
      try {
        writes.create(types.get(BuiltInTypes.NAMESPACES), "", namespace, false);
      } catch (StatusException e) {
        if (e.code() != HttpURLConnection.HTTP_CONFLICT) {
          throw new IllegalArgumentException("no namespace can be called '" + name + "'", e);
        }
      }
    }
  }

  /** Whether a type is known: a built-in one, or one that was defined. */
  public boolean knows(String group, String version, String plural) {
    return types.find(group, version, plural).isPresent();
  }

  /** Makes the HTTP clients that fabric8's clients use. */
  public HttpClient.Factory transport() {
    return new InProcessHttp.Factory(this);
  }

  /** Answers a request; refusals are answers, too. */
  Answer answer(String method, URI uri, String contentType, byte[] body) {
    try {
      Optional<ApiRequest> request = parser.parse(method, uri);
      Optional<ObjectNode> document = discovery.document(RequestParser.segments(uri));
      if (request.isEmpty() && document.isPresent()) {
        return Answer.ok(document.get());
      }
      if (request.isEmpty()
          || !Writes.hasSubresource(request.get().type(), request.get().subresource())) {
        throw StatusException.of(
            404, "NotFound", "the server could not find the requested resource");
      }
      if (request.get().verb() == Verb.WATCH) {
        throw new UnsupportedOperationException("no watches here: use an EmbeddedApiServer");
      }
      return objects.answer(request.get(), contentType, body, warning -> {});
    } catch (StatusException refusal) {
      return new Answer(refusal.code(), refusal.status());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
