// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.admission.AdmissionWebhooks;
import dev.windlass.testing.apiserver.embedded.apply.ApplyBody;
import dev.windlass.testing.apiserver.embedded.apply.ServerSideApply;
import dev.windlass.testing.apiserver.embedded.http.ApiRequest;
import dev.windlass.testing.apiserver.embedded.http.ApiResponse;
import dev.windlass.testing.apiserver.embedded.http.DeleteOptions;
import dev.windlass.testing.apiserver.embedded.http.ListOptions;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.objects.UserInfo;
import dev.windlass.testing.apiserver.embedded.ownership.FieldOwnership;
import dev.windlass.testing.apiserver.embedded.patch.PatchFormat;
import dev.windlass.testing.apiserver.embedded.reads.ObjectLists;
import dev.windlass.testing.apiserver.embedded.rules.BodyRules;
import dev.windlass.testing.apiserver.embedded.rules.FieldValidation;
import dev.windlass.testing.apiserver.embedded.rules.MetadataRules;
import dev.windlass.testing.apiserver.embedded.selectors.ObjectSelection;
import dev.windlass.testing.apiserver.embedded.storage.Store;
import dev.windlass.testing.apiserver.embedded.types.BuiltInSchemas;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import dev.windlass.testing.apiserver.embedded.types.ResourceType.Trait;
import dev.windlass.testing.apiserver.embedded.writes.ObjectDeletes;
import dev.windlass.testing.apiserver.embedded.writes.ObjectWrites;
import dev.windlass.testing.apiserver.embedded.writes.Review;
import dev.windlass.testing.apiserver.embedded.writes.ScaleSubresource;
import dev.windlass.testing.apiserver.embedded.writes.WriteOptions;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Serves all requests for objects except watches. Each of these requests has a single response. */
final class ObjectRequests {
  private static final List<String> BODY_TYPES = List.of("application/json", "application/yaml");

  private final Store store;
  private final ObjectLists lists;
  private final ObjectWrites writes;
  private final ObjectDeletes deletes;
  private final ServerSideApply serverSideApply;
  private final AdmissionWebhooks admission;

  ObjectRequests(
      Store store, ObjectWrites writes, ObjectDeletes deletes, AdmissionWebhooks admission) {
    this.store = store;
    this.lists = new ObjectLists(store);
    this.writes = writes;
    this.deletes = deletes;
    this.admission = admission;
    this.serverSideApply = new ServerSideApply(store, writes);
  }

  /**
   * Returns the response to a request.
   *
   * @param user the user who sends the request
   * @param contentType the content type of the request; empty if it has none
   * @param warnings the consumer of the warnings for the client
   * @throws StatusException if the request is rejected
   */
  ApiResponse answer(
      ApiRequest request, UserInfo user, String contentType, byte[] body, Consumer<String> warnings)
      throws InterruptedException {
    return switch (request.verb()) {
      case GET -> ApiResponse.ok(get(request));
      case LIST -> ApiResponse.ok(lists.list(request));
      case CREATE -> {
        byte[] json = json(contentType, body);
        FieldValidation fields = new FieldValidation(request, warnings);
        ObjectNode wanted = new BodyRules(request).decode(json);
        fields.checkBody(wanted);
        ObjectNode created;
        try {
          created = create(request, wanted, options(request, user, warnings));
        } catch (StatusException e) {
          if (e.code() == HttpURLConnection.HTTP_CONFLICT) {
            fields.succeeded(Json.object()); // the object is valid
          }
          throw e;
        }
        fields.succeeded(Json.object());
        yield ApiResponse.created(created);
      }
      case UPDATE -> {
        byte[] json = json(contentType, body);
        FieldValidation fields = new FieldValidation(request, warnings);
        ObjectNode wanted = new BodyRules(request).decode(json);
        fields.checkBody(wanted);
        new BodyRules(request).checkPlace(wanted);
        boolean creates =
            request.type().has(Trait.CREATED_BY_UPDATE) && request.subresource().isEmpty();
        if (creates && current(request).isEmpty()) {
          yield ApiResponse.created(
              createByUpdate(request, wanted, options(request, user, warnings)));
        }
        ObjectNode old = current(request);
        ObjectNode updated = update(request, current -> wanted, options(request, user, warnings));
        fields.succeeded(old);
        yield ApiResponse.ok(updated);
      }
      case PATCH -> {
        PatchFormat format = PatchFormat.of(contentType, request.type());
        FieldValidation fields =
            new FieldValidation(request, format == PatchFormat.APPLY, warnings);
        ObjectNode old = current(request);
        ApiResponse patched =
            patch(request, format, body, fields, options(request, user, warnings));
        fields.succeeded(old);
        yield patched;
      }
      case DELETE -> ApiResponse.ok(delete(request, user, body, warnings));
      case DELETECOLLECTION -> ApiResponse.ok(deleteAll(request, user, body, warnings));
      case WATCH -> throw new IllegalArgumentException("a watch has no single response");
    };
  }

  private ApiResponse patch(
      ApiRequest request,
      PatchFormat format,
      byte[] body,
      FieldValidation fields,
      WriteOptions options) {
    if (format == PatchFormat.APPLY) {
      return serverSideApply.apply(request, body, fields, options.review());
    }
    JsonNode patch = Json.parse(body);
    return ApiResponse.ok(
        update(
            request,
            current -> {
              ObjectNode patched = format.apply(current, patch, BuiltInSchemas.of(request.type()));
              fields.checkPatched(patched, format == PatchFormat.STRATEGIC);
              MetadataRules.requireSameUid(request.type(), Meta.of(current), Meta.of(patched));
              return patched;
            },
            options));
  }

