// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.windlass.behaviour.Proves;
import dev.windlass.client.Client;
import dev.windlass.client.ConflictException;
import dev.windlass.client.ForbiddenException;
import dev.windlass.client.ListParams;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.examples.cli.testing.Said;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.embedded.requests.RequestMatcher;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The steps of a reconcile, one at a time: what they answer, say and let fail. */
final class TenantStepsTest {

  private static final String NAME = "tenant-sample";

  private final Said said = Said.by("dev.windlass.examples.tenant");
  private EmbeddedApiServer server;
  private KubernetesClient client;
  private Manager manager;
  private World world;
  private TenantNamespaces namespaces;
  private TenantRbac rbac;
  private Tenant tenant;

  /** Caches without a controller, so that nothing happens but what the test does. */
  @BeforeEach
  void startsTheCaches() {
    server = EmbeddedApiServer.builder().garbageCollection(false).start();
    server.install(TenantArtifacts.crd());
    world = new World(server.newClient());
    client = server.newClient();
    manager = Manager.builder().client(client).build();
    TenantIndices.addTo(manager);
    manager.cache(RoleBinding.class);
    manager.start();
    eventually().until(() -> manager.informers().informers().stream().allMatch(i -> i.hasSynced()));
    namespaces =
        new TenantNamespaces(manager.client(), new TenantMetrics(new SimpleMeterRegistry()));
    rbac = new TenantRbac(manager.client());
    tenant = world.create(TenantArtifacts.sample(NAME));
  }

  @AfterEach
  void stopsTheCaches() {
    said.close();
    assertThat(manager.stop()).isTrue();
    client.close();
    world.kubectl().close();
    server.close();
  }

  private TenantPlan plan(String... names) throws Exception {
    tenant.getSpec().setNamespaces(List.of(names));
    return TenantPlan.of(tenant);
  }

  /** One line for each creation, before it; and none for what is there. */
  @Test
  @Proves({"000-62", "000-74"})
  void sayWhetherANamespaceWasCreatedOrDeleted() throws Exception {
    assertThat(namespaces.reconcile(tenant, plan("test1", "test2"))).isTrue();
    assertThat(said.messages(Level.INFO))
        .containsExactly(
            "creating the new namespace: name=tenant-sample-test1",
            "creating the new namespace: name=tenant-sample-test2");
    assertThat(namespaces.reconcile(tenant, plan("test1", "test2"))).isFalse();
    assertThat(namespaces.reconcile(tenant, plan("test1"))).isTrue();
    assertThat(namespaces.reconcile(tenant, plan("test1"))).isFalse();
    assertThat(said.messages(Level.INFO))
        .filteredOn(line -> line.startsWith("creating"))
        .as("those that were there are not created again")
        .hasSize(2);
  }

