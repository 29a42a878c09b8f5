// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.migration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.failure.ErrorResponse;
import dev.windlass.failure.RetryAfter;
import dev.windlass.failure.TransportFailure;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import dev.windlass.rest.ApiRequest;
import dev.windlass.rest.JsonHttpClient;
import dev.windlass.webhook.registration.VersionSchemas;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/**
 * Sends the requests of a migration through a Kubernetes client's connections. List requests ask
 * only for the metadata of the objects, so that a page is small even if the objects are large.
 */
final class HttpMigrationRequests implements MigrationRequests {

  /**
   * The time limit for a response: 60 s, which is also the API server's default request timeout.
   */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** The maximum number of objects in a page, as in client-go ({@code pager.go}). */
  private static final int PAGE = 500;

  private static final String METADATA_LIST =
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

  private static final String MERGE_PATCH = "application/merge-patch+json";

  static final ResourceType DEFINITIONS =
      new ResourceType(
          "apiextensions.k8s.io",
          "v1",
          "customresourcedefinitions",
          "CustomResourceDefinition",
          false);

  private final JsonHttpClient http;
  private final ResourceType type;

  HttpMigrationRequests(KubernetesClient client, ResourceType type) {
    this.http = JsonHttpClient.withoutRetry(client);
    this.type = type;
  }

  @Override
  public Optional<Definition> definition() throws Failure, InterruptedException {
    String path = ApiRequest.of("get", "GET", DEFINITIONS, "", type.resource()).path();
    try {
      return Optional.of(definition(send("read the definition of", http.to(path, LIMIT))));
    } catch (Failure e) {
      if (e.isAbsence()) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static Definition definition(JsonNode crd) {
    JsonNode metadata = crd.path("metadata");
    String storage = "";
    for (JsonNode version : crd.path("spec").path("versions")) {
      if (version.path("storage").asBoolean()) {
        storage = version.path("name").asText();
      }
    }
    boolean established = false;
    for (JsonNode condition : crd.path("status").path("conditions")) {
      established |=
          condition.path("type").asText().equals("Established")
              && condition.path("status").asText().equals("True");
    }
    List<String> stored = new ArrayList<>();
    crd.path("status").path("storedVersions").forEach(version -> stored.add(version.asText()));
    return new Definition(
        metadata.path("uid").asText(),
        metadata.path("resourceVersion").asText(),
        metadata.path("generation").asLong(),
        established && !metadata.has("deletionTimestamp"),
        storage,
        stored,
        VersionSchemas.removedField(crd));
  }

  @Override
  public Page list(String version, String continueToken) throws Failure, InterruptedException {
    String path =
        ApiRequest.of("list", "GET", in(version), "", "")
            .with("limit", Integer.toString(PAGE))
            .with("continue", continueToken)
            .path();
    JsonNode list = send("list", http.to(path, LIMIT).setHeader("Accept", METADATA_LIST));
    List<StoredObject> objects = new ArrayList<>();
    for (JsonNode item : list.path("items")) {
      JsonNode metadata = item.path("metadata");
      objects.add(
          new StoredObject(
              ObjectKey.of(metadata.path("namespace").asText(), metadata.path("name").asText()),
              metadata.path("uid").asText(),
              metadata.path("resourceVersion").asText()));
    }
    return new Page(objects, list.path("metadata").path("continue").asText());
  }

  /** Returns the custom resource type with the given version. */
  private ResourceType in(String version) {
    return new ResourceType(type.group(), version, type.plural(), type.kind(), type.namespaced());
  }

  @Override
  public void rewrite(String version, StoredObject object) throws Failure, InterruptedException {
    ObjectKey key = object.key();
    patch(
        "rewrite an object of",
        ApiRequest.of("rewrite", "PATCH", in(version), key.namespace(), key.name()),
        precondition(object.uid(), object.resourceVersion()));
  }

  @Override
  public void trim(Definition definition) throws Failure, InterruptedException {
    ObjectNode patch = precondition(definition.uid(), definition.resourceVersion());
    patch.putObject("status").putArray("storedVersions").add(definition.storageVersion());
    patch(
        "set the stored versions of",
        ApiRequest.of("trim", "PATCH", DEFINITIONS, "", type.resource()).subresource("status"),
        patch);
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

  private void patch(String action, ApiRequest request, ObjectNode body)
      throws Failure, InterruptedException {
    var unused =
        send(action, http.to(request.path(), LIMIT).method("PATCH", MERGE_PATCH, body.toString()));
  }

  private JsonNode send(String action, HttpRequest.Builder request)
      throws Failure, InterruptedException {
    try {
      HttpResponse<byte[]> response = http.send(request).get();
      if (response.isSuccessful()) {
        return ObjectCodec.parse(response.body(), JsonNode.class);
      }
      Status status = http.status(response.body());
      String token = status.getMetadata() == null ? null : status.getMetadata().getContinue();
      throw new Failure(
          action,
          ErrorResponse.of(response.code(), status),
          RetryAfter.of(response.header("Retry-After"), response.header("Date")),
          token == null ? "" : token);
    } catch (ExecutionException e) {
      throw noResponse(action, Objects.requireNonNull(e.getCause()));
    } catch (IOException | RuntimeException e) {
      throw noResponse(action, e); // for example, because this replica is no longer the leader
    }
  }

  private static Failure noResponse(String action, Throwable failure) {
    return new Failure(
        action,
        TransportFailure.of(failure),
        Objects.requireNonNullElse(failure.getMessage(), failure.getClass().getSimpleName()));
  }
}
