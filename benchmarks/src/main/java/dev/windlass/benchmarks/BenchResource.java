// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import java.io.Serial;
import java.util.concurrent.atomic.AtomicLong;

/** The custom resource of the benchmarks. The class counts the typed objects that were created. */
@Group("bench.windlass.dev")
@Version("v1")
@Plural("benchresources")
public final class BenchResource extends CustomResource<BenchResource.Spec, Void>
    implements Namespaced {

  @Serial private static final long serialVersionUID = 1;

  private static final AtomicLong instances = new AtomicLong();

  /** The specification, which consists of one long text. */
  public static final class Spec implements java.io.Serializable {

    @Serial private static final long serialVersionUID = 1;

    private String payload = "";

    /** Returns the text. */
    public String getPayload() {
      return payload;
    }

    /** Sets the text. */
    public void setPayload(String payload) {
      this.payload = payload;
    }
  }

  /** Creates an object and counts it. */
  public BenchResource() {
    instances.incrementAndGet();
  }

  /** Returns the number of objects of this class created in this JVM. */
  static long instances() {
    return instances.get();
  }
}
