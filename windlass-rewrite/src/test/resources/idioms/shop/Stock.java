// SPDX-License-Identifier: Apache-2.0
package shop;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;

/** Builds the stock of a shop, without a type of the Java Operator SDK. */
final class Stock {

  private Stock() {}

  static ConfigMap of(Shop shop) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withNamespace(shop.getMetadata().getNamespace())
        .withName(shop.getMetadata().getName() + "-stock")
        .withOwnerReferences(
            new OwnerReferenceBuilder()
                .withApiVersion(shop.getApiVersion())
                .withKind(shop.getKind())
                .withName(shop.getMetadata().getName())
                .withUid(shop.getMetadata().getUid())
                .build())
        .endMetadata()
        .addToData("size", String.valueOf(shop.getSpec().getSize()))
        .build();
  }
}
