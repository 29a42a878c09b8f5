// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.manager.Manager;
import dev.windlass.testing.reconciler.ReconcilerTest;
import dev.windlass.testing.reconciler.Write;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A variant of the Hello operator on virtual time, its log, and its user. */
final class HelloFixture implements AutoCloseable {

  static final String NAMESPACE = "default";
  static final String NAME = "hello-sample";

  final ReconcilerTest test;
  final HelloLines lines = HelloLines.record();
  private final List<Long> starts = new ArrayList<>();

  HelloFixture(Variant variant, CustomResourceDefinition crd) {
    test = ReconcilerTest.of(manager -> register(variant, manager)).install(crd);
  }

  static HelloFixture of(Variant variant) {
    return new HelloFixture(variant, HelloArtifacts.crd());
  }

  private void register(Variant variant, Manager manager) {
    Reconciler reconciler = variant.reconciler(manager);
    variant
        .controller(manager)
        .reconciler(
            (request, context) -> {
              starts.add(test.clock().millis());
              return reconciler.reconcile(request, context);
            })
        .register(manager);
  }

  /** Returns the times at which the reconciles began, in ms after the first. */
  List<Long> starts() {
    return starts.stream().map(start -> start - starts.get(0)).toList();
  }

  /** Moves the time until the given time has passed since the second reconcile. */
  void advanceToSecondReconcilePlus(Duration time) {
    long passed = test.clock().millis() - starts.get(1);
    test.advance(time.minusMillis(passed));
  }

  /** Returns the outcomes of all reconciles. */
  List<String> outcomes() {
    return test.reconciles().stream().map(run -> run.outcome()).toList();
  }

  List<String> writes() {
    return test.writes().stream().map(Write::toString).toList();
  }

  Hello create() {
    return test.create(HelloArtifacts.sample(NAMESPACE));
  }

  /** Creates the sample and runs the operator until its Pod exists. */
  Hello createRunning() {
    Hello hello = create();
    awaitPhase("Running");
    return hello;
  }

  Optional<Hello> hello(String name) {
    return test.get(Hello.class, NAMESPACE, name);
  }

  HelloStatus status(String name) {
    return hello(name).orElseThrow().getStatus();
  }

  void awaitPhase(String phase) {
    for (int i = 0; i < 1_000 && !phase.equals(status(NAME).getPhase()); i++) {
      test.advance(Duration.ofMillis(20));
    }
    assertThat(status(NAME).getPhase()).isEqualTo(phase);
  }

  void writePhase(String phase) {
    patchStatus("{\"status\":{\"phase\":\"" + phase + "\"}}");
  }

  private void patchStatus(String patch) {
    test.kubernetesClient()
        .resources(Hello.class)
        .inNamespace(NAMESPACE)
        .withName(NAME)
        .subresource("status")
        .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
  }

  Optional<Pod> pod(String name) {
    return test.get(Pod.class, NAMESPACE, name);
  }

  String podUid() {
    return pod(NAME).orElseThrow().getMetadata().getUid();
  }

  void endPod(HelloPhase phase) {
    Pods.end(test.kubernetesClient(), NAMESPACE, NAME, phase);
  }

  void deletePod() {
    test.kubernetesClient()
        .pods()
        .inNamespace(NAMESPACE)
        .withName(NAME)
        .withGracePeriod(0)
        .delete();
  }

  @Override
  public void close() {
    lines.close();
    test.close();
  }
}
