// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.admission.WriteAttributes.Operation;
import dev.windlass.testing.apiserver.embedded.http.ApiRequest;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.objects.UserInfo;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import dev.windlass.testing.apiserver.embedded.types.BuiltInTypes;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import dev.windlass.testing.apiserver.embedded.writes.Review;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The review of one request by admission webhooks. It calls the mutating webhooks in order. It then
 * calls each webhook with the reinvocation policy {@code IfNeeded} once more if a later webhook has
 * changed the object. It calls all validating webhooks, even if one of them denies the request, and
 * reports the first denial. The real server calls the validating webhooks in parallel.
 */
final class RequestReview implements Review {
  private final ApiRequest request;
  private final UserInfo user;
  private final ObjectNode deleteOptions;
  private final List<AdmissionWebhook> mutating;
  private final List<AdmissionWebhook> validating;
  private final WebhookSelection selection;
  private final WebhookCalls calls;

  RequestReview(
      ApiRequest request,
      UserInfo user,
      ObjectNode deleteOptions,
      List<AdmissionWebhook> mutating,
      List<AdmissionWebhook> validating,
      WebhookSelection selection,
      WebhookCalls calls) {
    this.request = request;
    this.user = user;
    this.deleteOptions = deleteOptions;
    this.mutating = mutating;
    this.validating = validating;
    this.selection = selection;
    this.calls = calls;
  }

  @Override
  public boolean isActive() {
    return !mutating.isEmpty() || !validating.isEmpty();
  }

  @Override
  public ObjectNode mutate(ObjectNode old, ObjectNode object) {
    WriteAttributes write = attributes(old, object);
    Set<AdmissionWebhook> called = new LinkedHashSet<>();
    Set<AdmissionWebhook> again = new LinkedHashSet<>();
    for (AdmissionWebhook webhook : mutating) {
      WriteAttributes changed = mutate(webhook, write);
      if (!Json.same(changed.object(), write.object())) {
        again.addAll(called);
        called.clear();
      }
      if (webhook.reinvoked()) {
        called.add(webhook);
      }
      write = changed;
    }
    for (AdmissionWebhook webhook : again) {
      write = mutate(webhook, write);
    }
    return write.object();
  }

  private WriteAttributes mutate(AdmissionWebhook webhook, WriteAttributes write) {
    Optional<ResourceType> version = selection.version(webhook, write);
    return version.isEmpty()
        ? write
        : write.withObject(calls.mutate(webhook, version.get(), write));
  }

  @Override
  public void validate(ObjectNode old, ObjectNode object) {
    WriteAttributes write = attributes(old, object);
    List<StatusException> denials = new ArrayList<>();
    for (AdmissionWebhook webhook : validating) {
      Optional<ResourceType> version = selection.version(webhook, write);
      if (version.isPresent()) {
        calls.validate(webhook, version.get(), write).ifPresent(denials::add);
      }
    }
    if (!denials.isEmpty()) {
      throw denials.get(0);
    }
  }

  private WriteAttributes attributes(ObjectNode old, ObjectNode object) {
    Operation operation =
        object.isEmpty() ? Operation.DELETE : old.isEmpty() ? Operation.CREATE : Operation.UPDATE;
    String name = request.name();
    if (name.isEmpty() && operation == Operation.CREATE) {
      name = Meta.of(object).name();
    }
    boolean namespace = request.type().resource().equals(BuiltInTypes.NAMESPACES);
    return new WriteAttributes(
        operation,
        request.type(),
        request.subresource(),
        namespace ? name : request.namespace(),
        name,
        old,
        object,
        options(operation),
        operation == Operation.DELETE ? !deleteOptions.path("dryRun").isEmpty() : request.dryRun(),
        user);
  }

  private ObjectNode options(Operation operation) {
    ObjectNode options = Json.object();
    String kind =
        switch (operation) {
          case CREATE -> "CreateOptions";
          case UPDATE -> "UpdateOptions";
          case DELETE -> "DeleteOptions";
        };
    options.put("kind", kind).put("apiVersion", "meta.k8s.io/v1");
    if (request.verb() == Verb.DELETE || request.verb() == Verb.DELETECOLLECTION) {
      options.setAll(Json.without(deleteOptions, "kind", "apiVersion"));
      return options;
    }
    if (request.dryRun()) {
      options.putArray("dryRun").add(request.parameter("dryRun"));
    }
    for (String parameter : List.of("fieldManager", "fieldValidation")) {
      if (!request.parameter(parameter).isEmpty()) {
        options.put(parameter, request.parameter(parameter));
      }
    }
    return options;
  }
}
