// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.Client;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.apiserver.embedded.requests.RequestMatcher;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import dev.windlass.testing.client.FakeClient;
import dev.windlass.testing.reconciler.CrashAtEveryWrite;
import dev.windlass.testing.reconciler.DropEvents;
import dev.windlass.testing.reconciler.StaleCache;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** How both variants of the Hello operator lead a Hello through its phases, on virtual time. */
final class HelloTest {

  private static final String NAME = HelloFixture.NAME;
  private static final String HELLOS = "hellos.myapp.whichxjy.com";
  private static final String CREATE = "create pods default/hello-sample";
  private static final String STATUS = "update " + HELLOS + "/status default/hello-sample";
  private static final RequestMatcher STATUS_UPDATE =
      request -> request.verb() == Verb.UPDATE && request.subresource().equals("status");

  @ParameterizedTest
  @EnumSource
  void createsThePodOfANewHello(Variant variant) {
    try (HelloFixture hellos = HelloFixture.of(variant)) {
      Hello hello = hellos.create();
      hellos.test.reconcile().assertWrites(CREATE, STATUS);
      assertThat(hellos.status(NAME).getPhase()).isEqualTo("Running");
      OwnerReference owner =
          hellos.pod(NAME).orElseThrow().getMetadata().getOwnerReferences().get(0);
      assertThat(owner.getApiVersion()).isEqualTo("myapp.whichxjy.com/v1");
      assertThat(owner.getKind()).isEqualTo("Hello");
      assertThat(owner.getName()).isEqualTo(NAME);
      assertThat(owner.getUid()).isEqualTo(hello.getMetadata().getUid());
      assertThat(owner.getController()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void runsTheContainerOfTheOriginal(Variant variant) {
    try (HelloFixture hellos = HelloFixture.of(variant)) {
      hellos.createRunning();
      Pod pod = hellos.pod(NAME).orElseThrow();
      assertThat(pod.getSpec().getRestartPolicy()).isEqualTo("OnFailure");
      assertThat(pod.getSpec().getContainers()).hasSize(1);
      Container container = pod.getSpec().getContainers().get(0);
      assertThat(container.getName()).isEqualTo("ubuntu");
      assertThat(container.getImage()).isEqualTo("ubuntu");
      assertThat(container.getCommand())
          .containsExactly("/bin/sh", "-c", "seq 3 | xargs -I{} echo \"Hello\"");
    }
  }

  @ParameterizedTest
  @EnumSource
  void followsThePodToItsEnd(Variant variant) {
    try (HelloFixture hellos = HelloFixture.of(variant)) {
      hellos.createRunning();
      hellos.endPod(HelloPhase.SUCCEEDED);
      hellos.test.assertEventuallyStable();
      assertThat(hellos.status(NAME).getPhase()).isEqualTo("Succeeded");
      assertThat(hellos.lines.count("Check phase", "Pending")).isEqualTo(1);
      assertThat(hellos.lines.count("Done", NAME)).isPositive();
      assertThat(hellos.writes()).containsExactly(CREATE, STATUS, STATUS);
    }
  }

  /** The next Pod waits for the end of the last, which has the same name. */
  @ParameterizedTest
  @EnumSource
  void startsAgainWhenThePodHasFailed(Variant variant) {
    try (HelloFixture hellos = HelloFixture.of(variant)) {
      hellos.createRunning();
      String first = hellos.podUid();
      Pods.hold(hellos.test.kubernetesClient(), "default", NAME);
      hellos.endPod(HelloPhase.FAILED);
      hellos.test.advance(Duration.ofMinutes(1));
      assertThat(hellos.status(NAME).getPhase()).isEqualTo("Pending");
      assertThat(HelloPods.isEnding(hellos.pod(NAME).orElseThrow())).isTrue();
      assertThat(hellos.lines.count("Check phase", "Pending")).isGreaterThan(1);
      assertThat(hellos.lines.errors().contains("Fail to create pod"))
          .isEqualTo(variant == Variant.REQUEUE);

      Pods.release(hellos.test.kubernetesClient(), "default", NAME);

      hellos.test.advance(Duration.ofMinutes(2));
      assertThat(hellos.status(NAME).getPhase()).isEqualTo("Running");
      assertThat(hellos.podUid()).isNotEqualTo(first);
      assertThat(hellos.lines.count("Check phase", "Failed")).isEqualTo(1);
      assertThat(hellos.outcomes().contains("error")).isEqualTo(variant == Variant.REQUEUE);
    }
  }

  /** A Pod that an earlier reconcile created, but did not report, is used. */
  @ParameterizedTest
  @EnumSource
  void takesThePodThatItHasStartedBefore(Variant variant) {
    try (HelloFixture hellos = HelloFixture.of(variant)) {
      hellos.createRunning();
      String first = hellos.podUid();
      hellos.writePhase("Pending");
      hellos.awaitPhase("Running");
      assertThat(hellos.podUid()).isEqualTo(first);
    }
  }

  /** Another owner's Pod is neither used nor deleted. */
  @ParameterizedTest
  @EnumSource
  void leavesAPodAloneThatIsNotItsOwn(Variant variant) {
    try (HelloFixture hellos = HelloFixture.of(variant)) {
      Pod wanted = HelloPods.wanted(HelloArtifacts.sample("default"));
      Pod foreign = hellos.test.create(new PodBuilder(wanted).build());
      hellos.create();
      hellos.test.advance(Duration.ofSeconds(1));
      assertThat(hellos.lines.count("Check phase", "Pending")).isGreaterThan(2);
      assertThat(hellos.status(NAME).getPhase()).isNull();
      hellos.writePhase("Failed");
      hellos.awaitPhase("Pending");
      assertThat(hellos.podUid()).isEqualTo(foreign.getMetadata().getUid());
      hellos.deletePod();
      hellos.awaitPhase("Running");
    }
  }

  /** Without an error; the garbage collector deletes the Pod. */
  @ParameterizedTest
  @EnumSource
  void isDoneWithAHelloThatIsGone(Variant variant) {
    try (HelloFixture hellos = HelloFixture.of(variant)) {
      hellos.createRunning();
      hellos.test.delete(Hello.class, "default", NAME);
      hellos.test.assertEventuallyStable();
      assertThat(hellos.pod(NAME)).isEmpty();
      assertThat(hellos.lines.count("Received request", NAME))
          .isGreaterThan(hellos.lines.count("Check phase", NAME));
      assertThat(hellos.lines.errors()).isEmpty();
      assertThat(hellos.writes()).containsExactly(CREATE, STATUS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void refusesAPhaseThatItDoesNotKnow(Variant variant) {
    try (HelloFixture hellos = HelloFixture.of(variant)) {
      hellos.createRunning();
      hellos.writePhase("X");
      hellos.test.advance(Duration.ofSeconds(1));
      assertThat(hellos.lines.errors()).filteredOn("Invalid phase"::equals).hasSizeGreaterThan(2);
      assertThat(hellos.lines.count("Check phase", "\"X\"")).isGreaterThan(2);
      hellos.writePhase("Running");
      hellos.endPod(HelloPhase.SUCCEEDED);
      hellos.awaitPhase("Succeeded");
    }
  }

  /** Only the variant that owns its Pods replaces a Pod that was deleted. */
  @ParameterizedTest
  @CsvSource({"REQUEUE, false", "OWNS, true"})
  void replacesAPodThatSomebodyHasDeletedOnlyIfItOwnsIt(Variant variant, boolean replaces) {
    try (HelloFixture hellos = HelloFixture.of(variant)) {
      hellos.createRunning();
      hellos.deletePod();
      hellos.test.advance(Duration.ofSeconds(1));
      assertThat(hellos.status(NAME).getPhase()).isEqualTo("Running");
      assertThat(hellos.pod(NAME).isPresent()).isEqualTo(replaces);
      assertThat(hellos.lines.errors().contains("Fail to get pod")).isEqualTo(!replaces);
      assertThat(hellos.outcomes().contains("error")).isEqualTo(!replaces);
    }
  }

  /** A Pod that runs for 10.3 s. */
  private static void play(HelloFixture hellos) {
    hellos.createRunning();
    hellos.advanceToSecondReconcilePlus(Duration.ofMillis(10_234));
    assertThat(hellos.starts()).as("at 5 ms, and then twice as late each time").hasSize(12);
    hellos.endPod(HelloPhase.SUCCEEDED);
    hellos.awaitPhase("Succeeded");
    hellos.test.advance(Duration.ofSeconds(1));
  }

  /** The waits between the twelve runs that find the Hello running: 5 ms, doubled each time. */
  @Test
  void asksAfter5MillisecondsAndThenTwiceAsLateEachTime() {
    try (HelloFixture hellos = HelloFixture.of(Variant.REQUEUE)) {
      play(hellos);
      List<Long> starts = hellos.starts();
      for (int i = 0; i < 11; i++) {
        assertThat(starts.get(i + 2) - starts.get(i + 1)).as("wait %d", i).isEqualTo(5L << i);
      }
      assertThat(hellos.outcomes())
          .hasSize(14)
          .startsWith("success", "requeue")
          .endsWith("requeue", "success", "success");
    }
  }

  @Test
  void printsThe32LinesOfTheDocument() {
    try (HelloFixture hellos = HelloFixture.of(Variant.REQUEUE)) {
      play(hellos);
      String received =
          line(
              "INFO controllers.Hello Received request",
              ", \"Namespace\": \"default\", \"Name\": \"hello-sample\"");
      String reconciled =
          "DEBUG dev.windlass.controller.Controller Successfully Reconciled"
              + " {\"controller\": \"hello\", \"request\": \"default/hello-sample\"}";
      List<String> lines = hellos.lines.ofReconciles();
      assertThat(lines)
          .hasSize(32)
          .startsWith(received, phase("Pending"), reconciled, received, phase("Running"), received)
          .endsWith(
              received,
              phase("Running"),
              reconciled,
              received,
              phase("Succeeded"),
              line("INFO controllers.Hello Done", ""),
              reconciled);
      assertThat(lines).filteredOn(received::equals).hasSize(14);
    }
  }

  private static String phase(String phase) {
    return line("INFO controllers.Hello Check phase", ", \"Phase\": \"" + phase + "\"");
  }

  private static String line(String columns, String fields) {
    return columns + " {\"hello\": \"default/hello-sample\"" + fields + "}";
  }

  @Test
  void passesThroughThePhasesInTheOrderOfTheDocument() {
    try (HelloFixture hellos = HelloFixture.of(Variant.REQUEUE)) {
      play(hellos);
      assertThat(hellos.lines.ofReconciles())
          .filteredOn(line -> line.contains("Check phase"))
          .startsWith(phase("Pending"))
          .endsWith(phase("Succeeded"))
          .hasSize(14)
          .filteredOn(phase("Running")::equals)
          .hasSize(12);
      assertThat(hellos.starts().get(1)).as("right after the write of the status").isEqualTo(2L);
      assertThat(hellos.writes()).containsExactly(CREATE, STATUS, STATUS);
    }
  }

  /** A Pod that ends right after a reconcile is found out 5 s later. */
  @Test
  void noticesTheEndOfThePodLateIfItAsks() {
    try (HelloFixture hellos = HelloFixture.of(Variant.REQUEUE)) {
      hellos.createRunning();
      hellos.advanceToSecondReconcilePlus(Duration.ofMillis(5_200));
      assertThat(hellos.starts()).hasSize(12);
      hellos.endPod(HelloPhase.SUCCEEDED);
      hellos.test.advance(Duration.ofMillis(4_900));
      assertThat(hellos.status(NAME).getPhase()).isEqualTo("Running");
      hellos.test.advance(Duration.ofMillis(300));
      assertThat(hellos.status(NAME).getPhase()).isEqualTo("Succeeded");
    }
  }

  /** No time passes, and four runs are enough. */
  @Test
  void noticesTheEndOfThePodAtOnceIfItOwnsIt() {
    try (HelloFixture hellos = HelloFixture.of(Variant.OWNS)) {
      hellos.createRunning();
      hellos.endPod(HelloPhase.SUCCEEDED);
      hellos.test.advance(Duration.ZERO);
      assertThat(hellos.status(NAME).getPhase()).isEqualTo("Succeeded");
      assertThat(hellos.outcomes()).isEqualTo(Collections.nCopies(4, "success"));
    }
  }

  /** A conflict costs 5 ms, and no second Pod. */
  @Test
  void triesAStatusAgainThatSomebodyElseHasChanged() {
    try (HelloFixture hellos = HelloFixture.of(Variant.REQUEUE)) {
      hellos.test.server().fail(STATUS_UPDATE, 409, 1);
      hellos.create();
      hellos.test.reconcile();
      assertThat(hellos.lines.errors()).containsExactly("Fail to update hello status");
      assertThat(hellos.status(NAME).getPhase()).isNull();
      hellos.test.reconcile().assertWrites(STATUS);
      assertThat(hellos.status(NAME).getPhase()).isEqualTo("Running");
      assertThat(hellos.writes()).containsExactly(CREATE, STATUS);
    }
  }

  /** A Hello that is deleted between the read and the write is no failure. */
  @ParameterizedTest
  @EnumSource
  void isDoneWithAHelloThatIsGoneBeforeItsPhaseIsWritten(Variant variant) {
    try (HelloFixture hellos = HelloFixture.of(variant)) {
      hellos.test.server().fail(STATUS_UPDATE, 404, 1);
      hellos.test.server().fail(RequestMatcher.of(Verb.GET, HELLOS), 404, 1); // looked for again
      hellos.create();
      hellos.test.reconcile().assertWrites(CREATE);
      assertThat(hellos.lines.errors()).isEmpty();
    }
  }

  /** The cache may learn of the end of a Pod before it learns of the end of its Hello. */
  @ParameterizedTest
  @CsvSource({"true, requeue", "false, error"})
  void missesThePodOnlyWhileTheHelloIsThere(boolean gone, String outcome) {
    try (HelloFixture hellos = HelloFixture.of(Variant.REQUEUE)) {
      hellos.createRunning();
      hellos.deletePod();
      if (gone) {
        hellos.test.server().fail(RequestMatcher.of(Verb.GET, HELLOS), 404, 1);
      }
      assertThat(hellos.test.reconcile().outcome()).isEqualTo(outcome);
      assertThat(hellos.lines.errors().contains("Fail to get pod")).isEqualTo(!gone);
    }
  }

  @Test
  void leavesThePhaseAloneIfThereMayBeNoPod() {
    try (HelloFixture hellos = HelloFixture.of(Variant.REQUEUE)) {
      hellos.test.server().fail(RequestMatcher.of(Verb.CREATE, "pods"), 403, 1);
      hellos.create();
      assertThat(hellos.test.reconcile().writes()).isEmpty();
      assertThat(hellos.lines.errors()).first().isEqualTo("Fail to create pod");
      hellos.test.reconcile().assertWrites(CREATE, STATUS);
    }
  }

  /** The server sends no event for a write that changes nothing. */
  @Test
  void isNotWokenByAStatusThatStaysAsItWas() {
    try (HelloFixture hellos = HelloFixture.of(Variant.REQUEUE)) {
      hellos.test.withManager(builder -> builder.skipNoOpWrites(false));
      hellos.createRunning();
      hellos.test.advance(Duration.ofSeconds(5));
      List<Long> starts = hellos.starts();
      assertThat(hellos.writes()).filteredOn(STATUS::equals).hasSize(starts.size());
      for (int i = 2; i < starts.size(); i++) {
        assertThat(starts.get(i) - starts.get(i - 1)).as("wait %d", i).isEqualTo(1 + (5L << i - 2));
      }
    }
  }

  @Test
  void takesAnotherHelloOfTheSameNameForNoneOfItsOwn() {
    Client client = FakeClient.of(HelloArtifacts.sample("default"));
    HelloStore store = new HelloStore(client);
    Hello first = client.get(HelloArtifacts.sample("default")).orElseThrow();
    assertThat(store.isGone(first)).isFalse();
    client.delete(Hello.class, ObjectKey.of(first));
    assertThat(store.isGone(first)).isTrue();
    Hello second = client.create(HelloArtifacts.sample("default"));
    assertThat(store.isGone(first)).isTrue();
    assertThat(store.isGone(second)).isFalse();
  }

  @CrashAtEveryWrite
  @StaleCache
  @DropEvents
  void comesToTheSameEndWhateverFails() {
    try (HelloFixture hellos = HelloFixture.of(Variant.OWNS)) {
      hellos.create();
      hellos.test.advance(Duration.ofMinutes(1));
      hellos.endPod(HelloPhase.SUCCEEDED);
      hellos.test.assertEventuallyStable();
      assertThat(hellos.status(NAME).getPhase()).isEqualTo("Succeeded");
    }
  }
}
