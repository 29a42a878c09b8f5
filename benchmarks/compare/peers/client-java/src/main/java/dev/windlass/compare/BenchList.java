// SPDX-License-Identifier: Apache-2.0
package dev.windlass.compare;

import io.kubernetes.client.common.KubernetesListObject;
import io.kubernetes.client.openapi.models.V1ListMeta;
import java.util.List;

/** A list of Bench objects. */
public final class BenchList implements KubernetesListObject {

  private String apiVersion;
  private String kind;
  private V1ListMeta metadata;
  private List<Bench> items;

  @Override
  public V1ListMeta getMetadata() {
    return metadata;
  }

  @Override
  public List<Bench> getItems() {
    return items;
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
