// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.object.ListPage;
import dev.windlass.object.ObjectDecoder;
import dev.windlass.object.ReadableObjects;
import dev.windlass.object.ResourceType;
import dev.windlass.rest.ApiRequest;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.LinkedHashMap;

/** Lists objects from the server in pages. */
record ListPager(RestClient requests) {

  /** The number of objects per page of a list, as in client-go ({@code pager.go}). */
  private static final int PAGE = 500;

  <T extends HasMetadata> ReadableObjects<T> list(ListParams which, ObjectDecoder<T> decoder) {
    ResourceType type = decoder.codec().type();
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
    ReadableObjects<T> found = new ReadableObjects<>(new ArrayList<>(), new LinkedHashMap<>());
    if (which.limit() > 0) {
      page(all.with("limit", Integer.toString(which.limit())), decoder, found);
      return found;
    }
    ApiRequest paged = all.with("limit", Integer.toString(PAGE));
    String more = page(paged, decoder, found);
    while (!more.isEmpty()) {
      try {
        more = page(paged.with("continue", more), decoder, found);
      } catch (ApiException e) {
        if (e.getCode() != HttpURLConnection.HTTP_GONE) {
          throw e;
        }
        found.objects().clear(); // the continue token has expired
        found.unreadable().clear();
        more = page(all, decoder, found);
      }
    }
    return found;
  }

  /** Requests a page, adds its objects to the result, and returns the token for the next page. */
  private <T extends HasMetadata> String page(
      ApiRequest request, ObjectDecoder<T> decoder, ReadableObjects<T> found) {
    ListPage<T> page = requests.page(request, decoder);
    ResourceType type = decoder.codec().type();
    page.items().objects().forEach(object -> found.objects().add(complete(object, type)));
    found.unreadable().putAll(page.items().unreadable());
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

  static ApiRequest selecting(ApiRequest request, ListParams which) {
    return request
        .with("labelSelector", which.labels().toString())
        .with("fieldSelector", which.fieldSelector());
  }
}
