// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.object.ListPage;
import dev.windlass.object.ResourceType;
import dev.windlass.rest.ApiRequest;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;

/** Lists objects from the server in pages. */
record ListPager(RestClient requests) {

  /** The number of objects per page of a list, as in client-go ({@code pager.go}). */
  private static final int PAGE = 500;

  /** Returns the requested objects, up to the limit, in a modifiable list. */
  <T extends HasMetadata> List<T> list(ResourceType type, ListParams which, Class<T> item) {
    if (!which.indexValues().isEmpty()) {
      throw new IllegalStateException(
          "a list of "
              + type
              + " by the index "
              + which.indexValues().get(0).index()
              + " requires a cache, and this client reads from the server: use a client that is"
              + " not uncached()");
    }
    ApiRequest all = selecting(ApiRequest.of("list", "GET", type, which.namespace(), ""), which);
    List<T> found = new ArrayList<>();
    if (which.limit() > 0) {
      page(all.with("limit", Integer.toString(which.limit())), type, item, found);
      return found;
    }
    ApiRequest paged = all.with("limit", Integer.toString(PAGE));
    String more = page(paged, type, item, found);
    while (!more.isEmpty()) {
      try {
        more = page(paged.with("continue", more), type, item, found);
      } catch (ApiException e) {
        if (e.getCode() != HttpURLConnection.HTTP_GONE) {
          throw e;
        }
        found.clear(); // the continue token has expired
        more = page(all, type, item, found);
      }
    }
    return found;
  }

  /** Requests a page, adds its objects to the list, and returns the token for the next page. */
  private <T extends HasMetadata> String page(
      ApiRequest request, ResourceType type, Class<T> item, List<T> found) {
    ListPage<T> page = requests.page(request, item);
    page.items().forEach(object -> found.add(complete(object, type)));
    return page.continueToken();
  }

  /** Sets the apiVersion and kind of an item, because a list response may omit them. */
  private static <T extends HasMetadata> T complete(T object, ResourceType type) {
    if (object.getKind() == null || object.getApiVersion() == null) {
      object.setApiVersion(type.apiVersion());
      if (object instanceof GenericKubernetesResource generic) {
        generic.setKind(type.kind());
      }
    }
    return object;
  }

  /** Adds a list's selectors to a request. */
  static ApiRequest selecting(ApiRequest request, ListParams which) {
    return request
        .with("labelSelector", which.labels().toString())
        .with("fieldSelector", which.fieldSelector());
  }
}
