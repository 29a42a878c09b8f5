// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.http.ApiRequest;
import dev.windlass.testing.apiserver.embedded.http.ApiResponse;
import dev.windlass.testing.apiserver.embedded.http.RequestParser;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import dev.windlass.testing.apiserver.embedded.schema.CrdRules;
import dev.windlass.testing.apiserver.embedded.storage.Store;
import dev.windlass.testing.apiserver.embedded.types.BuiltInTypes;
import dev.windlass.testing.apiserver.embedded.types.Discovery;
import dev.windlass.testing.apiserver.embedded.types.ResourceTypes;
import dev.windlass.testing.apiserver.embedded.writes.IdGenerator;
import dev.windlass.testing.apiserver.embedded.writes.ObjectDeletes;
import dev.windlass.testing.apiserver.embedded.writes.ObjectWrites;
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
 * The API of an {@link EmbeddedApiServer} without an HTTP server. It executes the requests of
 * fabric8 clients on the calling thread, without sockets or additional threads. It has no watches
 * and no controllers, so there is no garbage collection, and the deletion of a namespace does not
 * delete its objects.
 *
 * <p>This class is thread-safe.
 */
public final class InProcessApi {

  private static final int HISTORY = 1;

  private final ResourceTypes types = new ResourceTypes();
  private final ObjectWrites writes;
  private final ObjectRequests objects;

  /** The namespaces created here. They are not created again after they have been deleted. */
  private final Set<String> namespaces = ConcurrentHashMap.newKeySet();

  private final RequestParser parser = new RequestParser(types);
  private final Discovery discovery = new Discovery(types);

  /**
   * Creates an API that contains no objects.
   *
   * @param clock the clock for timestamps that a server sets
   */
  public InProcessApi(Clock clock) {
    Store store = new Store(HISTORY, Duration.ZERO);
    writes = new ObjectWrites(store, clock, new IdGenerator(new Random()));
    objects = new ObjectRequests(store, writes, new ObjectDeletes(store, writes));
  }

  /** Adds the types of a custom resource definition, with their schema and subresources. */
  public void define(CustomResourceDefinition definition) {
    byte[] json = Serialization.asJson(definition).getBytes(StandardCharsets.UTF_8);
    ObjectNode crd = Json.parseObject(json);
    CrdRules.defaults(crd);
    types.replace(CrdRules.resource(crd), CrdRules.types(crd));
  }

  /** Creates a namespace, unless it exists or an earlier call created it. */
  public void inNamespace(String name) {
    if (namespaces.add(name)) {
      ObjectNode namespace = Json.object();
      Meta.of(namespace).json().put("name", name);
      try {
        writes.create(types.get(BuiltInTypes.NAMESPACES), "", namespace, false);
      } catch (StatusException e) {
        if (e.code() != HttpURLConnection.HTTP_CONFLICT) {
          throw new IllegalArgumentException(
              "'" + name + "' is not a valid name of a namespace", e);
        }
      }
    }
  }

  /**
   * Returns whether a type is known, which means that it is built in or was passed to {@link
   * #define}.
   */
  public boolean knows(String group, String version, String plural) {
    return types.find(group, version, plural).isPresent();
  }

  /**
   * Returns a factory of HTTP clients, with which a fabric8 client sends its requests to this API.
   */
  public HttpClient.Factory transport() {
    return new InProcessHttp.Factory(this);
  }

  /** Returns the response to a request. A rejection is also returned as a response. */
  ApiResponse answer(String method, URI uri, String contentType, byte[] body) {
    try {
      Optional<ApiRequest> request = parser.parse(method, uri);
      Optional<ObjectNode> document = discovery.document(RequestParser.segments(uri));
      if (request.isEmpty() && document.isPresent()) {
        return ApiResponse.ok(document.get());
      }
      if (request.isEmpty() || !request.get().type().hasSubresource(request.get().subresource())) {
        throw StatusException.of(
            404, "NotFound", "the server could not find the requested resource");
      }
      if (request.get().verb() == Verb.WATCH) {
        throw new UnsupportedOperationException(
            "watches are not supported: use an EmbeddedApiServer");
      }
      return objects.answer(request.get(), contentType, body, warning -> {});
    } catch (StatusException refusal) {
      return new ApiResponse(refusal.code(), refusal.status());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
