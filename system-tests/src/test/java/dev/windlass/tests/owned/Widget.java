// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.owned;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.ArrayList;
import java.util.List;

/** A custom resource with a status in a subresource, and conditions in it. */
@Group("owned.windlass.dev")
@Version("v1")
@Plural("widgets") // or fabric8 would derive it for each new object
@SuppressWarnings("serial") // nobody serializes it
public final class Widget extends CustomResource<Widget.Spec, Widget.Status> implements Namespaced {

  /** What a widget shall be like. */
  public static final class Spec {
    private int size;
    private List<String> parts = new ArrayList<>();

    /** A number. */
    public int getSize() {
      return size;
    }

    /** Sets the number. */
    public void setSize(int size) {
      this.size = size;
    }

    /** The names of its children. */
    public List<String> getParts() {
      return parts;
    }

    /** Sets the names of its children. */
    public void setParts(List<String> parts) {
      this.parts = parts;
    }
  }

  /** What a widget is like. */
  public static final class Status {
    private int ready;
    private List<Condition> conditions = new ArrayList<>();

    /** A number. */
    public int getReady() {
      return ready;
    }

    /** Sets the number. */
    public void setReady(int ready) {
      this.ready = ready;
    }

    /** What was found out. */
    public List<Condition> getConditions() {
      return conditions;
    }

    /** Sets what was found out. */
    public void setConditions(List<Condition> conditions) {
      this.conditions = conditions;
    }
  }

  /** One of that name, with the size 1 and no status. */
  public static Widget of(String namespace, String name) {
    Widget widget = new Widget();
    widget.setMetadata(new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
    Spec spec = new Spec();
    spec.setSize(1);
    widget.setSpec(spec);
    return widget;
  }

  /** The JSON of one, whose size need not be a number. */
  public static String json(String name, String size, String part) {
    return """
        {"apiVersion":"owned.windlass.dev/v1","kind":"Widget","metadata":{"name":"%s"},
         "spec":{"size":%s,"parts":["%s"]}}
        """
        .formatted(name, size, part);
  }

  /** Its definition. */
  public static CustomResourceDefinition definition() {
    return Samples.crd("owned.windlass.dev", "Widget");
  }
}
