// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.windlass.client.Client;
import dev.windlass.client.owned.CreateOrUpdate;
import dev.windlass.client.owned.Operation;
import dev.windlass.client.owned.Owned;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.client.owned.Prune;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.Projection;
import dev.windlass.object.ResourceType;
import dev.windlass.object.Transform;
import dev.windlass.testing.reconciler.CrashAtEveryWrite;
import dev.windlass.testing.reconciler.ReconcilerTest;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.Service;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The code of {@code docs/guides/owned-objects.md}. */
@Timeout(60)
final class OwnedObjectsGuideTest {

  @AutoClose private final GuideServer server = new GuideServer();
  private Client client = server.client.withFieldOwner("widget");

  // sample: apply
  Operation<ConfigMap> apply(Widget widget, String part) {
    ConfigMap wanted =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace(widget.getMetadata().getNamespace())
            .withName(Owned.childName(widget, part))
            .endMetadata()
            .addToData("size", Integer.toString(widget.getSpec().getSize()))
            .build();
    return Owned.apply(client, widget, wanted);
  }

  // end

  @Test
  void appliesAPart() {
    server.create("w");
    assertThat(apply(server.get("w"), "a").result()).isEqualTo(Operation.Result.CREATED);
    assertThat(apply(server.get("w"), "a").object().getData()).containsKey("size");
  }

  private Operation<ConfigMap> coloured(Client by, Widget widget, Map<String, String> data) {
    ConfigMap wanted =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace("default")
            .withName("coloured")
            .endMetadata()
            .withData(data)
            .build();
    return Owned.apply(by, widget, wanted);
  }

  // sample: former-owner
  ControllerBuilder<Widget> renamed() {
    return ControllerBuilder.forType(Widget.class).named("gadget").formerFieldOwners("widget");
  }

  // end

  @Test
  void removesTheFieldsOfTheOldName() {
    server.create("w");
    Widget widget = server.get("w");
    coloured(client, widget, Map.of("size", "1", "colour", "red"));
    renamed()
        .objectReconciler(
            (it, context) -> {
              coloured(context.client(), it, Map.of("size", "1"));
              return Result.done();
            })
        .register(server.manager);
    server.manager.start();
    eventually().untilAsserted(() -> assertThat(data()).isEqualTo(Map.of("size", "1")));
    assertThat(managers()).containsExactly("gadget Apply");
  }

  private Map<String, String> data() {
    return client
        .uncached()
        .get(ConfigMap.class, ObjectKey.of("default", "coloured"))
        .orElseThrow()
        .getData();
  }

  @Test
  void takesOverWhatItHasCreatedOtherwise() throws Exception {
    server.create("w");
    Widget widget = server.get("w");
    ConfigMap created =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace("default")
            .withName("coloured")
            .endMetadata()
            .withData(Map.of("size", "1", "colour", "red"))
            .build();
    OwnerReferences.setController(created, widget);
    client.create(created);
    coloured(client, widget, Map.of("size", "2"));
    assertThat(managers()).containsExactly("widget Apply");
    assertThat(data()).isEqualTo(Map.of("size", "2"));
  }

  private List<String> managers() {
    return client
        .uncached()
        .get(ConfigMap.class, ObjectKey.of("default", "coloured"))
        .orElseThrow()
        .getMetadata()
        .getManagedFields()
        .stream()
        .map(entry -> entry.getManager() + " " + entry.getOperation())
        .toList();
  }

  // sample: secondary
  Result countParts(Widget widget, ReconcileContext context) {
    List<ConfigMap> parts = context.secondaries(ConfigMap.class); // those that widget controls
    Optional<Secret> password = context.secondary(Secret.class); // the only one, if there is one
    widget.getStatus().setReady(parts.size() + (password.isPresent() ? 1 : 0));
    context.client().updateStatus(widget);
    return Result.done();
  }

  // end

