// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.windlass.behaviour.Proves;
import dev.windlass.examples.cli.testing.LooseCrd;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What becomes of Foos that can't be had: the server refuses them, or, where they get past it, the
 * operator says what to do, once, and goes on with the others. On whatever API server.
 */
abstract class BadFoosContract extends FooHarness {

  private static final String GOOD = "good-foo";

  private LooseCrd bad;

  @BeforeEach
  void knowsTheCrd() {
    bad = new LooseCrd(kubectl, FooArtifacts.crd(), namespace);
  }

  @AfterEach
  void restoresTheCrd() {
    bad.restore();
  }

  private void create(String name, String fields) {
    bad.object(name, fields).create();
  }

  private List<Condition> conditions(String name) {
    return kubectl
        .resources(Foo.class)
        .inNamespace(namespace)
        .withName(name)
        .require()
        .getStatus()
        .getConditions();
  }

  private void createGood() {
    create(GOOD, ",\"spec\":{\"deploymentName\":\"%s\",\"replicas\":2}".formatted(GOOD));
    awaitSynced(GOOD);
    assertThat(awaitDeployment(GOOD).getSpec().getReplicas()).isEqualTo(2);
    assertThat(bad.warnings(GOOD)).isEmpty();
  }

  private void awaitSynced(String name) {
    eventually()
        .until(
            () -> events("Synced").stream().anyMatch(e -> e.getRegarding().getName().equals(name)));
  }

  /** Looks at the bad one once more, and at a good one. */
  private void isToldByOneEvent(String reason, String note) {
    eventually()
        .untilAsserted(
            () ->
                assertThat(bad.warnings(NAME))
                    .extracting(Event::getReason, Event::getNote)
                    .containsExactly(tuple(reason, note)));
    String key = namespace + "/" + NAME;
    long before = runs.of(key);
    bad.patch(NAME, "{\"metadata\":{\"labels\":{\"seen\":\"2\"}}}");
    eventually().until(() -> runs.of(key) > before);
    createGood(); // whose Event is sent after all that there was to tell of the bad one
    Event event = bad.warnings(NAME).get(0);
    assertThat(bad.warnings(NAME)).hasSize(1);
    assertThat(event.getSeries()).as("once").isNull();
    assertThat(event.getRegarding().getUid())
        .isEqualTo(bad.object(NAME, "").require().getMetadata().getUid());
  }

  private void isToldByAConditionAndOneEvent(String reason, String message) {
    isToldByOneEvent(reason, message);
    assertThat(conditions(NAME))
        .extracting(Condition::getType, Condition::getStatus, Condition::getReason)
        .containsExactly(tuple("Stalled", "True", reason));
    assertThat(conditions(NAME).get(0).getMessage()).isEqualTo(message);
  }

  private void isCuredBy(String spec) {
    bad.patch(NAME, "{\"spec\":" + spec + "}");
    awaitSynced(NAME);
    assertThat(conditions(NAME)).isEmpty();
    assertThat(bad.warnings(NAME)).as("no more").hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {"``", "`,\"spec\":{}`", "`,\"spec\":null`"})
  void lackANameWithoutASpecification(String fields) {
    bad.acceptEverything();
    bad.createAsSoonAsAccepted(NAME, fields);
    isToldByAConditionAndOneEvent(
        "DeploymentNameMissing",
        "spec.deploymentName is missing: set the name of the Deployment to create");
    isCuredBy("{\"deploymentName\":\"late\"}");
    awaitDeployment("late");
  }

  /** Of the Deployment that the server refuses. */
  @Test
  void mayAskForANameThatNoDeploymentCanHave() {
    create(NAME, ",\"spec\":{\"deploymentName\":\"Not_A_Name\"}");
    eventually().until(() -> !bad.warnings(NAME).isEmpty());
    assertThat(conditions(NAME).get(0).getMessage())
        .startsWith("The API server rejected the Deployment; correct the Foo: ")
        .contains("Not_A_Name", "a lowercase RFC 1123 subdomain must consist of");
    isToldByAConditionAndOneEvent("InvalidDeployment", conditions(NAME).get(0).getMessage());
    isCuredBy("{\"deploymentName\":\"a-name\"}");
  }

  /** 1.4 MB, which is all that etcd takes; what people read stays short. */
  @Test
  void mayBeLarge() {
    create(NAME, ",\"spec\":{\"deploymentName\":\"%s\"}".formatted("a".repeat(1_400_000)));
    isToldByAConditionAndOneEvent(
        "DeploymentNameTooLong", "spec.deploymentName has 1400000 characters: use 253 at most");
    isCuredBy("{\"deploymentName\":\"short\"}");
  }

  /** Who came first has it. */
  @Test
  @Proves("001-74")
  void mayAskForTheDeploymentOfAnother() {
    create("first", ",\"spec\":{\"deploymentName\":\"wanted\",\"replicas\":1}");
    awaitSynced("first");
    String uid = awaitDeployment("wanted").getMetadata().getUid();
    create(NAME, ",\"spec\":{\"deploymentName\":\"wanted\",\"replicas\":3}");

    String note = "Resource \"wanted\" already exists and is not managed by Foo";
    isToldByOneEvent("ErrResourceExists", note);
    assertThat(conditions(NAME))
        .extracting(Condition::getType, Condition::getStatus, Condition::getMessage)
        .containsExactly(
            tuple(
                "Stalled",
                "True",
                note + ": choose another spec.deploymentName, or delete the Deployment"));
    assertThat(conditions("first")).isEmpty();
    assertThat(bad.warnings("first")).isEmpty();
    assertThat(Objects.requireNonNull(deployment("wanted")).getSpec().getReplicas()).isEqualTo(1);

    isCuredBy("{\"deploymentName\":\"another\"}");
    assertThat(awaitDeployment("another").getSpec().getReplicas()).isEqualTo(3);
    assertThat(awaitDeployment("wanted").getMetadata().getUid()).isEqualTo(uid);
  }
}
