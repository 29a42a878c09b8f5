// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.owned;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.client.Client;
import dev.windlass.client.ConflictException;
import dev.windlass.client.DeleteParams;
import dev.windlass.client.DeleteParams.Propagation;
import dev.windlass.client.ListParams;
import dev.windlass.client.owned.Conditions;
import dev.windlass.client.owned.CreateOrUpdate;
import dev.windlass.client.owned.Operation;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.client.owned.Prune;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import dev.windlass.testing.apiserver.TestApiServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for pruning, and for conditions and owners that are stored, on each server. */
abstract class PruneContract {

  @AutoClose OwnedFixture on;

  private TestApiServer server;

  @BeforeEach
  void starts() {
    on = new OwnedFixture(server);
  }

  private ConfigMap child(String name, HasMetadata controller) {
    ConfigMap child = on.configMap(name);
    OwnerReferences.setController(child, controller);
    return on.client.create(child);
  }

  private List<String> names() {
    return on.client.list(ConfigMap.class, on.namespace).stream()
        .map(map -> map.getMetadata().getName())
        .filter(name -> !name.equals("kube-root-ca.crt")) // the controller manager's
        .sorted()
        .toList();
  }

  @Test
  void deletesWhatTheOwnerControlsAndDoesNotWant() {
    ConfigMap wanted = child("wanted", on.owner);
    child("old-1", on.owner);
    child("old-2", on.owner);
    assertThat(Prune.prune(on.client, on.owner, ConfigMap.class, List.of(wanted)))
        .containsExactlyInAnyOrder(on.key("old-1"), on.key("old-2"));
    assertThat(names()).containsExactly("wanted");
    assertThat(Prune.prune(on.client, on.owner, ConfigMap.class, List.of(wanted))).isEmpty();
  }

  @Test
  void prunesOnlyAmongTheGivenObjects() {
    ConfigMap labelled = on.configMap("labelled");
    labelled.getMetadata().setLabels(Map.of("part", "yes"));
    OwnerReferences.setController(labelled, on.owner);
    on.client.create(labelled);
    child("elsewhere", on.owner);
    ListParams among = ListParams.in(on.namespace).withLabels("part=yes");
    assertThat(
            Prune.prune(
                on.client, on.owner, ConfigMap.class, among, List.of(), DeleteParams.DEFAULT))
        .containsExactly(on.key("labelled"));
    assertThat(names()).containsExactly("elsewhere");
  }

  @Test
  void neverTouchesWhatBelongsToOthers() {
    Widget other = on.client.create(Widget.of(on.namespace, "other"));
    child("others", other);
    on.client.create(on.configMap("nobodys"));
    ConfigMap shared = on.configMap("shared");
    OwnerReferences.setOwner(shared, on.owner);
    on.client.create(shared);
    assertThat(Prune.prune(on.client, on.owner, ConfigMap.class, List.of())).isEmpty();
    assertThat(names()).containsExactly("nobodys", "others", "shared");
  }

  /** Each way to delete an object. */
  enum Way {
    DELETE,
    DELETE_WITHOUT_A_CLASS,
    DELETE_ALL,
    PRUNE,
    PRUNE_AMONG,
    PRUNE_WITHOUT_A_CLASS
  }

  /**
   * The server's default for a Job is to orphan what it owns, which would leave its Pods behind.
   */
  @ParameterizedTest
  @EnumSource(Way.class)
  void deletesWhatAJobOwnsAsWell(Way way) {
    jobWithADependent();
    delete(way, DeleteParams.DEFAULT);
    assertThat(on.client.uncached().get(Job.class, on.key("job"))).isEmpty();
    eventually().until(() -> on.client.get(ConfigMap.class, on.key("dependent")).isEmpty());
  }

  @ParameterizedTest
  @EnumSource(value = Way.class, mode = EnumSource.Mode.EXCLUDE, names = "PRUNE") // has no options
  void keepsWhatAJobOwnsIfAskedTo(Way way) {
    jobWithADependent();
    delete(way, DeleteParams.DEFAULT.withPropagation(Propagation.ORPHAN));
    eventually().until(() -> on.client.uncached().get(Job.class, on.key("job")).isEmpty());
    assertThat(on.get(ConfigMap.class, "dependent").getMetadata().getOwnerReferences()).isEmpty();
  }

  private void jobWithADependent() {
    Job job =
        new JobBuilder()
            .withMetadata(on.configMap("job").getMetadata())
            .withNewSpec()
            .withSuspend(true)
            .withNewTemplate()
            .withNewSpec()
            .withRestartPolicy("Never")
            .addNewContainer()
            .withName("c")
            .withImage("c")
            .endContainer()
            .endSpec()
            .endTemplate()
            .endSpec()
            .build();
    OwnerReferences.setController(job, on.owner);
    Job created = on.client.create(job);
    ConfigMap dependent = on.configMap("dependent"); // stands for a Pod
    OwnerReferences.setOwner(dependent, created);
    on.client.create(dependent);
    awaitGarbageCollector(created);
  }

