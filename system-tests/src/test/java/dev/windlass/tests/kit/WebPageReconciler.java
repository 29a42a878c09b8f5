// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.kit;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.Workflow;
import io.javaoperatorsdk.operator.api.reconciler.dependent.Dependent;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.CRUDKubernetesDependentResource;

/** Maintains a ConfigMap for each page, and reports the ConfigMap's name in the page's status. */
@Workflow(dependents = @Dependent(type = WebPageReconciler.PageMap.class))
@ControllerConfiguration
public final class WebPageReconciler implements Reconciler<WebPage> {

  /** The dependent resource that maintains the ConfigMap of a page. */
  public static final class PageMap extends CRUDKubernetesDependentResource<ConfigMap, WebPage> {
    /** Creates the dependent resource. The SDK requires this constructor. */
    public PageMap() {
      super(ConfigMap.class);
    }

    @Override
    protected ConfigMap desired(WebPage page, Context<WebPage> context) {
      return new ConfigMapBuilder()
          .withNewMetadata()
          .withNamespace(page.getMetadata().getNamespace())
          .withName(page.getMetadata().getName() + "-html")
          .endMetadata()
          .addToData("index.html", page.getSpec().getHtml())
          .build();
    }
  }

  @Override
  public UpdateControl<WebPage> reconcile(WebPage page, Context<WebPage> context) {
    WebPage patch = new WebPage();
    patch.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(page.getMetadata().getNamespace())
            .withName(page.getMetadata().getName())
            .build());
    WebPage.Status status = new WebPage.Status();
    status.setConfigMap(
        context.getSecondaryResource(ConfigMap.class).orElseThrow().getMetadata().getName());
    patch.setStatus(status);
    return UpdateControl.patchStatus(patch);
  }
}
