// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import ch.qos.logback.classic.Level;
import dev.windlass.testing.reconciler.ReconcilerTest;
import dev.windlass.testing.reconciler.Write;
import dev.windlass.testsupport.Logs;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** The Foo operator on virtual time, its log, and its user, who works in one namespace. */
final class FooFixture implements AutoCloseable {

  static final String NAME = "example-foo";
  static final String NAMESPACE = "default";

  /** The operator reconciles each Foo every 30 s, so two minutes show whether it rests. */
  private static final Duration STABLE = Duration.ofMinutes(2);

  final ReconcilerTest test;
  private final Logs said = Logs.by(Level.INFO, FooReconciler.class.getName());

  FooFixture(CustomResourceDefinition crd) {
    test = ReconcilerTest.of(FooOperator::register).install(crd).withStablePeriod(STABLE);
  }

  Foo create(Consumer<Foo> change) {
    Foo foo = FooArtifacts.exampleFoo(NAMESPACE);
    change.accept(foo);
    return test.create(foo);
  }

  /** Creates a Foo with any content, such as {@code ,"spec":{}}. */
  void create(String name, String fields) {
    String json =
        "{\"apiVersion\":\"samplecontroller.k8s.io/v1alpha1\",\"kind\":\"Foo\","
            + "\"metadata\":{\"namespace\":\"default\",\"name\":\"%s\"}%s}";
    test.create(
        Serialization.unmarshal(json.formatted(name, fields), GenericKubernetesResource.class));
  }

  void change(Consumer<Foo> change) {
    test.edit(Foo.class, NAMESPACE, NAME, change);
  }

  Foo foo() {
    return foo(NAME);
  }

  Foo foo(String name) {
    return test.get(Foo.class, NAMESPACE, name).orElseThrow();
  }

  List<Condition> conditions(String name) {
    return foo(name).getStatus().getConditions();
  }

  Deployment deployment(String name) {
    return test.get(Deployment.class, NAMESPACE, name).orElseThrow();
  }

  /** Returns the Events with the given reason about the given Foo. */
  List<Event> events(String foo, String reason) {
    return test.list(Event.class, NAMESPACE).stream()
        .filter(event -> event.getReason().equals(reason))
        .filter(event -> event.getRegarding().getName().equals(foo))
        .toList();
  }

  List<String> writes() {
    return test.writes().stream().map(Write::toString).toList();
  }

  /** Returns the number of reconciles of a Foo. */
  long runs(String name) {
    return test.reconciles().stream()
        .filter(run -> run.object().equals(NAMESPACE + "/" + name))
        .count();
  }

  /** Returns the number of failed reconciles of all Foos. */
  long failures() {
    return test.reconciles().stream().filter(run -> run.failure().isPresent()).count();
  }

  List<String> lines() {
    return said.messages();
  }

  @Override
  public void close() {
    said.close();
    test.close();
  }
}
