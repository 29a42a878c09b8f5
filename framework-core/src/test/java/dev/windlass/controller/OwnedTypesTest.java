// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.Client;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.testing.FakeListerWatcher;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import dev.windlass.testing.core.Foo;
import dev.windlass.testing.core.Http;
import dev.windlass.testing.core.Samples;
import dev.windlass.testsupport.Eventually;
import dev.windlass.testsupport.Logs;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A cluster-scoped type that owns objects of three types, as a Tenant does. */
@Timeout(60)
final class OwnedTypesTest extends BuilderHarness {

  private static final ResourceType TENANTS =
      new ResourceType("multitenancy.example.com", "v1", "tenants", "Tenant", false);

  private static ControllerBuilder<GenericKubernetesResource> tenants() {
    return ControllerBuilder.forType(InformerSpec.of(TENANTS));
  }

  private void begin(ControllerBuilder<GenericKubernetesResource> builder) {
    startUntilReady(builder.reconciler(this::see).register(manager));
  }

  private record Owned(Class<? extends HasMetadata> type, String namespace) {
    private ObjectKey key(String name) {
      return namespace.isEmpty() ? ObjectKey.of(name) : ObjectKey.of(namespace, name);
    }

    private String json(String name, String owner, String uid) {
      return """
      {"kind":"%s","metadata":{"namespace":"%s","name":"%s","ownerReferences":[
      {"apiVersion":"multitenancy.example.com/v1","kind":"Tenant","name":"%s","uid":"%s",\
      "controller":true}]}}\
      """
          .formatted(type.getSimpleName(), namespace, name, owner, uid)
          .replace("\"namespace\":\"\",", "");
    }

    @Override
    public String toString() {
      return type.getSimpleName();
    }
  }

  private static final Owned NAMESPACES = new Owned(Namespace.class, "");

  private static final Owned BINDINGS = new Owned(RoleBinding.class, "sample-test1");

  static Stream<Owned> types() {
    return Stream.of(NAMESPACES, new Owned(ClusterRole.class, ""), BINDINGS);
  }

  /** The owner, which lives in no namespace, wherever the owned object lives. */
  @ParameterizedTest
  @MethodSource("types")
  void reconcilesTheOwnerWhateverHappensToWhatItOwns(Owned c) throws Exception {
    server("Tenant").put("{\"kind\":\"Tenant\",\"metadata\":{\"name\":\"tenant-sample\"}}");
    begin(tenants().owns(c.type()));
    assertThat(next(1)).containsExactly("tenant-sample");
    FakeListerWatcher server = server(c.type().getSimpleName());
    String object = c.json("owned", "tenant-sample", "uid-1");
    server.put(object);
    assertThat(next(1)).as("created").containsExactly("tenant-sample");
    server.put(object);
    assertThat(next(1)).as("changed").containsExactly("tenant-sample");
    server.delete(c.key("owned"));
    assertThat(next(1)).as("deleted").containsExactly("tenant-sample");
    assertThat(reconciled).isEmpty();
    assertThat(scopes)
        .as("all objects of the type are watched")
        .contains(ResourceType.of(c.type()).plural() + " ");
  }

  @Test
  void filtersEachOwnedTypeByItself() throws Exception {
    Set<String> seenOfNamespaces = ConcurrentHashMap.newKeySet();
    Set<String> seenOfBindings = ConcurrentHashMap.newKeySet();
    begin(
        tenants()
            .owns(
                Namespace.class,
                event ->
                    seenOfNamespaces.add(event.key().toString())
                        && !event.key().name().equals("no-namespace"))
            .owns(
                RoleBinding.class,
                event ->
                    seenOfBindings.add(event.key().toString())
                        && !event.key().name().equals("no-binding"))
            .withEventFilter(event -> !event.key().name().equals("nothing")));
    for (Owned type : List.of(NAMESPACES, BINDINGS)) {
      for (String name : List.of("nothing", "no-namespace", "no-binding")) {
        server(type.toString()).put(type.json(name, type + "-" + name, "unknown"));
      }
      server(type.toString()).put(type.json("last", type + "-last", "unknown"));
    }
    assertThat(next(4))
        .containsExactlyInAnyOrder(
            "Namespace-no-binding",
            "Namespace-last",
            "RoleBinding-no-namespace",
            "RoleBinding-last");
    assertThat(reconciled).isEmpty();
    assertThat(seenOfNamespaces).contains("no-binding").noneMatch(key -> key.contains("/"));
    assertThat(seenOfBindings)
        .contains("sample-test1/no-namespace")
        .allMatch(key -> key.startsWith("sample-test1/"));
  }

  /** To own it once more, with its class, would be a second cache. */
  @Test
  void saysHowToAskForWhatIsOwnedWithoutAClass() {
    CompletableFuture<String> said = new CompletableFuture<>();
    server("Tenant").put("{\"kind\":\"Tenant\",\"metadata\":{\"name\":\"tenant-sample\"}}");
    startUntilReady(
        tenants()
            .owns(InformerSpec.of(ResourceType.of(Namespace.class)))
            .reconciler(
                (request, context) -> {
                  try {
                    context.secondaries(Namespace.class);
                  } catch (IllegalArgumentException e) {
                    said.complete(e.getMessage());
                  }
                  return Result.done();
                })
            .register(manager));
    assertThat(said)
        .succeedsWithin(Duration.ofSeconds(20))
        .isEqualTo(
            "the controller owns namespaces as GenericKubernetesResource, not as Namespace: call"
                + " secondaries(GenericKubernetesResource.class)");
  }

  private static ConfigMap map(String name) {
    return Samples.configMap("default", name);
  }

  private static Secret secret() {
    return new SecretBuilder()
        .withNewMetadata()
        .withNamespace("default")
        .withName("other")
        .endMetadata()
        .build();
  }

  @Test
  void warnsOnceOfAnOwnedTypeThatIsMadeWithoutAnOwner() {
    Map<String, FakeListerWatcher> watched = new ConcurrentHashMap<>();
    AtomicBoolean done = new AtomicBoolean();
    try (Http server = new Http();
        Logs logs = Logs.of(Controller.class);
        Manager manager =
            Manager.builder()
                .config(server.config())
                .checkPermissions(false)
                .connector(
                    client ->
                        (type, scope) ->
                            watched.computeIfAbsent(type.kind(), kind -> new FakeListerWatcher()))
                .build()) {
      server.answer("POST /api/v1/namespaces/default/configmaps", "{}");
      server.answer("POST /api/v1/namespaces/default/secrets", "{}");
      Foo foo = Samples.foo("a");
      Client client = manager.client();
      ControllerBuilder.forType(Foo.class)
          .owns(ConfigMap.class)
          .reconciler(
              (request, context) -> {
                ConfigMap owned = map("owned");
                OwnerReferences.setController(owned, foo);
                client.create(owned);
                client.create(secret()); // is none of its business
                client.create(map("one"));
                client.create(map("two"));
                done.set(true);
                return Result.done();
              })
          .register(manager);
      watched.computeIfAbsent("Foo", kind -> new FakeListerWatcher()).put(Samples.json("Foo", "a"));
      manager.start();
      Eventually.that(() -> assertThat(done).isTrue());
      client.create(map("outside of a reconcile"));
      assertThat(logs.lines().stream().filter(line -> line.contains("owner reference")).toList())
          .isEqualTo(
              List.of(
                  "WARN A reconcile of Foo created ConfigMap default/one without an owner"
                      + " reference, so owns(ConfigMap) does not see its changes. Use Owned.apply,"
                      + " or call OwnerReferences.setController before creating the object"));
    }
  }
}
