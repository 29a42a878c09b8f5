// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.requests;

import static dev.windlass.testsupport.Patience.eventually;

import dev.windlass.client.Client;
import dev.windlass.client.ObjectPatch;
import dev.windlass.client.owned.CreateOrUpdate;
import dev.windlass.client.owned.Owned;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.controller.Controller;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The ways to give each widget a ConfigMap and a status. Two writes per widget are enough. */
enum ConvergeWay {
  /** Reads both through the client, and replaces what differs. */
  UPDATE_STATUS {
    @Override
    void reconcile(Client client, Widget given) {
      Widget widget = client.get(Widget.class, ObjectKey.of(given)).orElseThrow();
      if (client.get(ConfigMap.class, ObjectKey.of(widget)).isEmpty()) {
        ConfigMap child = child(widget);
        OwnerReferences.setController(child, widget);
        client.create(child);
      }
      if (!isReady(widget)) {
        widget.setStatus(status(widget));
        client.updateStatus(widget);
      }
    }
  },
  /** What the documentation recommends. */
  STATUS_PATCH {
    @Override
    void reconcile(Client client, Widget widget) {
      Owned.apply(client, widget, child(widget));
      if (!isReady(widget)) {
        Widget after = Widget.of(widget.getMetadata().getNamespace(), "");
        after.setMetadata(widget.getMetadata());
        after.setSpec(widget.getSpec());
        after.setStatus(status(widget));
        client.status().patch(after, ObjectPatch.mergeFrom(widget));
      }
    }
  },
  STATUS_APPLY {
    @Override
    void reconcile(Client client, Widget widget) {
      Owned.apply(client, widget, child(widget));
      Widget wanted =
          Widget.of(widget.getMetadata().getNamespace(), widget.getMetadata().getName());
      wanted.setSpec(null);
      wanted.setStatus(status(widget));
      client.status().apply(wanted);
    }
  },
  CREATE_OR_UPDATE {
    @Override
    void reconcile(Client client, Widget widget) {
      ConfigMap skeleton = child(widget);
      CreateOrUpdate.createOrUpdate(
          client,
          skeleton,
          child -> {
            child.setData(Map.of("size", size(widget)));
            OwnerReferences.setController(child, widget);
          });
      CreateOrUpdate.createOrPatch(client, widget, now -> now.setStatus(status(now)));
    }
  };

  abstract void reconcile(Client client, Widget widget);

  private static String size(Widget widget) {
    return Integer.toString(widget.getSpec().getSize());
  }

  private static boolean isReady(Widget widget) {
    return widget.getStatus() != null
        && widget.getStatus().getReady() == widget.getSpec().getSize();
  }

  private static Widget.Status status(Widget widget) {
    Widget.Status status = new Widget.Status();
    status.setReady(widget.getSpec().getSize());
    return status;
  }

  private static ConfigMap child(Widget widget) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withNamespace(widget.getMetadata().getNamespace())
        .withName(widget.getMetadata().getName())
        .endMetadata()
        .withData(Map.of("size", size(widget)))
        .build();
  }

  /** Until each of so many widgets has been reconciled, and its last event has been dealt with. */
  void run(Manager manager, int widgets, int workers) {
    Set<ObjectKey> seen = ConcurrentHashMap.newKeySet();
    Controller controller =
        ControllerBuilder.forType(Widget.class)
            .owns(ConfigMap.class)
            .maxConcurrentReconciles(workers)
            .objectReconciler(
                (widget, context) -> {
                  reconcile(manager.client(), widget);
                  return Result.done();
                })
            .listener((request, outcome, took) -> seen.add(request.key()))
            .register(manager);
    manager.start();
    eventually()
        .atMost(Duration.ofMinutes(3))
        .during(Duration.ofSeconds(1))
        .until(
            () ->
                seen.size() == widgets
                    && controller.queueLengths().values().stream().allMatch(n -> n == 0));
  }
}
