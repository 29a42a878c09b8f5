// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.client;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** A custom resource with a status of its own. */
@Group(Widget.GROUP)
@Version("v1")
@SuppressWarnings("serial") // nobody serializes it
public final class Widget extends CustomResource<Widget.Spec, Widget.Status> implements Namespaced {

  static final String GROUP = "converge.windlass.dev";

  /** What a widget shall be like. */
  public static final class Spec {
    private int size;

    /** A number. */
    public int getSize() {
      return size;
    }

    /** Sets the number. */
    public void setSize(int size) {
      this.size = size;
    }
  }

  /** What a widget is like. */
  public static final class Status {
    private int size;

    /** The size that was brought about. */
    public int getSize() {
      return size;
    }

    /** Sets the size that was brought about. */
    public void setSize(int size) {
      this.size = size;
    }
  }

  static CustomResourceDefinition definition() {
    return new CustomResourceDefinitionBuilder()
        .withNewMetadata()
        .withName("widgets." + GROUP)
        .endMetadata()
        .withNewSpec()
        .withGroup(GROUP)
        .withScope("Namespaced")
        .withNewNames()
        .withKind("Widget")
        .withPlural("widgets")
        .endNames()
        .addNewVersion()
        .withName("v1")
        .withServed(true)
        .withStorage(true)
        .withNewSubresources()
        .withNewStatus()
        .endStatus()
        .endSubresources()
        .withNewSchema()
        .withNewOpenAPIV3Schema()
        .withType("object")
        .withXKubernetesPreserveUnknownFields(true)
        .endOpenAPIV3Schema()
        .endSchema()
        .endVersion()
        .endSpec()
        .build();
  }
}
