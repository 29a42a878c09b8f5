// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.migration;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.client.Client;
import dev.windlass.client.ListParams;
import dev.windlass.client.ObjectPatch;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.Projection;
import dev.windlass.object.ResourceType;
import dev.windlass.webhook.registration.VersionSchemas;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionCondition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionStatus;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Sends the requests of a migration through a client that reads from the server. */
final class ClientMigrationRequests implements MigrationRequests {

  private final Client client;
  private final ResourceType type;

  ClientMigrationRequests(Client client, ResourceType type) {
    this.client = client;
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

  @Override
  public List<StoredObject> list(String version) {
    return client.reading(Projection.METADATA).list(in(version), ListParams.ALL).stream()
        .map(
            object ->
                new StoredObject(
                    ObjectKey.of(object),
                    object.getMetadata().getUid(),
                    object.getMetadata().getResourceVersion()))
        .toList();
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