  private static byte[] json(String contentType, byte[] body) {
    String mediaType = contentType.split(";", 2)[0].trim();
    if (!mediaType.isEmpty() && !BODY_TYPES.contains(mediaType)) {
      throw StatusException.unsupportedMediaType(BODY_TYPES);
    }
    return mediaType.endsWith("yaml") ? Json.bytes(ApplyBody.parse(body)) : body;
  }

  private ObjectNode get(ApiRequest request) throws InterruptedException {
    long revision = request.revision();
    ObjectNode stored;
    try (Store.Transaction tx = store.begin()) {
      if (!tx.awaitRevision(revision)) {
        throw StatusException.tooLarge(revision, tx.revision());
      }
      stored = ObjectWrites.existing(tx, request.type(), request.key());
    }
    return isScale(request)
        ? ScaleSubresource.of(request.type(), stored)
        : request.type().present(stored);
  }

  private static boolean isScale(ApiRequest request) {
    return request.subresource().equals("scale");
  }

  private ObjectNode create(ApiRequest request, ObjectNode body, WriteOptions options) {
    if (request.type().namespaced() && request.namespace().isEmpty()) {
      throw StatusException.methodNotAllowed();
    }
    return writes.create(request.type(), request.namespace(), body, options);
  }

  /** Returns the stored object, or an empty object if it does not exist. */
  private ObjectNode current(ApiRequest request) {
    try (Store.Transaction tx = store.begin()) {
      ObjectNode current = tx.get(request.type().storage(), request.key());
      return current == null ? Json.object() : current;
    }
  }

  private ObjectNode createByUpdate(ApiRequest request, ObjectNode wanted, WriteOptions options) {
    Meta meta = Meta.of(wanted);
    if (!meta.uid().isEmpty()) {
      throw MetadataRules.otherUid(request.type(), request.name(), meta.uid(), "");
    }
    MetadataRules.checkVersion(meta);
    if (!request.dryRun()) {
      meta.json().remove("resourceVersion");
    }
    return create(request, wanted, options);
  }

  private ObjectNode update(
      ApiRequest request, UnaryOperator<ObjectNode> edit, WriteOptions options) {
    ResourceType type = request.type();
    if (!isScale(request)) {
      return writes.update(type, request.key(), request.subresource(), edit, options);
    }
    UnaryOperator<ObjectNode> scaled =
        ScaleSubresource.edit(type, scale -> options.review().mutate(scale, edit.apply(scale)));
    WriteOptions ofObject =
        options
            .withOwners(options.owners().throughScale())
            .withReview(ScaleSubresource.review(type, options.review()));
    return ScaleSubresource.of(type, writes.update(type, request.key(), "", scaled, ofObject));
  }

  private WriteOptions options(ApiRequest request, UserInfo user, Consumer<String> warnings) {
    return new WriteOptions(
        request.dryRun(),
        FieldOwnership.byUpdate(request.parameter("fieldManager")),
        admission.review(request, user, Json.object(), warnings));
  }

  private Review deleteReview(
      ApiRequest request, UserInfo user, byte[] body, Consumer<String> warnings) {
    return admission.review(request, user, DeleteOptions.json(request, body), warnings);
  }

  private ObjectNode delete(
      ApiRequest request, UserInfo user, byte[] body, Consumer<String> warnings) {
    ResourceType type = request.type();
    if (!request.subresource().isEmpty()) {
      throw type.custom()
          ? StatusException.methodNotAllowed(type.resource(), "delete")
          : StatusException.methodNotAllowed();
    }
    ObjectDeletes.Outcome outcome =
        deletes.delete(
            type,
            request.key(),
            DeleteOptions.of(request, body),
            deleteReview(request, user, body, warnings));
    if (!outcome.gone() || type.has(Trait.RETURNED_BY_DELETE)) {
      return type.present(outcome.object());
    }
    ObjectNode status = Json.object().put("kind", "Status").put("apiVersion", "v1");
    status.putObject("metadata");
    status.put("status", "Success");
    ObjectNode details = status.putObject("details").put("name", request.name());
    if (!type.group().isEmpty()) {
      details.put("group", type.group());
    }
    details.put("kind", type.plural()).put("uid", Meta.of(outcome.object()).uid());
    return status;
  }

  private ObjectNode deleteAll(
      ApiRequest request, UserInfo user, byte[] body, Consumer<String> warnings) {
    if (request.type().namespaced() && request.namespace().isEmpty()) {
      throw StatusException.methodNotAllowed();
    }
    ObjectSelection selection = ObjectSelection.of(request, true);
    ListOptions.of(request, true);
    DeleteOptions options = DeleteOptions.of(request, body);
    List<ObjectNode> deleted;
    String revision;
    try (Store.Transaction tx = store.begin()) {
      revision = Long.toString(tx.revision());
    }
    deleted =
        deletes.deleteAll(
            request.type(), selection, options, deleteReview(request, user, body, warnings));
    ObjectNode metadata = Json.object();
    if (request.type().custom()) {
      metadata.put("continue", "");
    }
    return ObjectLists.list(request.type(), metadata.put("resourceVersion", revision), deleted);
  }
}
