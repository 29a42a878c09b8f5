// SPDX-License-Identifier: Apache-2.0
package webpage;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Maintains a ConfigMap, a Deployment and a Service for each page. */
@ControllerConfiguration
public class WebPageReconciler implements Reconciler<WebPage> {

  @Override
  public List<EventSource<?, WebPage>> prepareEventSources(EventSourceContext<WebPage> context) {
    var maps =
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(ConfigMap.class, WebPage.class).build(), context);
    var deployments =
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(Deployment.class, WebPage.class).build(),
            context);
    return List.of(
        maps,
        deployments,
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(Service.class, WebPage.class)
                .withName("services")
                .build(),
            context));
  }

  @Override
  public UpdateControl<WebPage> reconcile(WebPage page, Context<WebPage> context) {
    if (page.getSpec() == null) {
      return UpdateControl.noUpdate();
    }
    // The web server reads the page from a volume.
    context.resourceOperations().serverSideApply(map(page));
    context.resourceOperations().serverSideApply(deployment(page));
    Service service = service(page);
    service.addOwnerReference(page);
    context.getClient().resource(service).serverSideApply();

    Set<Deployment> deployments = context.getSecondaryResources(Deployment.class);
    int parts = deployments.size() + context.getSecondaryResources(Service.class).size();
    return context
        .getSecondaryResource(ConfigMap.class)
        .map(
            map -> {
              WebPage patch = patch(page);
              patch.getStatus().setConfigMap(map.getMetadata().getName());
              patch.getStatus().setParts(parts + 1);
              return UpdateControl.patchStatus(patch);
            })
        .orElseGet(UpdateControl::noUpdate);
  }

  private static WebPage patch(WebPage page) {
    WebPage patch = new WebPage();
    patch.setMetadata(meta(page));
    patch.setStatus(new WebPage.Status());
    return patch;
  }

  private static ObjectMeta meta(WebPage page) {
    return new ObjectMetaBuilder()
        .withNamespace(page.getMetadata().getNamespace())
        .withName(page.getMetadata().getName())
        .build();
  }

  private static ConfigMap map(WebPage page) {
    return new ConfigMapBuilder()
        .withMetadata(meta(page))
        .addToData("index.html", page.getSpec().getHtml())
        .build();
  }

  private static Deployment deployment(WebPage page) {
    Map<String, String> labels = Map.of("app", page.getMetadata().getName());
    return new DeploymentBuilder()
        .withMetadata(meta(page))
        .withNewSpec()
        .withNewSelector()
        .withMatchLabels(labels)
        .endSelector()
        .withNewTemplate()
        .withNewMetadata()
        .withLabels(labels)
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName("web")
        .withImage("nginx")
        .endContainer()
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }

  private static Service service(WebPage page) {
    return new ServiceBuilder()
        .withMetadata(meta(page))
        .withNewSpec()
        .withSelector(Map.of("app", page.getMetadata().getName()))
        .addNewPort()
        .withPort(80)
        .endPort()
        .endSpec()
        .build();
  }
}
