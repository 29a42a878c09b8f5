// SPDX-License-Identifier: Apache-2.0
package webpage;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** A page that a web server shows. */
@Group("samples.windlass.dev")
@Version("v1")
public class WebPage extends CustomResource<WebPage.Spec, WebPage.Status> implements Namespaced {

  /** The desired state. */
  public static class Spec {
    private String html;

    public String getHtml() {
      return html;
    }

    public void setHtml(String html) {
      this.html = html;
    }
  }

  /** The observed state. */
  public static class Status {
    private String configMap;
    private int parts;

    public String getConfigMap() {
      return configMap;
    }

    public void setConfigMap(String configMap) {
      this.configMap = configMap;
    }

    public int getParts() {
      return parts;
    }

    public void setParts(int parts) {
      this.parts = parts;
    }
  }
}
