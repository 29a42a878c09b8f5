// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.apply;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.http.ApiRequest;
import dev.windlass.testing.apiserver.embedded.http.ApiResponse;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.ownership.FieldOwner;
import dev.windlass.testing.apiserver.embedded.ownership.FieldOwnership;
import dev.windlass.testing.apiserver.embedded.ownership.FieldPath;
import dev.windlass.testing.apiserver.embedded.ownership.FieldShape;
import dev.windlass.testing.apiserver.embedded.ownership.FieldValues;
import dev.windlass.testing.apiserver.embedded.ownership.ManagedFields;
import dev.windlass.testing.apiserver.embedded.rules.BodyRules;
import dev.windlass.testing.apiserver.embedded.rules.FieldValidation;
import dev.windlass.testing.apiserver.embedded.rules.MetadataRules;
import dev.windlass.testing.apiserver.embedded.storage.Store;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import dev.windlass.testing.apiserver.embedded.types.ResourceType.Trait;
import dev.windlass.testing.apiserver.embedded.writes.ObjectWrites;
import dev.windlass.testing.apiserver.embedded.writes.Review;
import dev.windlass.testing.apiserver.embedded.writes.WriteOptions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Implements server-side apply. An apply request merges the applied configuration into the object.
 * It also removes the fields that the field manager applied before but no longer applies, unless
 * another manager owns them. If the request would change the value of a field that another manager
 * owns, it fails with a conflict, unless it forces the change.
 */
public final class ServerSideApply {
  private static final String STATUS = "status";

  private final Store store;
  private final ObjectWrites writes;

  public ServerSideApply(Store store, ObjectWrites writes) {
    this.store = store;
    this.writes = writes;
  }

  /**
   * Applies the configuration in a request body and returns the response.
   *
   * @param review the review of the object before it is stored
   */
  public ApiResponse apply(ApiRequest request, byte[] body, FieldValidation fields, Review review) {
    WriteOptions options = new WriteOptions(request.dryRun(), FieldOwnership.byUpdate(""), review);
    ObjectNode live;
    try (Store.Transaction tx = store.begin()) {
      live = tx.get(request.type().storage(), request.key());
      if (!options.mustReleaseLock(request.type())) {
        return apply(request, live, body, fields, options);
      }
    }
    return apply(request, live, body, fields, options);
  }

  private ApiResponse apply(
      ApiRequest request,
      @Nullable ObjectNode live,
      byte[] body,
      FieldValidation fields,
      WriteOptions options) {
    ResourceType type = request.type();
    ObjectNode config = ApplyBody.parse(body);
    if (live == null && !request.subresource().isEmpty()) {
      throw StatusException.notFound(type.resource(), request.name());
    }
    fields.checkApplied(config);
    if (Meta.of(config).json().hasNonNull("managedFields")) {
      throw StatusException.badRequest("metadata.managedFields must be nil");
    }
    new BodyRules(request).checkApplied(config);
    MetadataRules.checkVersion(Meta.of(config));
    String uid = Meta.of(config).uid();
    if (live == null && !uid.isEmpty()) {
      throw StatusException.conflict(
          type.resource(),
          request.name(),
          "uid mismatch: the provided object specified uid %s, and no existing object was found"
              .formatted(uid));
    }
    if (live == null) {
      fields.checkDecoding(config);
      return ApiResponse.created(create(request, config, options));
    }
    MetadataRules.requireSameUid(type, Meta.of(live), Meta.of(config));
    AppliedUpdate update = new AppliedUpdate(request, owner(request), config, fields, writes::now);
    return ApiResponse.ok(
        writes.update(
            type, request.key(), request.subresource(), update, options.withOwners(update)));
  }

  private static FieldOwner owner(ApiRequest request) {
    return new FieldOwner(
        request.parameter("fieldManager"),
        FieldOwner.Operation.APPLY,
        request.type().apiVersion(),
        request.subresource());
  }

  private ObjectNode create(ApiRequest request, ObjectNode config, WriteOptions options) {
    ResourceType type = request.type();
    new BodyRules(request).checkPlace(config);
    ObjectNode object = config.deepCopy();
    if (!request.dryRun()) {
      Meta.of(object).json().remove("resourceVersion");
    }
    FieldShape shape = FieldShape.of(type);
    Set<FieldPath> wanted = FieldValues.applied(shape, relevant(request, config));
    return writes.create(
        type,
        request.namespace(),
        object,
        options.withOwners(
            (t, subresource, old, created, now) ->
                note(ManagedFields.of(old), owner(request), wanted, created, now)));
  }

  /**
   * Returns the part of the configuration that the request can write. Only requests to the status
   * subresource can write the status, if the type has this subresource.
   */
  static ObjectNode relevant(ApiRequest request, ObjectNode config) {
    if (request.subresource().equals(STATUS)) {
      ObjectNode status = Json.shallowCopy(config);
      status.remove(
          config.properties().stream()
              .map(Map.Entry::getKey)
              .filter(name -> !List.of("apiVersion", "kind", "metadata", STATUS).contains(name))
              .toList());
      return status;
    }
    return request.type().has(Trait.STATUS) ? Json.without(config, STATUS) : config;
  }

  /** Records, in the object's managedFields, which fields the owner applies. */
  static void note(
      ManagedFields fields,
      FieldOwner owner,
      Set<FieldPath> wanted,
      ObjectNode object,
      String now) {
    fields.set(owner, wanted, now);
    fields.removeEmpty();
    fields.writeTo(object);
  }
}
