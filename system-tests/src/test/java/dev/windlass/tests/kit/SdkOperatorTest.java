// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.junit.EmbeddedKubernetes;
import dev.windlass.tests.owned.Samples;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.Workflow;
import io.javaoperatorsdk.operator.api.reconciler.dependent.Dependent;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.CRUDKubernetesDependentResource;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An operator of the Java Operator SDK works on the embedded server. */
@EmbeddedKubernetes
final class SdkOperatorTest {

  /** Maintains the ConfigMap of each widget. */
  public static final class Child extends CRUDKubernetesDependentResource<ConfigMap, Widget> {
    /** Creates the dependent resource. The SDK requires this constructor. */
    public Child() {
      super(ConfigMap.class);
    }

    @Override
    protected ConfigMap desired(Widget widget, Context<Widget> context) {
      String name = widget.getMetadata().getName();
      ConfigMap child = Samples.map(widget.getMetadata().getNamespace(), name + "-child");
      child.setData(Map.of("size", String.valueOf(widget.getSpec().getSize())));
      return child;
    }
  }

  /** Reports what the ConfigMap of each widget contains. */
  @Workflow(dependents = @Dependent(type = Child.class))
  @ControllerConfiguration
  public static final class WidgetReconciler implements Reconciler<Widget> {
    @Override
    public UpdateControl<Widget> reconcile(Widget widget, Context<Widget> context) {
      ConfigMap child = context.getSecondaryResource(ConfigMap.class).orElseThrow();
      Widget patch = Widget.of(widget.getMetadata().getNamespace(), widget.getMetadata().getName());
      patch.setSpec(null);
      patch.setStatus(new Widget.Status());
      patch.getStatus().setReady(Integer.parseInt(child.getData().get("size")));
      return UpdateControl.patchStatus(patch);
    }
  }

  private TestApiServer server;
  private KubernetesClient client;
  private Operator operator;

  @BeforeEach
  void start() {
    server.install(Widget.definition());
    operator =
        new Operator(
            overrider -> overrider.withKubernetesClient(client).withCloseClientOnStop(false));
    operator.register(new WidgetReconciler());
    operator.start();
  }

  @AfterEach
  void stop() {
    operator.stop();
  }

  private ConfigMap child() {
    return client.configMaps().withName("home-child").get();
  }

  private void awaitReady(int size) {
    await()
        .until(
            () -> {
              Widget.Status status =
                  client.resources(Widget.class).withName("home").get().getStatus();
              return status != null && status.getReady() == size;
            });
  }

  @Test
  void keepsTheConfigMapAndTheStatus() {
    client.resource(Widget.of(client.getNamespace(), "home")).create();
    await().until(() -> child() != null);
    assertThat(child().getData()).containsEntry("size", "1");
    awaitReady(1);

    client
        .resources(Widget.class)
        .withName("home")
        .edit(
            widget -> {
              widget.getSpec().setSize(2);
              return widget;
            });
    awaitReady(2);
    assertThat(child().getData()).containsEntry("size", "2");

    client.resources(Widget.class).withName("home").delete();
    await().until(() -> child() == null); // the garbage collector of the server
  }
}
