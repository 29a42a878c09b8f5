// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.migration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.client.ApiException;
import dev.windlass.client.Client;
import dev.windlass.client.ObjectPatch;
import dev.windlass.failure.ErrorResponse;
import dev.windlass.failure.FailureAdvice;
import dev.windlass.failure.RetryAfter;
import dev.windlass.logging.OneLine;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import dev.windlass.rest.ApiRequest;
import dev.windlass.rest.JsonHttpClient;
import dev.windlass.webhook.registration.VersionSchemas;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionCondition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionStatus;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/** Sends the requests of a migration through a client that reads from the server. */
final class ClientMigrationRequests implements MigrationRequests {

  /** The maximum number of objects in a page, as in client-go ({@code pager.go}). */
  private static final int PAGE = 500;

  /** The time limit for a page: 60 s, which is also the API server's default request timeout. */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static final int LONGEST_MESSAGE = 512;

  private final Client client;
  private final JsonHttpClient http;
  private final ResourceType type;

  /**
   * Creates an instance.
   *
   * @param pages the fabric8 client that lists the objects
   */
  ClientMigrationRequests(Client client, KubernetesClient pages, ResourceType type) {
    this.client = client;
    this.http = JsonHttpClient.withoutRetry(pages);
    this.type = type;
  }

  @Override
  public Optional<Definition> definition() {
    return client
        .get(CustomResourceDefinition.class, ObjectKey.of("", type.resource()))
        .map(ClientMigrationRequests::definition);
  }

  private static Definition definition(CustomResourceDefinition crd) {
    CustomResourceDefinitionStatus status =
        Objects.requireNonNullElseGet(crd.getStatus(), CustomResourceDefinitionStatus::new);
    boolean established =
        Objects.requireNonNullElse(
                status.getConditions(), List.<CustomResourceDefinitionCondition>of())
            .stream()
            .anyMatch(is -> is.getType().equals("Established") && is.getStatus().equals("True"));
    String storageVersion =
        crd.getSpec().getVersions().stream()
            .filter(CustomResourceDefinitionVersion::getStorage)
            .map(CustomResourceDefinitionVersion::getName)
            .findFirst()
            .orElseThrow();
    return new Definition(
        crd.getMetadata().getUid(),
        crd.getMetadata().getResourceVersion(),
        crd.getMetadata().getGeneration(),
        established && crd.getMetadata().getDeletionTimestamp() == null,
        storageVersion,
        Objects.requireNonNullElse(status.getStoredVersions(), List.of()),
        VersionSchemas.removedField(ObjectCodec.convert(crd, ObjectNode.class)));
  }

  /** Requests page by page, so that the memory for many objects is that of their keys. */
  @Override
  public List<StoredObject> list(String version) {
    List<StoredObject> objects = new ArrayList<>();
    String more = "";
    do {
      JsonNode page =
          page(
              ApiRequest.of("list", "GET", in(version), "", "")
                  .with("limit", Integer.toString(PAGE))
                  .with("continue", more));
      for (JsonNode item : page.path("items")) {
        JsonNode metadata = item.path("metadata");
        objects.add(
            new StoredObject(
                ObjectKey.of(metadata.path("namespace").asText(), metadata.path("name").asText()),
                metadata.path("uid").asText(),
                metadata.path("resourceVersion").asText()));
      }
      more = page.path("metadata").path("continue").asText();
    } while (!more.isEmpty());
    return objects;
  }

  private JsonNode page(ApiRequest request) {
    try {
      HttpResponse<byte[]> response =
          http.send(
                  http.to(request.path(), LIMIT).setHeader("Accept", JsonHttpClient.METADATA_LIST))
              .get();
      if (response.isSuccessful()) {
        return ObjectCodec.parse(response.body(), JsonNode.class);
      }
      ErrorResponse refused = ErrorResponse.of(response.code(), http.status(response.body()));
      throw new ApiException(
          "can't %s: %s (HTTP %d). %s"
              .formatted(
                  request,
                  OneLine.of(refused.message(), LONGEST_MESSAGE),
                  response.code(),
                  FailureAdvice.of(refused).about(request.access())),
          response.code(),
          RetryAfter.of(response.header("Retry-After"), response.header("Date")));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ApiException("can't " + request + ": the wait was interrupted", 0);
    } catch (ExecutionException | IOException e) {
      throw new ApiException("can't " + request + ": no response: " + e.getMessage(), 0);
    }
  }

  /** Returns the custom resource type with the given version. */
  private ResourceType in(String version) {
    return new ResourceType(type.group(), version, type.plural(), type.kind(), type.namespaced());
  }

  @Override
  public void rewrite(String version, StoredObject object) {
    GenericKubernetesResource target = new GenericKubernetesResource();
    target.setApiVersion(in(version).apiVersion());
    target.setKind(type.kind());
    target.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(object.key().namespace())
            .withName(object.key().name())
            .build());
    client.patch(target, patch(precondition(object.uid(), object.resourceVersion())));
  }

  @Override
  public void trim(Definition definition) {
    ObjectNode patch = precondition(definition.uid(), definition.resourceVersion());
    patch.putObject("status").putArray("storedVersions").add(definition.storageVersion());
    CustomResourceDefinition target = new CustomResourceDefinition();
    target.setMetadata(new ObjectMetaBuilder().withName(type.resource()).build());
    client.status().patch(target, patch(patch));
  }

  private static ObjectPatch patch(ObjectNode body) {
    return ObjectPatch.merge(body.toString());
  }

  /**
   * Returns a patch that contains only the given uid and resourceVersion. The patch does not change
   * an object that has these values. If an object has other values, the server rejects the patch
   * with a conflict.
   */
  private static ObjectNode precondition(String uid, String resourceVersion) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("metadata").put("uid", uid).put("resourceVersion", resourceVersion);
    return patch;
  }
}
