// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.operators;

import static dev.windlass.cli.testsupport.Edits.edit;
import static dev.windlass.cli.testsupport.Edits.isAnother;
import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.windlass.controller.reconcile.ControllerListener.Outcome;
import dev.windlass.examples.tenant.Tenant;
import dev.windlass.examples.tenant.TenantEntry;
import dev.windlass.examples.tenant.World;
import dev.windlass.manager.Manager;
import dev.windlass.testsupport.Logs;
import dev.windlass.testsupport.Page;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A Tenant from its creation to its end: what is made, what is said, and that nothing follows. */
final class TenantLifeIT extends OnRealServer {

  private static final String NAME = "tenant-sample";
  private static final List<String> NAMESPACES = List.of("sample-test1", "sample-test2");

  @Test
  void makesWhatATenantAsksForAndThenRests() throws Exception {
    World world = new World(kubectl);
    Logs said = closing(Logs.by(Level.INFO, "dev.windlass.examples.tenant"));
    Manager manager =
        closing(
            Manager.builder().client(operatorClient()).metricsBindAddress("127.0.0.1:0").build());
    start(manager, TenantEntry::controller);

    Tenant tenant = kubectl.resource(TenantEntry.sample(NAME, "sample-")).create();

    // Six children, and what the Tenant says of itself.
    Condition ready = world.awaitReady(NAME);
    assertThat(ready.getReason()).isNull();
    assertThat(ready.getMessage()).isNull();
    for (String each : NAMESPACES) {
      assertThat(world.children(each))
          .hasSize(3)
          .extracting(child -> child.getMetadata().getOwnerReferences())
          .containsOnly(List.of(World.owner(tenant)));
      world.assertRole(each);
      world.assertBinding(each);
    }
    assertThat(said.messages())
        .containsOnlyOnce(
            "creating the new namespace: name=sample-test1",
            "creating the new namespace: name=sample-test2");
    assertThat(table(NAME))
        .containsExactly(
            List.of("Name", "ADMIN", "PREFIX", "READY"),
            List.of(NAME, "default", "sample-", "True"));

    // What is told, once.
    eventually().until(() -> !events("default", NAME, "Updated").isEmpty());
    Event updated = events("default", NAME, "Updated").get(0);
    assertThat(updated.getType()).isEqualTo("Normal");
    assertThat(updated.getNote()).isEqualTo("the tenant was updated");
    assertThat(updated.getReportingController()).isEqualTo("tenant-controller");
    assertThat(updated.getRegarding().getUid()).isEqualTo(tenant.getMetadata().getUid());
    assertThat(Page.get(manager.endpoints().metricsPort().orElseThrow(), "/metrics").body())
        .containsPattern("(?m)^tenant_controller_added_namespaces(\\{})? 2(\\.0)?$")
        .containsPattern("(?m)^tenant_controller_removed_namespaces(\\{})? 0(\\.0)?$");

    // It is looked at again, and nothing is written.
    List<String> writes = requests.writes();
    for (int i = 0; i < 3; i++) {
      long before = runs.of(NAME, Outcome.DONE);
      String round = "round-" + i;
      edit(
          kubectl.namespaces().withName(NAMESPACES.get(0)),
          namespace -> namespace.getMetadata().setLabels(labels(namespace, round)));
      eventually().until(() -> runs.of(NAME, Outcome.DONE) > before);
    }
    assertThat(requests.writes()).isEqualTo(writes);
    assertThat(events("default", NAME, "Updated"))
        .singleElement()
        .satisfies(event -> assertThat(count(event)).isEqualTo(1));
    assertThat(events("default", NAME, "Failed")).isEmpty();

    repairs(world);

    // And it ends, with all that it had, and without a request of the operator's.
    assertThat(Objects.requireNonNull(world.tenant(NAME)).getMetadata().getFinalizers())
        .containsExactly("tenant.finalizers.multitenancy.example.com");
    world.delete(NAME);
    NAMESPACES.forEach(world::awaitNothingLeft);
    assertThat(requests.writes()).noneMatch(write -> write.startsWith("DELETE"));
    assertThat(runs.of(NAME, Outcome.ERROR)).isZero();
    assertThat(runs.keys()).as("requests carry the name of the Tenant").containsExactly(NAME);
  }

  /** Whatever others do to what it owns is undone. */
  private static void repairs(World world) {
    String first = NAMESPACES.get(0);
    ClusterRole role = Objects.requireNonNull(world.role(first));
    world.kubectl().resource(role).delete();
    eventually().until(() -> isAnother(world.role(first), role));
    RoleBinding binding = Objects.requireNonNull(world.binding(first));
    world.kubectl().resource(binding).delete();
    eventually().until(() -> isAnother(world.binding(first), binding));
    edit(world.bindingIn(first), found -> found.setSubjects(List.of()));
    eventually()
        .untilAsserted(
            () ->
                assertThat(Objects.requireNonNull(world.binding(first)).getSubjects()).hasSize(1));
  }

  private static Map<String, String> labels(HasMetadata object, String round) {
    Map<String, String> labels = new HashMap<>(object.getMetadata().getLabels());
    labels.put("operators.windlass.dev/round", round);
    return labels;
  }

  /** What {@code kubectl get tenant} prints, as the server makes it: the header and the row. */
  private static List<List<String>> table(String name) throws Exception {
    try (KubernetesClient client = server().newClient()) {
      String uri = client.getMasterUrl() + "apis/multitenancy.example.com/v1/tenants/" + name;
      String body =
          client
              .getHttpClient()
              .sendAsync(
                  client
                      .getHttpClient()
                      .newHttpRequestBuilder()
                      .uri(URI.create(uri))
                      .header("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io")
                      .build(),
                  String.class)
              .get()
              .body();
      Map<?, ?> table = Serialization.unmarshal(body, Map.class);
      return List.of(
          list(table.get("columnDefinitions")).stream()
              .map(column -> String.valueOf(((Map<?, ?>) column).get("name")))
              .toList(),
          list(((Map<?, ?>) list(table.get("rows")).get(0)).get("cells")).stream()
              .map(String::valueOf)
              .toList());
    }
  }

  private static List<?> list(@Nullable Object found) {
    return (List<?>) Objects.requireNonNull(found);
  }
}
