// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import dev.windlass.object.ResourceType;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;

/**
 * Lists and watches over HTTP. Together with {@link HttpFeedStream} the only place that touches the
 * transport.
 */
final class HttpListerWatcher implements ListerWatcher {

  private final HttpClient http;
  private final String server;
  private final ResourceType type;
  private final WatchScope scope;

  HttpListerWatcher(KubernetesClient client, ResourceType type, WatchScope scope) {
    // fabric8 would repeat failed requests up to ten times on its own; two back-offs multiply.
    this.http =
        client
            .getHttpClient()
            .newBuilder()
            .tag(new RequestConfigBuilder().withRequestRetryBackoffLimit(0).build())
            .build();
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
    return open(query, new ListParser(), wakeUp);
  }

  @Override
  public FeedStream watch(WatchRequest request, Runnable wakeUp) {
    StringJoiner query = query();
    query.add("watch=true");
    query.add("allowWatchBookmarks=true");
    query.add("resourceVersion=" + encode(request.resourceVersion()));
    query.add("timeoutSeconds=" + Math.max(1, request.timeout().toSeconds()));
    return open(query, new WatchParser(), wakeUp);
  }

  @Override
  public String describe() {
    return type.resource() + " in " + scope + " at " + server;
  }

  private StringJoiner query() {
    StringJoiner query = new StringJoiner("&");
    if (!scope.labelSelector().isEmpty()) {
      query.add("labelSelector=" + encode(scope.labelSelector()));
    }
    return query;
  }

  private FeedStream open(StringJoiner query, FrameParser parser, Runnable wakeUp) {
    String base = server.endsWith("/") ? server : server + "/";
    HttpRequest request =
        http.newHttpRequestBuilder()
            .uri(URI.create(base + type.path(scope.namespace()) + "?" + query))
            .header("Accept", "application/json")
            .forStreaming()
            .build();
    return HttpFeedStream.open(http, request, parser, wakeUp);
  }

  private static String encode(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }
}
