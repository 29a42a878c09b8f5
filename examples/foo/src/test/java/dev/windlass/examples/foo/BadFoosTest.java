// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.windlass.testing.apiserver.OpenDefinition;
import dev.windlass.testing.reconciler.ReconcilerTest;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Foos that can't be satisfied: the operator reports what to do, once, and serves the others. */
final class BadFoosTest {

  private static final String BAD = FooFixture.NAME;

  /** An older CRD, whose schema accepts everything. */
  @AutoClose private final FooFixture foos = new FooFixture(OpenDefinition.of(Foo.class));

  private final ReconcilerTest test = foos.test;

  private void create(String name, String deployment, int replicas) {
    foos.create(
        name,
        ",\"spec\":{\"deploymentName\":\"%s\",\"replicas\":%d}".formatted(deployment, replicas));
    test.advance(Duration.ofSeconds(10));
  }

  /** Reports the problem by one condition and one Event, however often it sees the Foo. */
  private void isReportedOnce(String reason, String note, String message) {
    test.advance(Duration.ofMinutes(2)); // several resyncs
    assertThat(foos.events(BAD, reason))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.getType()).isEqualTo("Warning");
              assertThat(event.getNote()).isEqualTo(note);
              assertThat(event.getSeries()).as("once").isNull();
              assertThat(event.getRegarding().getUid())
                  .isEqualTo(foos.foo().getMetadata().getUid());
            });
    assertThat(foos.conditions(BAD))
        .extracting(
            Condition::getType, Condition::getStatus, Condition::getReason, Condition::getMessage)
        .containsExactly(tuple("Stalled", "True", reason, message));
    create("good", "good", 2);
    assertThat(foos.deployment("good").getSpec().getReplicas()).isEqualTo(2);
    assertThat(foos.events("good", "Synced")).hasSize(1);
  }

  private void isCuredBy(String deploymentName) {
    test.kubernetesClient()
        .resources(Foo.class)
        .inNamespace("default")
        .withName(BAD)
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"spec\":{\"deploymentName\":\"%s\"}}".formatted(deploymentName));
    test.assertEventuallyStable();
    assertThat(foos.conditions(BAD)).isEmpty();
    assertThat(foos.events(BAD, "Synced")).hasSize(1);
    assertThat(test.list(Event.class, "default"))
        .filteredOn(event -> event.getType().equals("Warning"))
        .filteredOn(event -> !event.getReason().equals("ReconcileFailed")) // by the controller
        .hasSize(1);
    assertThat(foos.deployment(deploymentName)).isNotNull();
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {"``", "`,\"spec\":{}`", "`,\"spec\":null`"})
  void lackANameWithoutASpecification(String fields) {
    foos.create(BAD, fields);
    String message = "spec.deploymentName is missing: set the name of the Deployment to create";
    isReportedOnce("DeploymentNameMissing", message, message);
    isCuredBy("late");
  }

  @Test
  void mayAskForANameThatNoDeploymentCanHave() {
    create(BAD, "Not_A_Name", 1);
    String message = foos.conditions(BAD).get(0).getMessage();
    assertThat(message)
        .startsWith("The API server rejected the Deployment: ")
        .contains("Not_A_Name", "a lowercase RFC 1123 subdomain must consist of");
    isReportedOnce("DeploymentRejected", message, message);
    isCuredBy("a-name");
  }

  /** No path of the API can contain it, so no request is sent; the controller reports it. */
  @Test
  void mayAskForANameThatNoObjectCanHave() {
    create(BAD, "a/b", 1);
    test.advance(Duration.ofMinutes(2));
    assertThat(foos.events(BAD, "ReconcileFailed"))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.getType()).isEqualTo("Warning");
              assertThat(event.getNote()).contains("'a/b'");
            });
  }

  /** 1.4 MB, which is all that etcd accepts; the reports stay short. */
  @Test
  void mayBeLarge() {
    create(BAD, "a".repeat(1_400_000), 1);
    String message = "spec.deploymentName has 1400000 characters: use 253 at most";
    isReportedOnce("DeploymentNameTooLong", message, message);
    isCuredBy("short");
  }

  /** The first Foo keeps it. */
  @Test
  void mayAskForTheDeploymentOfAnother() {
    create("first", "wanted", 1);
    String uid = foos.deployment("wanted").getMetadata().getUid();
    create(BAD, "wanted", 3);

    String note = "Resource \"wanted\" already exists and is not managed by Foo";
    isReportedOnce(
        "ErrResourceExists",
        note,
        note + ": choose another spec.deploymentName, or delete the Deployment");
    assertThat(foos.conditions("first")).isEmpty();
    assertThat(foos.deployment("wanted").getSpec().getReplicas()).isEqualTo(1);

    isCuredBy("another");
    assertThat(foos.deployment("another").getSpec().getReplicas()).isEqualTo(3);
    assertThat(foos.deployment("wanted").getMetadata().getUid()).isEqualTo(uid);
  }
}
