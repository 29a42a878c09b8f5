// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.testing.reconciler.ReconcilerTest;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Converts sample operators, compiles them without the Java Operator SDK, and runs them on the
 * embedded API server.
 */
final class ConvertedOperatorsTest {

  private static final KubernetesSerialization JSON = new KubernetesSerialization();

  @TempDir private static Path folder;

  private static SampleOperators samples;

  @BeforeAll
  static void converts() throws Exception {
    assertThat(new SampleOperators("operators", folder.resolve("before")).compile()).isEmpty();
    samples = new SampleOperators("operators", folder).convert();
    assertThat(samples.compileConverted()).isEmpty();
  }

  private static HasMetadata object(SampleOperators.Loaded sample, String spec) {
    String text =
        """
        apiVersion: samples.windlass.dev/v1
        kind: %s
        metadata:
          namespace: default
          name: first
          labels: {active: "true"}
        spec: %s
        """
            .formatted(sample.type().getSimpleName(), spec);
    return Serialization.unmarshal(text, sample.type());
  }

  private static Map<?, ?> status(ReconcilerTest test, SampleOperators.Loaded sample) {
    HasMetadata object = test.get(sample.type(), "default", "first").orElseThrow();
    Map<?, ?> fields = JSON.convertValue(object, Map.class);
    return fields.get("status") instanceof Map<?, ?> status ? status : Map.of();
  }

  @Test
  void maintainsTheObjectsThatAPageOwns() throws Exception {
    SampleOperators.Loaded sample = samples.load("webpage", "WebPageReconciler", "WebPage");
    try (ReconcilerTest test = ReconcilerTest.of(sample::register).install(sample.type())) {
      test.create(object(sample, "{html: hello}"));
      test.advance(Duration.ofMinutes(1));
      int runs = test.reconciles().size();
      test.advance(Duration.ofMinutes(1));
      assertThat(test.reconciles()).hasSize(runs);
      assertThat(test.get(ConfigMap.class, "default", "first").orElseThrow().getData())
          .containsEntry("index.html", "hello");
      assertThat(test.get(Deployment.class, "default", "first")).isPresent();
      assertThat(test.get(Service.class, "default", "first")).isPresent();
      assertThat(status(test, sample).get("configMap")).isEqualTo("first");
      assertThat(status(test, sample).get("parts")).isEqualTo(3);
      test.delete(Service.class, "default", "first");
      test.reconcile();
      assertThat(test.get(Service.class, "default", "first")).isPresent();
    }
  }

  @Test
  void pollsTheStoreAndDeletesTheBucketBeforeTheObject() throws Exception {
    SampleOperators.Loaded sample = samples.load("bucket", "BucketReconciler", "Bucket");
    try (ReconcilerTest test = ReconcilerTest.of(sample::register).install(sample.type())) {
      test.create(object(sample, "{region: north}"));
      test.reconcile();
      HasMetadata created = test.get(sample.type(), "default", "first").orElseThrow();
      assertThat(created.getMetadata().getFinalizers())
          .containsExactly("samples.windlass.dev/bucket");
      test.advance(Duration.ofSeconds(5));
      assertThat(status(test, sample).get("url")).isEqualTo("store://default/first");
      HasMetadata ready = test.get(sample.type(), "default", "first").orElseThrow();
      assertThat(ready.getMetadata().getAnnotations()).containsEntry("region", "north");
      int before = test.reconciles().size();
      test.advance(Duration.ofMinutes(11));
      assertThat(test.reconciles().size()).isGreaterThan(before);
      test.delete(sample.type(), "default", "first");
      test.reconcile();
      assertThat(test.get(sample.type(), "default", "first")).isPresent();
      test.advance(Duration.ofSeconds(10));
      assertThat(test.get(sample.type(), "default", "first")).isEmpty();
    }
  }

  @Test
  void countsTheMembersAndReportsAnInvalidSpec() throws Exception {
    SampleOperators.Loaded sample = samples.load("team", "TeamReconciler", "Team");
    try (ReconcilerTest test = ReconcilerTest.of(sample::register).install(sample.type())) {
      test.create(object(sample, "{size: 1}"));
      test.reconcile();
      test.create(member());
      test.reconcile();
      assertThat(status(test, sample).get("members")).isEqualTo(1);
      test.delete(sample.type(), "default", "first");
      test.create(object(sample, "{size: -1}"));
      test.advance(Duration.ofHours(1));
      assertThat(status(test, sample).get("error")).isEqualTo("no team has -1 members");
      int runs = test.reconciles().size();
      test.advance(Duration.ofHours(1));
      assertThat(test.reconciles()).hasSize(runs);
    }
  }

  private static Secret member() {
    return new SecretBuilder()
        .withNewMetadata()
        .withNamespace("default")
        .withName("member")
        .addToLabels("team", "first")
        .endMetadata()
        .build();
  }
}
