// SPDX-License-Identifier: Apache-2.0
package dev.windlass.compare;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

/** The custom resource that the programs of {@code benchmarks/compare} reconcile. */
public final class Bench implements KubernetesObject {

  /** The desired state. */
  public static final class Spec {
    String text = "";
    Long sentAt;
  }

  /** The observed state. */
  public static final class Status {
    long observedGeneration;
    boolean ready;
  }

  private String apiVersion;
  private String kind;
  private V1ObjectMeta metadata;
  Spec spec;
  Status status;

  /** Returns a copy with the given status. The copy shares all other parts with this object. */
  Bench withStatus(Status next) {
    Bench copy = new Bench();
    copy.apiVersion = "compare.windlass.dev/v1";
    copy.kind = "Bench";
    copy.metadata = metadata;
    copy.spec = spec;
    copy.status = next;
    return copy;
  }

  @Override
  public V1ObjectMeta getMetadata() {
    return metadata;
  }

  @Override
  public String getApiVersion() {
    return apiVersion;
  }

  @Override
  public String getKind() {
    return kind;
  }
}
