// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.informer;

import dev.windlass.tests.owned.Samples;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** A custom resource of which the server checks nothing, so that its objects need not fit. */
@Group(Gadget.GROUP)
@Version("v1")
@SuppressWarnings("serial") // nobody serializes it
public final class Gadget extends CustomResource<Gadget.Spec, Void> implements Namespaced {

  static final String GROUP = "testing.windlass.dev";

  /** What a gadget shall be like. */
  public static final class Spec {
    private int size;
    private String text = "";

    /** A number, unless somebody wrote something else. */
    public int getSize() {
      return size;
    }

    /** Sets the number. */
    public void setSize(int size) {
      this.size = size;
    }

    /** Ballast. */
    public String getText() {
      return text;
    }

    /** Sets the ballast. */
    public void setText(String text) {
      this.text = text;
    }
  }

  /** The definition of a type like this one, which may have another name. */
  static CustomResourceDefinition definition(String kind) {
    return Samples.crd(GROUP, kind);
  }

  /** The JSON of an object. */
  static String json(String kind, String name, String size, String text) {
    return """
        {"apiVersion":"%s/v1","kind":"%s","metadata":{"name":"%s"},"spec":{"size":%s,"text":"%s"}}
        """
        .formatted(GROUP, kind, name, size, text);
  }
}
