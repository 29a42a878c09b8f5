// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.cli.testing;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a CRD as text, since their class has no room for what is wrong with them; and the
 * CRD as it may have been when they were written.
 *
 * @param namespace null if the objects have none
 */
public record LooseCrd(
    KubernetesClient kubectl, CustomResourceDefinition shipped, @Nullable String namespace) {

  /** Until {@link #restore()}, the server accepts whatever is called by the kind. */
  public void acceptEverything() {
    change(
        crd ->
            crd.getSpec()
                .getVersions()
                .get(0)
                .getSchema()
                .setOpenAPIV3Schema(
                    new JSONSchemaPropsBuilder()
                        .withType("object")
                        .withXKubernetesPreserveUnknownFields(true)
                        .build()));
  }

  public void restore() {
    change(crd -> crd.setSpec(shipped.getSpec()));
  }

  private void change(Consumer<CustomResourceDefinition> change) {
    Edits.edit(
        kubectl
            .apiextensions()
            .v1()
            .customResourceDefinitions()
            .withName(shipped.getMetadata().getName()),
        change);
  }

  /** An object with more fields, such as {@code ,"spec":{}}. */
  public Resource<GenericKubernetesResource> object(String name, String fields) {
    String apiVersion =
        shipped.getSpec().getGroup() + "/" + shipped.getSpec().getVersions().get(0).getName();
    String kind = shipped.getSpec().getNames().getKind();
    String where = namespace == null ? "" : "\"namespace\":\"" + namespace + "\",";
    String json =
        "{\"apiVersion\":\"%s\",\"kind\":\"%s\",\"metadata\":{%s\"name\":\"%s\"}%s}"
            .formatted(apiVersion, kind, where, name, fields);
    var all = kubectl.genericKubernetesResources(apiVersion, kind);
    GenericKubernetesResource object =
        Serialization.unmarshal(json, GenericKubernetesResource.class);
    return namespace == null ? all.resource(object) : all.inNamespace(namespace).resource(object);
  }

  /** Creates it; the server may take a while to take notice of another CRD. */
  public void createAsSoonAsAccepted(String name, String fields) {
    eventually()
        .until(
            () -> {
              try {
                object(name, fields).create();
                return true;
              } catch (KubernetesClientException e) {
                assertThat(e.getCode()).isEqualTo(422);
                return false;
              }
            });
  }

  /** Sends a JSON merge patch. */
  public void patch(String name, String change) {
    object(name, "").patch(PatchContext.of(PatchType.JSON_MERGE), change);
  }

  /** The Warnings about an object in its namespace. */
  public List<Event> warnings(String name) {
    return kubectl.events().v1().events().inNamespace(namespace).list().getItems().stream()
        .filter(event -> event.getType().equals("Warning"))
        .filter(event -> event.getRegarding().getName().equals(name))
        .toList();
  }
}
