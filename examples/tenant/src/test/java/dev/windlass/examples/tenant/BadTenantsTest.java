// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.testing.apiserver.OpenDefinition;
import dev.windlass.testing.reconciler.ReconcilerTest;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tenants that can't be satisfied: the operator reports what to do, once, and serves the others.
 */
final class BadTenantsTest {

  private static final String BAD = "bad";
  private static final String GOOD = "good";

  /** An older CRD, whose schema accepts everything. */
  @AutoClose
  private final TenantFixture tenants = new TenantFixture(OpenDefinition.of(Tenant.class));

  private final ReconcilerTest test = tenants.test;
  private final World world = tenants.world;

  private static void create(ReconcilerTest test, String fields) {
    String json =
        "{\"apiVersion\":\"multitenancy.example.com/v1\",\"kind\":\"Tenant\","
            + "\"metadata\":{\"name\":\"bad\"}%s}";
    test.create(Serialization.unmarshal(json.formatted(fields), GenericKubernetesResource.class));
  }

  private void create(String fields) {
    create(test, fields);
  }

  private static String spec(String namespaces) {
    return ",\"spec\":{\"namespaces\":[%s],\"admin\":{\"kind\":\"User\",\"name\":\"jane\"}}"
        .formatted(namespaces);
  }

  private void writeAWholeSpecification() {
    test.kubernetesClient()
        .genericKubernetesResources("multitenancy.example.com/v1", "Tenant")
        .withName(BAD)
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{%s}".formatted(spec("\"bad-a\"").substring(1)));
  }

  /** Reports the problem once, serves another Tenant, and recovers when the Tenant is changed. */
  private void isReportedAndCured(String message, Consumer<TenantSpec> cure) {
    isReportedAndCured(message, () -> world.change(BAD, cure));
  }

  private void isReportedAndCured(String message, Runnable cure) {
    test.advance(Duration.ofMinutes(1));
    Condition condition = world.awaitFailed(BAD);
    assertThat(condition.getReason()).isEqualTo("Failed");
    assertThat(condition.getMessage()).contains(message);
    Event event = world.awaitOneEvent(BAD, "Failed");
    assertThat(event.getType()).isEqualTo("Warning");
    assertThat(event.getNote()).isEqualTo("failed to reconcile: " + condition.getMessage());
    assertServesAnother("Failed");
    assertThat(world.ready(BAD)).contains(condition);

    cure.run();

    test.assertEventuallyStable();
    Condition ready = world.awaitReady(BAD);
    assertThat(ready.getReason()).isNull();
    assertThat(ready.getMessage()).isNull();
    world.awaitOneEvent(BAD, "Updated");
    assertThat(world.events(BAD, "Failed")).hasSize(1);
  }

  private void assertServesAnother(String reason) {
    test.create(TenantArtifacts.sample(GOOD, "a"));
    test.advance(Duration.ofMinutes(1));
    world.awaitReady(GOOD);
    world.awaitOneEvent(GOOD, "Updated");
    assertThat(world.events(GOOD, "Failed")).isEmpty();
    assertThat(world.awaitOneEvent(BAD, reason).getSeries()).as("once").isNull();
  }

  /** The Namespace is not changed. */
  @Test
  void mayAskForANamespaceThatNobodyControls() {
    test.create(
        new NamespaceBuilder().withNewMetadata().withName("bad-test1").endMetadata().build());
    test.create(TenantArtifacts.sample(BAD));
    isReportedAndCured(
        "Namespace bad-test1 exists, and does not belong to this tenant: "
            + "choose another name in spec.namespaces",
        spec -> spec.setNamespaces(List.of("test2")));
    assertThat(
            Objects.requireNonNull(world.namespace("bad-test1")).getMetadata().getOwnerReferences())
        .isEmpty();
    assertThat(world.role("bad-test1")).isNull();
  }

  /** The first Tenant keeps it. */
  @Test
  void mayAskForTheNamespaceOfAnother() {
    test.create(TenantArtifacts.sample("bad-x", "y"));
    test.assertEventuallyStable();
    test.create(TenantArtifacts.sample(BAD, "x-y"));
    isReportedAndCured(
        "can't be controlled by Tenant bad", spec -> spec.setNamespaces(List.of("z")));
    assertThat(world.children("bad-x-y")).hasSize(3);
    world.awaitReady("bad-x");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "`` | spec.namespaces lacks a name",
        "`,\"spec\":null` | spec.namespaces lacks a name",
        "`,\"spec\":{\"namespaces\":[]}` | spec.namespaces lacks a name",
        "`,\"spec\":{\"namespaces\":[null]}` | spec.namespaces lacks a name",
        "`,\"spec\":{\"namespaces\":[\"a\"]}` | spec.admin is missing",
        "`,\"spec\":{\"namespaces\":[\"a\"],\"admin\":{}}` | spec.admin.kind is null: use User",
        "`,\"spec\":{\"namespaces\":[\"a\"],\"admin\":{\"kind\":\"Robot\"}}` | spec.admin.kind is"
            + " Robot: use User, Group or ServiceAccount",
      })
  void mayLackPartsOfTheirSpecification(String fields, String message) {
    create(fields);
    isReportedAndCured(message, this::writeAWholeSpecification);
    assertThat(tenants.failures(BAD)).as("not retried").hasSize(1);
  }

  @Test
  void mayNameANamespaceTwice() {
    create(spec("\"test1\",\"test2\",\"test1\""));
    isReportedAndCured(
        "spec.namespaces names test1 twice: remove one of them",
        spec -> spec.setNamespaces(List.of("test1")));
  }

  /** 1.4 MB, which is all that etcd accepts; the reports stay short. */
  @Test
  void mayHaveANameThatIsFarTooLong() {
    test.create(TenantArtifacts.sample(BAD, "a".repeat(1_400_000)));
    isReportedAndCured(
        "spec.namespaces has a name of 1400004 characters: use 63 at most, including the prefix",
        spec -> spec.setNamespaces(List.of("test1")));
  }

  @Test
  void mayHaveANameThatNoNamespaceCanHave() {
    test.create(TenantArtifacts.sample(BAD, "Not_A_Name"));
    isReportedAndCured("Not_A_Name", spec -> spec.setNamespaces(List.of("test1")));
    assertThat(tenants.failures(BAD)).as("not retried").hasSize(1);
  }

  /** Windlass reports it, because nobody can write a status into what can't be decoded. */
  @Test
  void mayNotFitTheClass() {
    create(",\"spec\":{\"namespaces\":{\"a\":1}}");
    test.assertEventuallyStable();
    Event event = world.awaitOneEvent(BAD, "Undecodable");
    assertThat(event.getType()).isEqualTo("Warning");
    assertThat(event.getNote())
        .isEqualTo(
            "Tenant does not fit dev.windlass.examples.tenant.Tenant at spec.namespaces. Correct it"
                + " to match the CRD or, if the CRD has several versions, configure their"
                + " conversion; until then it is skipped");
    assertServesAnother("Undecodable");
    writeAWholeSpecification();
    test.assertEventuallyStable();
    world.awaitReady(BAD);
  }

  /** The server rejects each change that does not cure it, and so the condition. */
  @Test
  void mayBeOlderThanTheSchema() {
    create("");
    CustomResourceDefinition shipped = TenantArtifacts.crd();
    String crd = shipped.getMetadata().getName();
    test.edit(CustomResourceDefinition.class, "", crd, old -> old.setSpec(shipped.getSpec()));
    test.assertEventuallyStable();
    assertThat(world.awaitOneEvent(BAD, "Failed").getNote()).contains("spec: Required value");
    assertServesAnother("Failed");
    assertThat(tenants.failures(BAD)).as("not retried").hasSize(1);
    writeAWholeSpecification();
    test.assertEventuallyStable();
    world.awaitReady(BAD);
  }

  /** The CRD may keep it. */
  @Test
  void mayHaveAnUnknownField() {
    create(spec("\"bad-a\"").replace("{\"names", "{\"colour\":1,\"names"));
    test.assertEventuallyStable();
    world.awaitReady(BAD);
    assertThat(world.events(BAD, "Failed")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "`` | spec: Required value",
        "`,\"spec\":{}` | spec.namespaces: Required value",
        "`,\"spec\":{}` | spec.admin: Required value",
        "`,\"spec\":{\"namespaces\":\"a\"}` | spec.namespaces in body must be of type array: \"string\"",
        "`,\"spec\":{\"namespaces\":[]}` | spec.namespaces in body should have at least 1 items",
        "`,\"spec\":{\"namespaces\":[7]}` | spec.namespaces[0] in body must be of type string: \"integer\"",
      })
  void areRejectedByTheSchema(String fields, String message) {
    try (TenantFixture shipped = new TenantFixture(TenantArtifacts.crd())) {
      assertThatThrownBy(() -> create(shipped.test, fields))
          .isInstanceOfSatisfying(
              KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(422))
          .hasMessageContaining(message);
    }
  }
}