  /**
   * The collector orphans only the dependents that it has heard of. It hears of objects of a type
   * in their order, and deletes one whose owner never existed.
   */
  private void awaitGarbageCollector(Job job) {
    ConfigMap canary = on.configMap("canary");
    OwnerReferences.setOwner(canary, job);
    canary.getMetadata().getOwnerReferences().get(0).setUid(UUID.randomUUID().toString());
    on.client.create(canary);
    eventually().until(() -> on.client.uncached().get(ConfigMap.class, on.key("canary")).isEmpty());
  }

  private void delete(Way way, DeleteParams how) {
    ResourceType jobs = ResourceType.of(Job.class);
    ListParams here = ListParams.in(on.namespace);
    switch (way) {
      case DELETE -> on.client.delete(Job.class, on.key("job"), how);
      case DELETE_WITHOUT_A_CLASS -> on.client.delete(jobs, on.key("job"), how);
      case DELETE_ALL -> on.client.deleteAllOf(Job.class, here, how);
      case PRUNE -> prune(() -> Prune.prune(on.client, on.owner, Job.class, List.of()));
      case PRUNE_AMONG ->
          prune(() -> Prune.prune(on.client, on.owner, Job.class, here, List.of(), how));
      case PRUNE_WITHOUT_A_CLASS ->
          prune(() -> Prune.prune(on.client, on.owner, jobs, here, List.of(), how));
    }
  }

  /** Prunes one object, which the Job controller may have written since it was read. */
  private static void prune(Callable<List<ObjectKey>> call) {
    eventually().ignoreException(ConflictException.class).until(() -> call.call().size() == 1);
  }

  /** An owner of the same name and another uid is another owner. */
  @Test
  void leavesWhatAnEarlierOwnerOfTheNameHasLeft() {
    child("old", on.owner);
    Widget again = on.get(Widget.class, "owner");
    again.getMetadata().setUid("00000000-0000-0000-0000-000000000000");
    assertThat(Prune.prune(on.client, again, ConfigMap.class, List.of())).isEmpty();
    assertThat(names()).containsExactly("old");
  }

  /** A child that was given away since it was read is not deleted; all others are. */
  @Test
  void deletesNothingThatHasChangedSince() {
    child("a-given-away", on.owner);
    child("b-unwanted", on.owner);
    Client behind = on.behindIn(ConfigMap.class);
    on.edit(
        ConfigMap.class, "a-given-away", map -> map.getMetadata().setOwnerReferences(List.of()));
    assertThatThrownBy(() -> Prune.prune(behind, on.owner, ConfigMap.class, List.of()))
        .isInstanceOf(ConflictException.class);
    assertThat(names()).containsExactly("a-given-away");
    assertThat(Prune.prune(on.client, on.owner, ConfigMap.class, List.of())).isEmpty();
  }

  @Test
  void deletesNothingTwice() {
    ConfigMap held = on.configMap("held");
    OwnerReferences.setController(held, on.owner);
    held.getMetadata().setFinalizers(List.of("example.com/held"));
    on.client.create(held);
    assertThat(Prune.prune(on.client, on.owner, ConfigMap.class, List.of())).hasSize(1);
    assertThat(Prune.prune(on.client, on.owner, ConfigMap.class, List.of()))
        .as("is being deleted already")
        .isEmpty();
    on.edit(ConfigMap.class, "held", map -> map.getMetadata().setFinalizers(List.of()));
  }

  /** An owner without a namespace may have children in all. */
  @Test
  void findsTheChildrenOfAnOwnerWithoutANamespace() {
    ClusterRole role =
        on.client.create(
            new ClusterRoleBuilder()
                .withNewMetadata()
                .withName(on.namespace)
                .endMetadata()
                .build());
    child("far", role);
    assertThat(Prune.prune(on.client, role, ConfigMap.class, List.of()))
        .containsExactly(on.key("far"));
    on.kubectl.resource(role).delete();
  }

  /** The server keeps conditions as they were set, and a second look writes nothing. */
  @Test
  void storesConditionsThatStayAsTheyAre() {
    Clock clock = Clock.fixed(Instant.parse("2026-01-01T00:00:00.5Z"), ZoneOffset.UTC);
    for (Operation.Result expected :
        List.of(Operation.Result.UPDATED_STATUS_ONLY, Operation.Result.NONE)) {
      var operation =
          CreateOrUpdate.createOrPatch(
              on.client,
              Widget.of(on.namespace, "owner"),
              widget -> {
                if (widget.getStatus() == null) {
                  widget.setStatus(new Widget.Status());
                }
                Conditions.of(widget.getStatus().getConditions(), clock)
                    .set("Ready", Conditions.Status.FALSE, "NoParts", "has none", 1);
              });
      assertThat(operation.result()).isEqualTo(expected);
      assertThat(operation.object().getStatus().getConditions())
          .singleElement()
          .satisfies(c -> assertThat(c.getMessage()).isEqualTo("has none"))
          .satisfies(c -> assertThat(c.getLastTransitionTime()).isEqualTo("2026-01-01T00:00:00Z"));
    }
  }
}
