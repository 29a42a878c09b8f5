// SPDX-License-Identifier: Apache-2.0
package shop;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** A shop, which has settings, a stock and a price. */
@Group("samples.windlass.dev")
@Version("v1")
public class Shop extends CustomResource<Shop.Spec, Shop.Status> implements Namespaced {

  /** The desired state. */
  public static class Spec {
    private int size;

    public int getSize() {
      return size;
    }

    public void setSize(int size) {
      this.size = size;
    }
  }

  /** The observed state. */
  public static class Status {
    private int price;
    private String error;

    public int getPrice() {
      return price;
    }

    public void setPrice(int price) {
      this.price = price;
    }

    public String getError() {
      return error;
    }

    public void setError(String error) {
      this.error = error;
    }
  }
}