  /** Own writes of the same run included, and nothing of others. */
  @Test
  void findsWhatAnObjectControls() {
    ControllerBuilder.forType(Widget.class)
        .owns(ConfigMap.class)
        .owns(Secret.class)
        .objectReconciler(
            (widget, context) -> {
              widget.setStatus(new Widget.Status());
              ConfigMap a = named(widget, "a");
              Owned.apply(context.client(), widget, a);
              Owned.apply(context.client(), widget, named(widget, "b"));
              assertThat(context.secondary(Secret.class)).isEmpty();
              assertThatThrownBy(() -> context.secondary(ConfigMap.class))
                  .isInstanceOf(IllegalStateException.class)
                  .hasMessageContaining("controls 2 objects of the type ConfigMap");
              assertThatThrownBy(() -> context.secondaries(Pod.class))
                  .isInstanceOf(IllegalArgumentException.class)
                  .hasMessage("the controller does not own the type Pod: call owns(Pod.class)");
              context.client().delete(ConfigMap.class, ObjectKey.of(a));
              return countParts(widget, context);
            })
        .register(server.manager);
    server.kubectl.resource(named(Widget.of("default", "stranger"), "c")).create();
    server.manager.start();
    server.create("w");
    await()
        .untilAsserted(
            () -> {
              assertThat(server.get("w").getStatus()).isNotNull();
              assertThat(server.get("w").getStatus().getReady()).isEqualTo(1);
            });
  }

  /**
   * Of one type in several caches, each object once; which of several classless types is unclear.
   */
  @Test
  void findsWhatAnObjectControlsInSeveralCaches() {
    InformerSpec<ConfigMap> maps = InformerSpec.of(ConfigMap.class);
    ControllerBuilder.forType(Widget.class)
        .owns(maps.in(WatchScope.ALL.withLabels("tier=a")))
        .owns(maps.in(WatchScope.ALL.withLabels("tier in (a,b)")))
        .owns(InformerSpec.of(ResourceType.of(Secret.class)))
        .owns(InformerSpec.of(ResourceType.of(Service.class)))
        .objectReconciler(
            (widget, context) -> {
              for (String tier : List.of("a", "b")) {
                ConfigMap part = named(widget, tier);
                part.getMetadata().setLabels(Map.of("tier", tier));
                Owned.apply(context.client(), widget, part);
              }
              assertThatThrownBy(() -> context.secondaries(GenericKubernetesResource.class))
                  .isInstanceOf(IllegalArgumentException.class)
                  .hasMessageContaining("owns several types as GenericKubernetesResource");
              widget.setStatus(new Widget.Status());
              widget.getStatus().setReady(context.secondaries(ConfigMap.class).size());
              context.client().updateStatus(widget);
              return Result.done();
            })
        .register(server.manager);
    server.manager.start();
    server.create("w");
    await()
        .untilAsserted(
            () -> {
              assertThat(server.get("w").getStatus()).isNotNull();
              assertThat(server.get("w").getStatus().getReady()).isEqualTo(2);
            });
  }

  /** As much of each as the cache keeps. */
  @Test
  void findsWhatIsControlledInCachesThatKeepLess() {
    Queue<List<?>> found = new ConcurrentLinkedQueue<>();
    ControllerBuilder.forType(Widget.class)
        .owns(InformerSpec.of(ConfigMap.class).with(Projection.METADATA))
        .owns(InformerSpec.of(Secret.class).with(Transform.dropFields("data", "type")))
        .objectReconciler(
            (widget, context) -> {
              ConfigMap map = named(widget, "part");
              map.setData(Map.of("k", "v"));
              Owned.apply(context.client(), widget, map);
              Secret secret =
                  new SecretBuilder().withMetadata(map.getMetadata()).withType("t").build();
              Owned.apply(context.client(), widget, secret);
              ConfigMap ofMetadata = context.secondary(ConfigMap.class).orElseThrow();
              Secret transformed = context.secondary(Secret.class).orElseThrow();
              found.add(
                  Arrays.asList(
                      ofMetadata.getMetadata().getName(),
                      ofMetadata.getData().size(),
                      transformed.getType()));
              for (HasMetadata partial : List.of(ofMetadata, transformed)) {
                assertThatThrownBy(() -> context.client().update(partial))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("would delete the fields that it lacks");
              }
              found.add(List.of("refused"));
              return Result.done();
            })
        .register(server.manager);
    server.manager.start();
    server.create("w");
    await().until(() -> found.size() >= 2);
    assertThat(found).startsWith(Arrays.asList("w-part", 0, null), List.of("refused"));
  }

