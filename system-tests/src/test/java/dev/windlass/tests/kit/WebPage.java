// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.kit;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** A custom resource that requests a web page with the given content. */
@Group("josdk.windlass.dev")
@Version("v1")
@SuppressWarnings("serial") // never serialised by Java
public final class WebPage extends CustomResource<WebPage.Spec, WebPage.Status>
    implements Namespaced {

  /** The desired state. */
  public static final class Spec {
    private String html = "";

    /** Returns the HTML of the page. */
    public String getHtml() {
      return html;
    }

    /** Sets the HTML of the page. */
    public void setHtml(String html) {
      this.html = html;
    }
  }

  /** The observed state. */
  public static final class Status {
    private String configMap = "";

    /** Returns the name of the ConfigMap that contains the page. */
    public String getConfigMap() {
      return configMap;
    }

    /** Sets the name of the ConfigMap that contains the page. */
    public void setConfigMap(String configMap) {
      this.configMap = configMap;
    }
  }
}
