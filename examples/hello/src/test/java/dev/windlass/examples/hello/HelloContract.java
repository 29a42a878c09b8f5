// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.windlass.behaviour.Proves;
import dev.windlass.controller.reconcile.ControllerListener.Outcome;
import dev.windlass.examples.cli.testing.Edits;
import dev.windlass.examples.cli.testing.LooseCrd;
import dev.windlass.manager.Manager;
import dev.windlass.testing.rbac.UsedPermissions;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What both variants of the Hello operator promise, and in what they differ, on any API server. */
abstract class HelloContract extends HelloHarness {

  private static final String NAME = "hello-sample";

  private final UsedPermissions used = new UsedPermissions();
  @AutoClose private final HelloLines lines = HelloLines.record();

  @Override
  KubernetesClient newOperatorClient() {
    return used.client(server().clientConfig());
  }

  private Manager start(Variant variant) {
    return start(variant, (request, outcome, took) -> {});
  }

  private Hello create() {
    return kubectl.resource(HelloArtifacts.sample(namespace)).create();
  }

  private Resource<Hello> hello() {
    return kubectl.resources(Hello.class).inNamespace(namespace).withName(NAME);
  }

  private @Nullable Pod pod() {
    return Pods.get(kubectl, namespace, NAME);
  }

  private Pod awaitPod() {
    eventually().until(() -> pod() != null);
    return Objects.requireNonNull(pod());
  }

  private void awaitPhase(String phase) {
    eventually().until(() -> phase.equals(hello().require().getStatus().getPhase()));
  }

  private void end(HelloPhase phase) {
    Pods.end(kubectl, namespace, NAME, phase);
  }

