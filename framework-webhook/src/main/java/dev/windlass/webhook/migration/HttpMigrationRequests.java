// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.migration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.failure.ErrorResponse;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

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
  public Reply<Definition> definition() throws InterruptedException {
    return send(
        http.to(ApiRequest.of("get", "GET", DEFINITIONS, "", type.resource()).path(), LIMIT),
        HttpMigrationRequests::definition);
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
  public Reply<ObjectPage> list(String version, String continueToken) throws InterruptedException {
    String path =
        ApiRequest.of("list", "GET", in(version), "", "")
            .with("limit", Integer.toString(PAGE))
            .with("continue", continueToken)
            .path();
    return send(
        http.to(path, LIMIT).setHeader("Accept", METADATA_LIST), HttpMigrationRequests::page);
  }

  /** Returns the custom resource type with the given version. */
  private ResourceType in(String version) {
    return new ResourceType(type.group(), version, type.plural(), type.kind(), type.namespaced());
  }

  private static ObjectPage page(JsonNode list) {
    List<StoredObject> objects = new ArrayList<>();
    for (JsonNode item : list.path("items")) {
      JsonNode metadata = item.path("metadata");
      objects.add(
          new StoredObject(
              ObjectKey.of(metadata.path("namespace").asText(), metadata.path("name").asText()),
              metadata.path("uid").asText(),
              metadata.path("resourceVersion").asText()));
    }
    return new ObjectPage(objects, list.path("metadata").path("continue").asText());
  }

  @Override
  public Reply<Boolean> rewrite(String version, StoredObject object) throws InterruptedException {
    ObjectNode patch = precondition(object.uid(), object.resourceVersion());
    ObjectKey key = object.key();
    return patch(
        ApiRequest.of("rewrite", "PATCH", in(version), key.namespace(), key.name()), patch);
  }

  @Override
  public Reply<Boolean> trim(Definition definition) throws InterruptedException {
    ObjectNode patch = precondition(definition.uid(), definition.resourceVersion());
    patch.putObject("status").putArray("storedVersions").add(definition.storageVersion());
    return patch(
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

  private Reply<Boolean> patch(ApiRequest request, ObjectNode body) throws InterruptedException {
    return send(
        http.to(request.path(), LIMIT).method("PATCH", MERGE_PATCH, body.toString()),
        response -> true);
  }

  private <T> Reply<T> send(HttpRequest.Builder request, Function<JsonNode, T> reader)
      throws InterruptedException {
    try {
      CompletableFuture<HttpResponse<byte[]>> sent = http.send(request);
      return reply(await(sent), reader);
    } catch (ExecutionException e) {
      return noResponse(e.getCause() == null ? e : e.getCause());
    } catch (IOException | RuntimeException e) {
      return noResponse(e); // for example, because this replica is no longer the leader
    }
  }

  private static HttpResponse<byte[]> await(CompletableFuture<HttpResponse<byte[]>> sent)
      throws ExecutionException, InterruptedException {
    try {
      return sent.get();
    } catch (InterruptedException e) {
      sent.cancel(true);
      throw e;
    }
  }

  private static <T> Reply<T> noResponse(Throwable failure) {
    return Reply.noResponse(
        TransportFailure.of(failure),
        failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage());
  }

  private <T> Reply<T> reply(HttpResponse<byte[]> response, Function<JsonNode, T> reader)
      throws IOException {
    if (response.isSuccessful()) {
      return Reply.success(reader.apply(ObjectCodec.parse(response.body(), JsonNode.class)));
    }
    Status status = http.status(response.body());
    String seconds = response.header("Retry-After");
    Duration retryAfter =
        seconds != null && seconds.matches("[0-9]{1,6}")
            ? Duration.ofSeconds(Long.parseLong(seconds))
            : Duration.ZERO;
    String token = status.getMetadata() == null ? null : status.getMetadata().getContinue();
    return Reply.refused(
        ErrorResponse.of(response.code(), status), retryAfter, token == null ? "" : token);
  }
}
