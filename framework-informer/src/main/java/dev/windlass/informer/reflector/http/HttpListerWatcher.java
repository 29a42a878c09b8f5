// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector.http;

import dev.windlass.failure.RequiredPermission;
import dev.windlass.informer.reflector.FeedStream;
import dev.windlass.informer.reflector.ListerWatcher;
import dev.windlass.informer.reflector.ListerWatcher.ListRequest;
import dev.windlass.informer.reflector.ListerWatcher.WatchRequest;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.object.Projection;
import dev.windlass.object.ResourceType;
import dev.windlass.transport.Retries;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;

/** Lists and watches over HTTP. Only this class and {@link HttpFeedStream} access the transport. */
public final class HttpListerWatcher implements ListerWatcher {

  private final HttpClient http;
  private final String server;
  private final ResourceType type;
  private final WatchScope scope;

  /**
   * Creates an instance that uses the HTTP transport of the given client.
   *
   * @param client the client; the caller remains responsible for closing it after the last stream
   *     has ended
   */
  public HttpListerWatcher(KubernetesClient client, ResourceType type, WatchScope scope) {
    this.http = Retries.disabled(client);
    this.server = client.getConfiguration().getMasterUrl();
    this.type = type;
    this.scope = scope;
  }

  @Override
  public FeedStream list(ListRequest request, Runnable wakeUp) {
    StringJoiner query = query();
    if (request.limit() > 0) {
      query.add("limit=" + request.limit());
    }
    if (!request.continueToken().isEmpty()) {
      query.add("continue=" + encode(request.continueToken()));
    }
    HttpRequest.Builder http = request(query, accept(request.projection(), "List"));
    http.header("Accept-Encoding", "gzip"); // API servers compress lists but not watches
    return HttpFeedStream.open(this.http, http.build(), new ListParser(), wakeUp);
  }

  @Override
  public FeedStream watch(WatchRequest request, Runnable wakeUp) {
    StringJoiner query = query();
    query.add("watch=true");
    query.add("allowWatchBookmarks=true");
    query.add("resourceVersion=" + encode(request.resourceVersion()));
    query.add("timeoutSeconds=" + Math.max(1, request.timeout().toSeconds()));
    if (request.initialEvents()) {
      query.add("sendInitialEvents=true");
      query.add("resourceVersionMatch=NotOlderThan");
    }
    HttpRequest.Builder http = request(query, accept(request.projection(), ""));
    return HttpFeedStream.open(this.http, http.build(), new WatchParser(), wakeUp);
  }

  @Override
  public boolean streamsLists() {
    return true;
  }

  @Override
  public String describe() {
    return type.resource() + " in " + scope + " at " + server;
  }

  @Override
  public RequiredPermission access() {
    return scope.access(type);
  }

  private StringJoiner query() {
    StringJoiner query = new StringJoiner("&");
    if (!scope.labelSelector().isEmpty()) {
      query.add("labelSelector=" + encode(scope.labelSelector()));
    }
    if (!scope.fieldSelector().isEmpty()) {
      query.add("fieldSelector=" + encode(scope.fieldSelector()));
    }
    return query;
  }

  private HttpRequest.Builder request(StringJoiner query, String accept) {
    String base = server.endsWith("/") ? server : server + "/";
    return http.newHttpRequestBuilder()
        .uri(URI.create(base + type.path(scope.namespace()) + "?" + query))
        .header("Accept", accept)
        .forStreaming();
  }

  /**
   * Returns the value of the {@code Accept} header. If only the metadata is requested, a server
   * that does not support {@code PartialObjectMetadata} returns whole objects.
   */
  private static String accept(Projection projection, String suffix) {
    return projection == Projection.METADATA
        ? "application/json;as=PartialObjectMetadata"
            + suffix
            + ";g=meta.k8s.io;v=v1,application/json"
        : "application/json";
  }

  private static String encode(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }
}