  private void writePhase(String phase) {
    hello()
        .subresource("status")
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":{\"phase\":\"" + phase + "\"}}");
  }

  @ParameterizedTest
  @EnumSource
  @Proves({"003-56", "003-58", "003-59"})
  void createsThePodOfANewHello(Variant variant) {
    start(variant);
    Hello hello = create();
    awaitPhase("Running");

    OwnerReference owner = awaitPod().getMetadata().getOwnerReferences().get(0);
    assertThat(owner.getApiVersion()).isEqualTo("myapp.whichxjy.com/v1");
    assertThat(owner.getKind()).isEqualTo("Hello");
    assertThat(owner.getName()).isEqualTo(NAME);
    assertThat(owner.getUid()).isEqualTo(hello.getMetadata().getUid());
    assertThat(owner.getController()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  @Proves({"003-60", "003-62"})
  void runsTheContainerOfTheOriginal(Variant variant) {
    start(variant);
    create();

    Pod pod = awaitPod();
    assertThat(pod.getSpec().getRestartPolicy()).isEqualTo("OnFailure");
    assertThat(pod.getSpec().getContainers()).hasSize(1);
    Container container = pod.getSpec().getContainers().get(0);
    assertThat(container.getName()).isEqualTo("ubuntu");
    assertThat(container.getImage()).isEqualTo("ubuntu");
    assertThat(container.getCommand())
        .containsExactly("/bin/sh", "-c", "seq 3 | xargs -I{} echo \"Hello\"");
  }

  /** What is done stays as it is, and needs no right that is not said. */
  @ParameterizedTest
  @EnumSource
  @Proves({"003-50", "003-65", "003-68"})
  void followsThePodToItsEnd(Variant variant) {
    Manager started = start(variant);
    create();
    awaitPhase("Running");
    end(HelloPhase.SUCCEEDED);
    awaitPhase("Succeeded");
    eventually().until(() -> lines.count("Done", namespace) == 1);
    assertThat(lines.count("Check phase", "Pending")).isEqualTo(1);
    assertThat(lines.count("Check phase", "Succeeded")).isEqualTo(1);
    assertThat(hello().require().getStatus().getPhase()).isEqualTo("Succeeded");
    assertThat(used.tooShort(started.rbac())).isEmpty();
  }

  /** And the next Pod waits for the last, whose name it has. */
  @ParameterizedTest
  @EnumSource
  @Proves({"003-46", "003-66", "003-69", "003-71"})
  void startsAgainWhenThePodHasFailed(Variant variant) {
    start(variant);
    create();
    awaitPhase("Running");
    String first = awaitPod().getMetadata().getUid();
    Pods.hold(kubectl, namespace, NAME);
    end(HelloPhase.FAILED);
    eventually().until(() -> HelloPods.isEnding(awaitPod()));
    eventually().until(() -> lines.count("Check phase", "Pending") > 1);
    if (variant == Variant.REQUEUE) {
      eventually().until(() -> lines.errors().contains("Fail to create pod"));
    }
    awaitPhase("Pending");
    assertThat(awaitPod().getMetadata().getUid()).isEqualTo(first);

    Pods.release(kubectl, namespace, NAME);

    awaitPhase("Running");
    assertThat(awaitPod().getMetadata().getUid()).isNotEqualTo(first);
    assertThat(lines.count("Check phase", "Failed")).isEqualTo(1);
    end(HelloPhase.SUCCEEDED);
    awaitPhase("Succeeded");
    if (variant == Variant.OWNS) {
      assertThat(lines.failedRuns()).isEmpty();
    }
  }

  /** The Pod of a run that could not say so is not in the way of the next. */
  @ParameterizedTest
  @EnumSource
  @Proves("003-53")
  void takesThePodThatItHasStartedBefore(Variant variant) {
    start(variant);
    create();
    awaitPhase("Running");
    String first = awaitPod().getMetadata().getUid();
    writePhase("Pending");
    awaitPhase("Running");
    assertThat(awaitPod().getMetadata().getUid()).isEqualTo(first);
  }

  /** Nobody else's Pod is taken or deleted, only waited for. */
  @ParameterizedTest
  @EnumSource
  @Proves("003-70")
  void leavesAPodAloneThatIsNotItsOwn(Variant variant) {
    start(variant);
    Pod foreign =
        kubectl
            .resource(
                new PodBuilder()
                    .withNewMetadata()
                    .withNamespace(namespace)
                    .withName(NAME)
                    .endMetadata()
                    .withNewSpec()
                    .addNewContainer()
                    .withName("c")
                    .withImage("i")
                    .endContainer()
                    .endSpec()
                    .build())
            .create();
    create();
    eventually().until(() -> lines.count("Check phase", "Pending") > 2);
    assertThat(hello().require().getStatus().getPhase()).isNull();
    writePhase("Failed");
    awaitPhase("Pending");
    assertThat(awaitPod().getMetadata().getUid()).isEqualTo(foreign.getMetadata().getUid());
    kubectl.resource(foreign).withGracePeriod(0).delete();
    awaitPhase("Running");
  }

  /** One line, no failure; and where there is a garbage collector, no Pod. */
  @ParameterizedTest
  @EnumSource
  @Proves({"003-49", "003-90"})
  void isDoneWithAHelloThatIsGone(Variant variant) {
    start(variant);
    create();
    awaitPhase("Running");
    int before = lines.times("Received request").size();
    hello().delete();
    eventually().until(() -> hello().get() == null);
    if (server().capabilities().garbageCollection()) {
      eventually().until(() -> pod() == null);
    }
    eventually()
        .until(
            () ->
                lines.times("Received request").size() > before
                    && lines.count("Check phase", namespace)
                        < lines.count("Received request", namespace));
    assertThat(lines.errors()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  @Proves("003-52")
  void refusesAPhaseThatItDoesNotKnow(Variant variant) {
    start(variant);
    create();
    awaitPhase("Running");
    writePhase("X");
    eventually().until(() -> lines.errors().stream().filter("Invalid phase"::equals).count() > 2);
    assertThat(lines.count("Check phase", "\"X\"")).isGreaterThan(2);
    writePhase("Running");
    end(HelloPhase.SUCCEEDED);
    awaitPhase("Succeeded");
  }

  /** Only the variant that owns its Pods replaces a Pod that was deleted. */
  @ParameterizedTest
  @CsvSource({"REQUEUE, false", "OWNS, true"})
  @Proves("003-64")
  void replacesAPodThatSomebodyHasDeletedOnlyIfItOwnsIt(Variant variant, boolean replaces) {
    start(variant);
    create();
    awaitPhase("Running");
    Pod first = awaitPod();
    kubectl.resource(first).withGracePeriod(0).delete();
    if (replaces) {
      eventually().until(() -> Edits.isAnother(pod(), first));
      awaitPhase("Running");
      assertThat(lines.failedRuns()).isEmpty();
    } else {
      eventually()
          .until(() -> lines.errors().stream().filter("Fail to get pod"::equals).count() > 2);
      assertThat(pod()).isNull();
      assertThat(hello().require().getStatus().getPhase()).isEqualTo("Running");
    }
  }

  /** What becomes of Hellos that can't be had: the operator says what to do, once, and goes on. */
  @Nested
  final class OnBadHellos {

    private static final String BAD = "bad";
    private static final String GOOD = "good";

    private final List<String> runs = new CopyOnWriteArrayList<>();
    private LooseCrd hellos;

    @BeforeEach
    void knowsTheCrd() {
      hellos = new LooseCrd(kubectl, HelloArtifacts.crd(), namespace);
    }

    @AfterEach
    void restoresTheCrd() {
      hellos.restore();
    }

    private void begin(Variant variant) {
      start(variant, (request, outcome, took) -> hear(request.name(), outcome));
    }

    private void hear(String name, Outcome outcome) {
      runs.add(name + " " + outcome);
    }

    private HelloStatus status(String name) {
      return kubectl
          .resources(Hello.class)
          .inNamespace(namespace)
          .withName(name)
          .require()
          .getStatus();
    }

    private void awaitRunning(String name) {
      eventually().until(() -> "Running".equals(status(name).getPhase()));
      assertThat(Pods.get(kubectl, namespace, name)).isNotNull();
      assertThat(status(name).getConditions()).isEmpty();
    }

    private long runsOf(String name) {
      return runs.stream().filter(run -> run.startsWith(name + " ")).count();
    }

    /** Looks at the bad one once more, and at a good one. */
    private void isToldByOneEvent(String reason, String note) {
      eventually()
          .untilAsserted(
              () ->
                  assertThat(hellos.warnings(BAD))
                      .extracting(Event::getReason, Event::getNote)
                      .containsExactly(tuple(reason, note)));
      hellos.object(GOOD, ",\"spec\":{\"helloTimes\":3}").create();
      awaitRunning(GOOD);
      long before = runsOf(BAD);
      hellos.patch(BAD, "{\"metadata\":{\"labels\":{\"seen\":\"2\"}}}");
      eventually().until(() -> runsOf(BAD) > before);
      hellos.object("next", ",\"spec\":{\"helloTimes\":-7}").create();
      eventually().until(() -> !hellos.warnings("next").isEmpty()); // sent after all of the bad one
      assertThat(hellos.warnings(BAD)).hasSize(1);
      assertThat(hellos.warnings(BAD).get(0).getSeries()).as("once").isNull();
      assertThat(hellos.warnings(GOOD)).isEmpty();
      assertThat(Pods.get(kubectl, namespace, BAD)).isNull();
    }

    private void isCuredBy(String times) {
      hellos.patch(BAD, "{\"spec\":{\"helloTimes\":" + times + "}}");
      awaitRunning(BAD);
      assertThat(
              Objects.requireNonNull(Pods.get(kubectl, namespace, BAD))
                  .getSpec()
                  .getContainers()
                  .get(0)
                  .getCommand())
          .last()
          .isEqualTo("seq " + times + " | xargs -I{} echo \"Hello\"");
      assertThat(hellos.warnings(BAD)).as("no more").hasSize(1);
    }

    /** Once, by a condition and an Event, and no Pod. */
    @ParameterizedTest
    @EnumSource
    void mayAskForLessThanNothing(Variant variant) {
      hellos.acceptEverything();
      begin(variant);
      hellos.createAsSoonAsAccepted(BAD, ",\"spec\":{\"helloTimes\":-1}");
      String message = "spec.helloTimes is -1: use zero or more";
      isToldByOneEvent("InvalidTimes", message);
      assertThat(status(BAD).getPhase()).isNull();
      assertThat(status(BAD).getConditions())
          .extracting(
              Condition::getType, Condition::getStatus, Condition::getReason, Condition::getMessage)
          .containsExactly(tuple("Stalled", "True", "InvalidTimes", message));
      assertThat(runs).as("not tried again").doesNotContain(BAD + " ERROR");
      isCuredBy("2");
    }

    /** A Hello without a specification asks for no line, which is no mistake. */
    @ParameterizedTest
    @CsvSource(
        quoteCharacter = '`',
        value = {"``", "`,\"spec\":{}`", "`,\"spec\":null`"})
    void mayHaveNoSpecification(String fields) {
      hellos.acceptEverything();
      begin(Variant.OWNS);
      hellos.createAsSoonAsAccepted(BAD, fields);
      awaitRunning(BAD);
      assertThat(hellos.warnings(BAD)).isEmpty();
    }
  }
}
