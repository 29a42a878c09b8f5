// SPDX-License-Identifier: Apache-2.0
package bucket;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** A bucket of an object store. */
@Group("samples.windlass.dev")
@Version("v1")
public class Bucket extends CustomResource<Bucket.Spec, Bucket.Status> implements Namespaced {

  /** The desired state. */
  public static class Spec {
    private String region;

    public String getRegion() {
      return region;
    }

    public void setRegion(String region) {
      this.region = region;
    }
  }

  /** The observed state. */
  public static class Status {
    private String url;

    public String getUrl() {
      return url;
    }

    public void setUrl(String url) {
      this.url = url;
    }
  }
}
