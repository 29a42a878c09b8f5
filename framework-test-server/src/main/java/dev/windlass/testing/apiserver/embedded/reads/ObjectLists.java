// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.reads;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.http.ApiRequest;
import dev.windlass.testing.apiserver.embedded.http.ListOptions;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.objects.ObjectKey;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.selectors.ObjectSelection;
import dev.windlass.testing.apiserver.embedded.storage.ResourceTable;
import dev.windlass.testing.apiserver.embedded.storage.Store;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;

/**
 * Serves list requests, with or without pagination. A list contains the current objects, or the
 * objects as they were at an earlier revision. An earlier revision is available only while the
 * change log contains all later changes.
 *
 * <p>The server stores nothing between the requests for two pages. The continue token contains the
 * revision of the first page, and {@link ResourceTable#at} reconstructs the objects at that
 * revision by undoing all later changes.
 */
public final class ObjectLists {
  private static final String TOO_OLD_TOKEN =
      "the continue token is too old; start a new list, or continue with the token in this"
          + " response, which shows the current state";

  private final Store store;

  public ObjectLists(Store store) {
    this.store = store;
  }

  /**
   * The data for a response. The request's thread collects the data under the store's lock, and
   * releases the lock before it assembles the response.
   */
  private record Page(long revision, List<ObjectNode> items, String token, long remaining) {}

  /**
   * The objects that a list can contain, and their revision. For a page after the first, this
   * excludes the objects up to and including {@link ContinueToken#last}.
   */
  private record View(long revision, NavigableMap<ObjectKey, ObjectNode> objects) {}

  /** Returns the list or the page that {@code request} specifies. */
  public ObjectNode list(ApiRequest request) throws InterruptedException {
    ObjectSelection selection = ObjectSelection.of(request, true);
    ListOptions options = ListOptions.of(request, true);
    Page page;
    try (Store.Transaction tx = store.begin()) {
      page = page(request, selection, view(request, options, tx));
    }
    return assemble(request.type(), page);
  }

  private static View view(ApiRequest request, ListOptions options, Store.Transaction tx)
      throws InterruptedException {
    if (!request.parameter("continue").isEmpty()) {
      ContinueToken token = ContinueToken.decode(request.parameter("continue"));
      if (!request.isFromAnywhere()) {
        throw StatusException.badRequest(
            "specifying resource version is not allowed when using continue");
      }
      return continued(token, tx.table(request.type().storage()), tx);
    }
    long revision = options.revision();
    if (!tx.awaitRevision(revision)) {
      throw StatusException.tooLarge(revision, tx.revision());
    }
    // The table is looked up only now, because another thread may have dropped it while this thread
    // waited.
    ResourceTable table = tx.table(request.type().storage());
    boolean pagedFrom = options.match().isEmpty() && revision > 0 && request.number("limit") > 0;
    if (options.exact() || pagedFrom) {
      if (revision < table.log().floor()) {
        throw StatusException.expired("The resourceVersion for the provided list is too old.");
      }
      return new View(revision, table.at(revision));
    }
    return new View(tx.revision(), table.objects());
  }

  private static View continued(ContinueToken token, ResourceTable table, Store.Transaction tx) {
    if (token.revision() == ContinueToken.LATEST) {
      return new View(tx.revision(), table.objects().tailMap(token.last(), false));
    }
    if (token.revision() < table.log().floor()) {
      StatusException expired = StatusException.expired(TOO_OLD_TOKEN);
      expired
          .status()
          .withObject("/metadata")
          .put("continue", new ContinueToken(ContinueToken.LATEST, token.last()).encode());
      throw expired;
    }
    return new View(token.revision(), table.at(token.revision()).tailMap(token.last(), false));
  }

  private static Page page(ApiRequest request, ObjectSelection selection, View view) {
    // A list from the watch cache ignores the limit. Clients must not rely on pages for this list.
    boolean fromCache = request.parameter("resourceVersion").equals("0");
    long limit = fromCache ? 0 : request.number("limit");
    List<ObjectNode> items = new ArrayList<>();
    long remaining = 0;
    for (ObjectNode object : view.objects().values()) {
      // The real server promises another page even if none of the further objects matches.
      if (limit > 0 && items.size() == limit) {
        remaining += selection.isInNamespace(object) ? 1 : 0;
      } else if (selection.matches(object)) {
        items.add(object);
      }
    }
    String token = "";
    if (remaining > 0) {
      ObjectKey last = Meta.of(items.get(items.size() - 1)).key();
      token = new ContinueToken(view.revision(), last).encode();
    }
    // The real server cannot count the remaining matches of selectors.
    return new Page(view.revision(), items, token, selection.filtered() ? 0 : remaining);
  }

  private static ObjectNode assemble(ResourceType type, Page page) {
    ObjectNode metadata = Json.object();
    if (!page.token().isEmpty() || type.custom()) {
      metadata.put("continue", page.token());
    }
    if (page.remaining() > 0) {
      metadata.put("remainingItemCount", page.remaining());
    }
    metadata.put("resourceVersion", Long.toString(page.revision()));
    return list(type, metadata, page.items());
  }

  /**
   * Creates a list whose fields have the same order as in the real server, because streaming
   * parsers depend on this order. In a list of custom resources, the metadata follows the items,
   * and each item contains its API version and kind. In a list of a built-in kind, the metadata
   * precedes the items, and the items contain neither.
   */
  public static ObjectNode list(ResourceType type, ObjectNode metadata, List<ObjectNode> objects) {
    ObjectNode list = Json.object();
    if (type.custom()) {
      list.put("apiVersion", type.apiVersion());
      ArrayNode items = list.putArray("items");
      objects.forEach(object -> items.add(type.present(object)));
      list.put("kind", type.names().listKind());
      list.set("metadata", metadata);
    } else {
      list.put("kind", type.names().listKind()).put("apiVersion", type.apiVersion());
      list.set("metadata", metadata);
      ArrayNode items = list.putArray("items");
      objects.forEach(
          object -> items.add(Json.without(type.present(object), "kind", "apiVersion")));
    }
    return list;
  }
}
