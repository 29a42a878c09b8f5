// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.Client;
import dev.windlass.client.owned.Owned;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.tests.owned.Samples;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Another client, which changes the widgets and their ConfigMaps while a controller that ignores
 * its own events reconciles them. The controller sets the key {@code size} of a ConfigMap. It
 * copies the key {@code note}, which the other client sets, to the status, as it was before the
 * write of {@code size}. A foreign change that leads to no reconcile therefore stays visible.
 */
public final class HostileChanges {

  /** The most notes, so that a status tells the size and the note. */
  private static final int NOTES = 1000;

  private final String namespace;
  private final int widgets;
  private final Random random;
  private final KubernetesClient other;
  private final Runnable breakWatches;
  private final AtomicInteger left = new AtomicInteger();

  /**
   * Prepares an attack.
   *
   * @param breakWatches makes the watches list anew, so that caches merge changes
   */
  public HostileChanges(
      String namespace, int widgets, Random random, KubernetesClient other, Runnable breakWatches) {
    this.namespace = namespace;
    this.widgets = widgets;
    this.random = random;
    this.other = other;
    this.breakWatches = breakWatches;
  }

  public List<String> names() {
    return IntStream.range(0, widgets).mapToObj(i -> "w-" + i).toList();
  }

  public void create() {
    for (String name : names()) {
      other.resource(Widget.of(namespace, name)).create();
    }
  }

  /** Begins a round, in which the other client strikes that many times. */
  public void begin(int changes) {
    left.set(changes);
  }

  public boolean isOver() {
    return left.get() <= 0;
  }

  /** Registers the controller, which strikes at itself if {@code during} is true. */
  public static void register(Manager manager, Optional<HostileChanges> during) {
    ControllerBuilder.forType(Widget.class)
        .owns(ConfigMap.class)
        .maxConcurrentReconciles(4)
        .withoutLoopDetection()
        .ignoreOwnEvents()
        .objectReconciler(
            (widget, context) -> {
              reconcile(widget, context, name -> during.ifPresent(h -> h.strike(name, 4)));
              return Result.done();
            })
        .register(manager);
  }

  private static void reconcile(Widget widget, ReconcileContext context, Consumer<String> between) {
    Client client = context.client();
    String namespace = widget.getMetadata().getNamespace();
    String name = widget.getMetadata().getName();
    between.accept(name);
    int note =
        client.get(ConfigMap.class, ObjectKey.of(widget)).map(HostileChanges::note).orElse(0);
    between.accept(name);
    ConfigMap child = Samples.map(namespace, name);
    child.setData(Map.of("size", Integer.toString(widget.getSpec().getSize())));
    Owned.apply(client, widget, child);
    between.accept(name);
    Widget.Status status = new Widget.Status();
    status.setReady(widget.getSpec().getSize() * NOTES + note);
    if (name.hashCode() % 2 == 0) {
      Widget wanted = Widget.of(namespace, name);
      wanted.setSpec(null);
      wanted.setStatus(status);
      client.status().apply(wanted);
    } else {
      widget.setStatus(status);
      client.updateStatus(widget);
    }
    between.accept(name);
  }

  private static int note(ConfigMap map) {
    return map.getData() == null ? 0 : Integer.parseInt(map.getData().getOrDefault("note", "0"));
  }

  /** Perhaps changes a widget or its ConfigMap: one time out of {@code rarity}. */
  public synchronized void strike(String name, int rarity) {
    if (isOver() || random.nextInt(rarity) > 0) {
      return;
    }
    left.decrementAndGet();
    if (random.nextInt(3) == 0) {
      breakWatches.run();
    }
    try {
      change(name, random.nextInt(9));
    } catch (KubernetesClientException e) {
      // The controller was faster.
    }
  }

  private void change(String name, int what) {
    switch (what) {
      case 0 -> data(name, "note");
      case 1 -> data(name, "size");
      case 2 -> {
        Map<String, String> before = data(name, "note");
        data(name, "size");
        write(name, before);
      }
      case 3 -> other.configMaps().inNamespace(namespace).withName(name).delete();
      case 4 -> {
        ConfigMap map = map(name);
        other.resource(map).delete();
        map.getMetadata().setResourceVersion(null);
        map.getMetadata().setUid(null);
        map.getMetadata().setManagedFields(null);
        if (random.nextBoolean()) {
          map.setData(Map.of("note", Integer.toString(random.nextInt(NOTES))));
        }
        OwnerReferences.setController(map, widget(name));
        other.resource(map).create();
      }
      case 5 -> size(name, random.nextInt(NOTES));
      case 6 -> {
        int before = widget(name).getSpec().getSize();
        size(name, random.nextInt(NOTES));
        size(name, before);
      }
      case 7 -> status(name, 7);
      default -> {
        Widget before = widget(name);
        status(name, 8);
        if (before.getStatus() != null) {
          status(name, before.getStatus().getReady());
        }
        data(name, "note");
      }
    }
  }

  private ConfigMap map(String name) {
    return found(other.configMaps().inNamespace(namespace).withName(name).get(), name);
  }

  private Widget widget(String name) {
    return found(other.resources(Widget.class).inNamespace(namespace).withName(name).get(), name);
  }

  private static <T> T found(T object, String name) {
    if (object == null) {
      throw new KubernetesClientException(name + " does not exist");
    }
    return object;
  }

  private Map<String, String> data(String name, String key) {
    ConfigMap map = map(name);
    Map<String, String> before = map.getData();
    Map<String, String> data = new HashMap<>(before);
    data.put(key, Integer.toString(random.nextInt(NOTES)));
    write(name, data);
    return before;
  }

  /** Replaces the data without a version. */
  private void write(String name, Map<String, String> data) {
    ConfigMap map = map(name);
    map.setData(data);
    map.getMetadata().setResourceVersion(null);
    other.resource(map).update();
  }

  private void size(String name, int size) {
    Widget widget = widget(name);
    widget.getSpec().setSize(size);
    other.resource(widget).update();
  }

  private void status(String name, int ready) {
    Widget widget = widget(name);
    widget.setStatus(new Widget.Status());
    widget.getStatus().setReady(ready);
    other.resource(widget).updateStatus();
  }

  /** Every object is as the last changes require. */
  public void assertRepaired() {
    for (String name : names()) {
      Widget widget = widget(name);
      ConfigMap map = map(name);
      int size = widget.getSpec().getSize();
      assertThat(map.getData()).as(name).containsEntry("size", Integer.toString(size));
      assertThat(widget.getStatus().getReady()).as(name).isEqualTo(size * NOTES + note(map));
    }
  }
}