  private static ConfigMap named(Widget widget, String name) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withNamespace("default")
        .withName(widget.getMetadata().getName() + "-" + name)
        .endMetadata()
        .build();
  }

  // sample: password
  Operation<Secret> password(Widget widget) {
    Secret skeleton =
        new SecretBuilder()
            .withNewMetadata()
            .withNamespace(widget.getMetadata().getNamespace())
            .withName(widget.getMetadata().getName() + "-password")
            .endMetadata()
            .build();
    return CreateOrUpdate.createOrUpdate(
        client,
        skeleton,
        secret -> {
          OwnerReferences.setController(secret, widget);
          secret.getData().computeIfAbsent("password", key -> newPassword()); // base64
        });
  }

  // end

  private static String newPassword() {
    byte[] bytes = new byte[24];
    new SecureRandom().nextBytes(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }

  @Test
  void makesAPasswordOnce() {
    server.create("w");
    Operation<Secret> first = password(server.get("w"));
    assertThat(first.result()).isEqualTo(Operation.Result.CREATED);
    Operation<Secret> second = password(server.get("w"));
    assertThat(second.result()).isEqualTo(Operation.Result.NONE);
    assertThat(second.object().getData()).isEqualTo(first.object().getData()).hasSize(1);
  }

  private Result reconcilePassword(Widget widget, ReconcileContext context) {
    client = context.client();
    password(widget);
    return Result.done();
  }

  // sample: password-crash
  @CrashAtEveryWrite
  void createsOnePassword() {
    try (ReconcilerTest test =
        ReconcilerTest.of(Widget.class, () -> this::reconcilePassword, Secret.class)
            .ignoring(Secret.class, "data", "password")) {
      test.create(Widget.of("default", "w"));
      test.assertEventuallyStable();
    }
  }

  // end

  // sample: create-or-update
  Operation<ConfigMap> part(Widget widget, String part) {
    ConfigMap skeleton =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace(widget.getMetadata().getNamespace())
            .withName(Owned.childName(widget, part))
            .endMetadata()
            .build();
    return CreateOrUpdate.createOrUpdate(
        client,
        skeleton,
        map -> {
          map.setData(Map.of("size", Integer.toString(widget.getSpec().getSize())));
          OwnerReferences.setController(map, widget);
        });
  }

  // end

  // sample: prune
  void reconcileParts(Widget widget) {
    List<ConfigMap> wanted = new ArrayList<>();
    for (String part : widget.getSpec().getParts()) {
      wanted.add(part(widget, part).object());
    }
    Prune.prune(client, widget, ConfigMap.class, wanted);
  }

  // end

  @Test
  void makesThePartsThatAreWantedAndNoOthers() {
    server.create("w");
    Widget widget = server.get("w");
    widget.getSpec().setParts(List.of("a", "b"));
    reconcileParts(widget);
    assertThat(names()).containsExactlyInAnyOrder("w-a", "w-b");
    assertThat(part(widget, "a").result()).isEqualTo(Operation.Result.NONE);
    widget.getSpec().setParts(List.of("b", "c"));
    reconcileParts(widget);
    assertThat(names()).containsExactlyInAnyOrder("w-b", "w-c");
  }

  private List<String> names() {
    return client.list(ConfigMap.class, "default").stream()
        .map(map -> map.getMetadata().getName())
        .toList();
  }
}
