// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.operators;

import static dev.windlass.cli.testsupport.Edits.editStatus;
import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.ControllerListener.Outcome;
import dev.windlass.examples.hello.Hello;
import dev.windlass.examples.hello.HelloEntry;
import dev.windlass.manager.Manager;
import dev.windlass.testsupport.Logs;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A Hello whose Pod runs for ten seconds, asked for and heard of. */
final class HelloPodIT extends OnRealServer {

  private static final String NAME = "hello-sample";

  private final Logs said =
      closing(Logs.by(Level.DEBUG, "dev.windlass.controller.Controller", "controllers.Hello"));

  private void start(Function<Manager, ControllerBuilder<?>> variant) {
    Manager manager =
        closing(Manager.builder().client(operatorClient()).namespace(namespace).build());
    start(manager, variant);
    eventually().until(() -> manager.informers().existing(Pod.class).orElseThrow().hasSynced());
  }

  private Resource<Hello> hello() {
    return kubectl.resources(Hello.class).inNamespace(namespace).withName(NAME);
  }

  private PodResource pod() {
    return kubectl.pods().inNamespace(namespace).withName(NAME);
  }

  private void awaitPhase(String phase) {
    eventually().until(() -> phase.equals(hello().require().getStatus().getPhase()));
  }

  /** What the Pod's command prints, which is run here, as there is no kubelet. */
  private List<String> printedByThePod() throws Exception {
    List<String> command = pod().require().getSpec().getContainers().get(0).getCommand();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return printed.lines().toList();
  }

  /** As a kubelet reports it. */
  private void endThePod() {
    editStatus(pod(), pod -> pod.getStatus().setPhase("Succeeded"));
  }

  @Test
  void asksLessAndLessOftenUntilThePodHasEnded() throws Exception {
    start(HelloEntry::asking);
    kubectl.resource(HelloEntry.sample(namespace)).create();
    awaitPhase("Running");
    assertThat(printedByThePod()).containsExactly("Hello", "Hello", "Hello");
    // The twelfth look at a running Pod comes 10.2 s after the first, or a little later.
    eventually().until(() -> Collections.frequency(said.field("Phase"), "Running") == 11);
    endThePod();

    awaitPhase("Succeeded");
    eventually().until(() -> said.messages().contains("Done"));
    eventually().until(() -> runs.of(namespace + "/" + NAME, Outcome.DONE) == 3);
    assertThat(said.messagesWithFields())
        .filteredOn(line -> !line.endsWith(" workers"))
        .isEqualTo(thirtyTwoLines());
    List<String> phases = new ArrayList<>(Collections.nCopies(14, "Running"));
    phases.set(0, "Pending");
    phases.set(13, "Succeeded");
    assertThat(said.field("Phase")).isEqualTo(phases);
    assertThat(said.field("hello")).containsOnly(namespace + "/" + NAME);
    List<Long> times = said.times("Received request");
    for (int i = 0; i < 11; i++) {
      assertThat(times.get(i + 2) - times.get(i + 1))
          .as("wait %d", i)
          .isGreaterThanOrEqualTo(5L << i);
    }
    assertThat(requests.writes())
        .containsExactly("POST pods", "PUT hellos/status", "PUT hellos/status");

    // Its Pod goes with it.
    hello().delete();
    eventually().until(() -> hello().get() == null && pod().get() == null);
    assertThat(requests.of("DELETE pods")).isEmpty();
  }

  private static List<String> thirtyTwoLines() {
    List<String> lines = new ArrayList<>();
    for (int run = 1; run <= 14; run++) {
      lines.add("Received request");
      lines.add("Check phase");
      if (run == 14) {
        lines.add("Done");
      }
      if (run == 1 || run >= 13) {
        lines.add("Successfully Reconciled");
      }
    }
    assertThat(lines).hasSize(32);
    return lines;
  }

  @Test
  void hearsOfTheEndOfThePodThatItOwnsInFourRuns() throws Exception {
    start(HelloEntry::owning);
    kubectl.resource(HelloEntry.sample(namespace)).create();
    awaitPhase("Running");
    endThePod();

    awaitPhase("Succeeded");
    eventually().until(() -> said.messages().contains("Done"));
    eventually().until(() -> runs.of(namespace + "/" + NAME) == 4);
    assertThat(runs.of(namespace + "/" + NAME, Outcome.DONE)).isEqualTo(4);
    assertThat(said.field("Phase")).containsExactly("Pending", "Running", "Running", "Succeeded");
  }
}
