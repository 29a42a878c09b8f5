// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import java.io.Serial;
import java.util.concurrent.atomic.AtomicLong;

/** The custom resource of the measurements. It counts how many typed objects were ever made. */
@Group("bench.windlass.dev")
@Version("v1")
@Plural("benchresources")
public final class BenchResource extends CustomResource<BenchResource.Spec, Void>
    implements Namespaced {

  @Serial private static final long serialVersionUID = 1;

  private static final AtomicLong instances = new AtomicLong();

  /** What somebody wants; one long text. */
  public static final class Spec implements java.io.Serializable {

    @Serial private static final long serialVersionUID = 1;

    private String payload = "";

    /** The text. */
    public String getPayload() {
      return payload;
    }

    /** Sets the text. */
    public void setPayload(String payload) {
      this.payload = payload;
    }
  }

  /** Counts. */
  public BenchResource() {
    instances.incrementAndGet();
  }

  /** How many objects of this class were made in this JVM. */
  static long instances() {
    return instances.get();
  }
}
