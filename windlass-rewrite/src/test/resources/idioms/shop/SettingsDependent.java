// SPDX-License-Identifier: Apache-2.0
package shop;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.CRUDKubernetesDependentResource;

/** The settings of a shop. */
public class SettingsDependent extends CRUDKubernetesDependentResource<Secret, Shop> {

  @Override
  protected Secret desired(Shop shop, Context<Shop> context) {
    return new SecretBuilder()
        .withNewMetadata()
        .withNamespace(shop.getMetadata().getNamespace())
        .withName(shop.getMetadata().getName() + "-settings")
        .endMetadata()
        .addToStringData("size", String.valueOf(shop.getSpec().getSize()))
        .build();
  }
}
