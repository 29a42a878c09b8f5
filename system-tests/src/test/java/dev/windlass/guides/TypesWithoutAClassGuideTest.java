// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.windlass.client.Client;
import dev.windlass.client.owned.Owned;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.enqueue.EventPredicate;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.InformerSpec;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The code of {@code docs/guides/types-without-a-class.md}. */
@Timeout(60)
final class TypesWithoutAClassGuideTest {

  @AutoClose private final GuideServer server = new GuideServer();
  private final Manager manager = server.manager;

  @Test
  void findsATypeByItsName() {
    // sample: discover
    ResourceType widgets =
        ResourceType.discover(manager.kubernetesClient(), "owned.windlass.dev/v1", "Widget");
    // end
    assertThat(widgets).isEqualTo(ResourceType.of(Widget.class));
  }

  // sample: type
  static final ResourceType WIDGET =
      new ResourceType("owned.windlass.dev", "v1", "widgets", "Widget", true);
  static final ResourceType MAP = new ResourceType("", "v1", "configmaps", "ConfigMap", true);

  // end

  // sample: desired
  static GenericKubernetesResource part(GenericKubernetesResource widget) {
    Integer size = widget.get("spec", "size");
    return new GenericKubernetesResourceBuilder()
        .withApiVersion(MAP.apiVersion())
        .withKind(MAP.kind())
        .withNewMetadata()
        .withNamespace(widget.getMetadata().getNamespace())
        .withName(widget.getMetadata().getName())
        .endMetadata()
        .withAdditionalProperties(Map.of("data", Map.of("size", String.valueOf(size))))
        .build();
  }

  // end

  @Test
  void reconcilesAndOwnsTypesWithoutAClass() {
    Queue<Integer> found = new ConcurrentLinkedQueue<>();
    // sample: controller
    ControllerBuilder.forType(InformerSpec.of(WIDGET))
        .owns(InformerSpec.of(MAP))
        .objectReconciler(
            (widget, context) -> {
              Owned.apply(context.client(), widget, part(widget));
              List<GenericKubernetesResource> parts =
                  context.secondaries(GenericKubernetesResource.class);
              found.add(parts.size());
              return Result.done();
            })
        .register(manager);
    // end
    manager.start();
    server.create("w");
    Client client = manager.client();
    ObjectKey key = ObjectKey.of("default", "w");
    await().until(() -> client.uncached().get(MAP, key).isPresent());
    // sample: read
    Optional<GenericKubernetesResource> map = client.get(MAP, key);
    // end
    Map<?, ?> data = map.orElseThrow().get("data");
    assertThat(data.get("size")).isNotNull();
    await().until(() -> found.contains(1));
  }

  // sample: status
  private static Result report(GenericKubernetesResource widget, ReconcileContext context) {
    Integer size = widget.get("spec", "size"); // null if a part of the path is missing
    widget.setAdditionalProperty("status", Map.of("ready", size == null ? 0 : size));
    context.client().updateStatus(widget); // not sent if nothing has changed
    return Result.done();
  }

  // end

  @Test
  void writesTheStatusOfATypeWithoutAClass() {
    // sample: several
    for (String type : List.of("owned.windlass.dev/v1 Widget")) { // from a setting of the program
      String[] parts = type.split(" ");
      ResourceType found = ResourceType.discover(manager.kubernetesClient(), parts[0], parts[1]);
      ControllerBuilder.forType(InformerSpec.of(found), EventPredicate.generationChanged())
          .named(found.plural() + "." + found.group())
          .usesStatus() // for the generated Role, because there is no class that has a status
          .objectReconciler(TypesWithoutAClassGuideTest::report)
          .register(manager);
    }
    // end
    manager.start();
    server.create("w");
    await().until(() -> server.get("w").getStatus() != null);
    assertThat(server.get("w").getStatus().getReady()).isEqualTo(1);
  }
}