  /** A Namespace that somebody takes over after the look stays. */
  @Test
  void deleteANamespaceOnlyAsItWasRead() throws Exception {
    namespaces.reconcile(tenant, plan("test1"));
    String name = "tenant-sample-test1";
    Client late =
        (Client)
            Proxy.newProxyInstance(
                Client.class.getClassLoader(),
                new Class<?>[] {Client.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("delete")) {
                    world
                        .kubectl()
                        .namespaces()
                        .withName(name)
                        .edit(
                            n ->
                                new NamespaceBuilder(n)
                                    .editMetadata()
                                    .withOwnerReferences()
                                    .endMetadata()
                                    .build());
                  }
                  try {
                    return method.invoke(manager.client(), arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    TenantPlan others = plan("test2");
    TenantMetrics metrics = new TenantMetrics(new SimpleMeterRegistry());
    assertThatThrownBy(() -> new TenantNamespaces(late, metrics).reconcile(tenant, others))
        .isInstanceOf(ConflictException.class);
    assertThat(world.kubectl().namespaces().withName(name).get().isMarkedForDeletion()).isFalse();
  }

  @Test
  @Proves("000-69")
  void letAFailedListFailAndSayWhatItWas() throws Exception {
    IllegalStateException failure = new IllegalStateException("no cache");
    Client failing =
        (Client)
            Proxy.newProxyInstance(
                Client.class.getClassLoader(),
                new Class<?>[] {Client.class},
                (proxy, method, arguments) -> {
                  throw failure;
                });
    TenantPlan plan = plan("test1");
    TenantMetrics metrics = new TenantMetrics(new SimpleMeterRegistry());
    assertThatThrownBy(() -> new TenantNamespaces(failing, metrics).reconcile(tenant, plan))
        .isSameAs(failure);
    assertThat(said.messages(Level.ERROR)).containsExactly("unable to fetch namespaces");
    assertThat(said.messages(Level.INFO)).as("nothing was created").isEmpty();
  }

  @Test
  @Proves("000-75")
  void letARefusedCreationFailAndSayWhichItWas() {
    server.fail(RequestMatcher.of(Verb.CREATE, "namespaces"), 403, 10);
    assertThatThrownBy(() -> namespaces.reconcile(tenant, plan("test1")))
        .isInstanceOf(ForbiddenException.class);
    assertThat(said.messages(Level.ERROR))
        .containsExactly("unable to create the namespace: name=tenant-sample-test1");
  }

  @Test
  @Proves("000-92")
  void letARefusedRoleFailAndSayWhichItWas() throws Exception {
    TenantPlan plan = plan("test1");
    namespaces.reconcile(tenant, plan);
    server.fail(RequestMatcher.of(Verb.CREATE, "clusterroles.rbac.authorization.k8s.io"), 403, 10);
    assertThatThrownBy(() -> rbac.reconcile(tenant, plan)).isInstanceOf(ForbiddenException.class);
    assertThat(said.messages(Level.ERROR))
        .containsExactly(
            "unable to create-or-update ClusterRole: name=tenant-sample-test1-admin-role");
    server.healFaults();
    server.fail(RequestMatcher.of(Verb.CREATE, "rolebindings.rbac.authorization.k8s.io"), 403, 10);
    assertThatThrownBy(() -> rbac.reconcile(tenant, plan)).isInstanceOf(ForbiddenException.class);
    assertThat(said.messages(Level.ERROR))
        .last()
        .isEqualTo(
            "unable to create-or-update RoleBinding: name=tenant-sample-test1-admin-rolebinding");
  }

  /** By the name of the owner, and without a look at any other Namespace. */
  @Test
  @Proves("000-64")
  void findTheNamespacesOfATenantByTheIndexAndNoOthers() throws Exception {
    Tenant other = world.create(TenantArtifacts.sample("other"));
    create("theirs", other);
    create("ours", tenant);
    world
        .kubectl()
        .resource(new NamespaceBuilder().withNewMetadata().withName("free").endMetadata().build())
        .create();
    var cache = manager.informers().existing(Namespace.class).orElseThrow().indexer();
    eventually().until(() -> cache.get(ObjectKey.of("free")).isPresent());

    assertThat(manager.client().list(Namespace.class, TenantIndices.controlledBy(tenant)))
        .extracting(namespace -> namespace.getMetadata().getName())
        .containsExactly("ours");
    server.clearRequests();
    namespaces.reconcile(tenant, plan("test1"));

    assertThat(server.requests())
        .as("from the cache")
        .noneMatch(request -> request.verb() == Verb.LIST || request.verb() == Verb.GET);
    assertThat(server.requests())
        .filteredOn(request -> request.verb() == Verb.DELETE)
        .as("what it has found, it takes for its own")
        .extracting(request -> request.name())
        .containsExactly("ours");
    assertThat(Objects.requireNonNull(world.namespace("theirs")).isMarkedForDeletion()).isFalse();
    assertThat(Objects.requireNonNull(world.namespace("free")).isMarkedForDeletion()).isFalse();
    assertThatThrownBy(
            () -> manager.client().list(Namespace.class, ListParams.ALL.withIndex("no", "x")))
        .as("an index that is not there is not made up for by a scan")
        .hasMessageContaining("no index 'no'");
  }

  private void create(String name, Tenant owner) {
    Namespace namespace =
        new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build();
    OwnerReferences.setController(namespace, owner);
    world.kubectl().resource(namespace).create();
  }
}
