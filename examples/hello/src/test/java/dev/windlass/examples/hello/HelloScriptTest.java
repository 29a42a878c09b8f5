// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.behaviour.Proves;
import dev.windlass.controller.reconcile.ControllerListener.Outcome;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import dev.windlass.testing.apiserver.embedded.requests.RequestMatcher;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Replays the run that the original's document prints, millisecond by millisecond. This is
 * acceptance run R9 in docs/acceptance-runs.md.
 */
@Timeout(120)
final class HelloScriptTest {

  private static final String HELLOS = "hellos.myapp.whichxjy.com";

  /** The waits between the twelve runs that find the Hello running: 5 ms, doubled each time. */
  private static final List<Duration> BACK_OFFS =
      IntStream.range(0, 11).mapToObj(n -> Duration.ofMillis(5L << n)).toList();

  /** How long each of the 14 runs took in the document, in milliseconds; by its time stamps. */
  private static final List<Integer> TOOK = List.of(48, 108, 6, 5, 9, 11, 7, 9, 12, 9, 9, 18, 6, 0);

  private static List<String> writes(VirtualCluster cluster) {
    return cluster.server.requests().stream()
        .filter(request -> request.verb().isWrite() && !isOurs(request))
        .map(r -> r.verb() + " " + r.resource() + "/" + r.subresource())
        .toList();
  }

  /** Of the test and not of the operator: the Hello, and the end of the Pod. */
  private static boolean isOurs(RecordedRequest request) {
    return (request.resource().equals(HELLOS) && request.subresource().isEmpty())
        || (request.resource().equals("pods") && request.subresource().equals("status"))
        || request.resource().contains("selfsubject");
  }

  @Test
  @Proves({"003-54", "003-67", "003-85", "R9"})
  void asksAfter5MillisecondsAndThenTwiceAsLateEachTime() {
    try (VirtualCluster cluster = VirtualCluster.of(Variant.REQUEUE)) {
      cluster.createSample();
      cluster.awaitRuns(2);
      for (int i = 0; i < BACK_OFFS.size(); i++) {
        cluster.passBackOff(BACK_OFFS.get(i));
        cluster.awaitRuns(i + 3);
      }
      List<Long> starts = cluster.runs.starts();
      assertThat(starts).hasSize(13);
      assertThat(IntStream.range(2, 13).mapToLong(i -> starts.get(i) - starts.get(i - 1)))
          .containsExactlyElementsOf(BACK_OFFS.stream().map(Duration::toMillis).toList());
      assertThat(cluster.runs.ends()).startsWith(Outcome.DONE).endsWith(Outcome.REQUEUE);
    }
  }

  /** What was logged and written while a Pod ran for 10.3 s, and when each reconcile began. */
  private record Script(List<String> lines, List<Long> starts, List<String> writes) {}

  private static Script play() {
    try (HelloLines lines = HelloLines.record();
        VirtualCluster cluster = new VirtualCluster(Variant.REQUEUE, TOOK, true)) {
      Duration created = Duration.ofNanos(cluster.time.nanoTime());
      cluster.createSample();
      cluster.awaitRuns(2);
      for (int i = 0; i < 10; i++) {
        cluster.passBackOff(BACK_OFFS.get(i));
        cluster.awaitRuns(i + 3);
      }
      Duration elapsed = Duration.ofNanos(cluster.time.nanoTime()).minus(created);
      Duration untilTheEnd = Duration.ofMillis(10_300).minus(elapsed);
      cluster.time.advance(untilTheEnd);
      cluster.endPod(HelloPhase.SUCCEEDED);
      cluster.passBackOff(BACK_OFFS.get(10).minus(untilTheEnd));
      cluster.awaitRuns(14);
      return new Script(lines.ofReconciles(), cluster.runs.starts(), writes(cluster));
    }
  }

  @Test
  @Proves({"003-47", "003-48", "003-51", "003-82"})
  void printsThe32LinesOfTheDocument() {
    List<String> expected = new ArrayList<>(run("Pending", true));
    IntStream.range(0, 11).forEach(i -> expected.addAll(run("Running", false)));
    expected.addAll(run("Running", true));
    expected.addAll(run("Succeeded", true));
    expected.add(expected.size() - 1, line("INFO controllers.Hello Done", ""));
    assertThat(play().lines()).hasSize(32).isEqualTo(expected);
  }

  @Test
  @Proves({"003-55", "003-83", "003-84", "003-87"})
  void passesThroughThePhasesInTheOrderOfTheDocument() {
    Script script = play();
    assertThat(
            script.lines().stream()
                .filter(line -> line.contains("Check phase"))
                .map(line -> line.replaceAll(".*\"Phase\": \"(\\w+)\".*", "$1")))
        .startsWith("Pending", "Running")
        .endsWith("Running", "Succeeded")
        .hasSize(14)
        .filteredOn("Running"::equals)
        .hasSize(12);
    // 05:44:01.712, .760, .873, .889, .914, .963, 02.054, .221, .550, 03.202, 04.491, 07.060,
    // 12.198, 12.204: the second and the last follow the status write at once.
    assertThat(script.starts())
        .containsExactlyElementsOf(
            LongStream.of(0, 48, 161, 177, 202, 251, 342, 509, 838, 1490, 2779, 5348, 10486, 10492)
                .boxed()
                .toList());
    assertThat(script.writes())
        .containsExactly(
            "CREATE pods/", "UPDATE " + HELLOS + "/status", "UPDATE " + HELLOS + "/status");
  }

  /** The lines of one run. */
  private static List<String> run(String phase, boolean done) {
    List<String> lines = new ArrayList<>();
    lines.add(
        line(
            "INFO controllers.Hello Received request",
            ", \"Namespace\": \"default\", \"Name\": \"hello-sample\""));
    lines.add(line("INFO controllers.Hello Check phase", ", \"Phase\": \"" + phase + "\""));
    if (done) {
      lines.add(
          "DEBUG dev.windlass.controller.Controller Successfully Reconciled"
              + " {\"controller\": \"hello\", \"request\": \"default/hello-sample\"}");
    }
    return lines;
  }

  private static String line(String columns, String fields) {
    return columns + " {\"hello\": \"default/hello-sample\"" + fields + "}";
  }

  /** What ended 85 ms after a run is found out 5 s later. */
  @Test
  @Proves("003-88")
  void noticesTheEndOfThePodLateIfItAsks() {
    try (VirtualCluster cluster = VirtualCluster.of(Variant.REQUEUE)) {
      cluster.createSample();
      cluster.awaitRuns(2);
      for (int i = 0; i < 10; i++) {
        cluster.passBackOff(BACK_OFFS.get(i));
        cluster.awaitRuns(i + 3);
      }
      cluster.time.advance(Duration.ofMillis(85));
      cluster.endPod(HelloPhase.SUCCEEDED);
      cluster.time.advance(Duration.ofMillis(5034));
      assertThat(cluster.phase()).isEqualTo("Running");
      assertThat(cluster.runs.ends()).hasSize(12);
      cluster.time.advance(Duration.ofMillis(1));
      cluster.awaitRuns(14);
      assertThat(cluster.phase()).isEqualTo("Succeeded");
    }
  }

  /** No time passes, and four runs are enough. */
  @Test
  @Proves({"003-72", "003-88"})
  void noticesTheEndOfThePodAtOnceIfItOwnsIt() {
    try (VirtualCluster cluster = VirtualCluster.of(Variant.OWNS)) {
      cluster.createSample();
      cluster.awaitRuns(2);
      cluster.endPod(HelloPhase.SUCCEEDED);
      cluster.awaitRuns(4);
      assertThat(cluster.phase()).isEqualTo("Succeeded");
      assertThat(cluster.runs.ends()).containsOnly(Outcome.DONE).hasSize(4);
      assertThat(cluster.runs.starts()).containsExactly(0L, 0L, 0L, 0L);
    }
  }

  /** A conflict costs 5 ms, and no second Pod. */
  @Test
  @Proves("003-53")
  void triesAStatusAgainThatSomebodyElseHasChanged() {
    try (HelloLines lines = HelloLines.record();
        VirtualCluster cluster = VirtualCluster.of(Variant.REQUEUE)) {
      cluster.server.fail(status(), 409, 1);
      cluster.createSample();
      cluster.awaitRuns(1);
      assertThat(lines.errors()).containsExactly("Fail to update hello status");
      assertThat(cluster.phase()).isEqualTo("null");
      cluster.passBackOff(Duration.ofMillis(5));
      cluster.awaitRuns(3);
      assertThat(cluster.phase()).isEqualTo("Running");
      assertThat(writes(cluster))
          .containsExactly(
              "CREATE pods/",
              "UPDATE " + HELLOS + "/status",
              "CREATE pods/",
              "UPDATE " + HELLOS + "/status");
    }
  }

  /** Deleted between the read and the write: that is no failure. */
  @ParameterizedTest
  @EnumSource
  @Proves("003-49")
  void isDoneWithAHelloThatIsGoneBeforeItsPhaseIsWritten(Variant variant) {
    try (HelloLines lines = HelloLines.record();
        VirtualCluster cluster = VirtualCluster.of(variant)) {
      cluster.server.fail(status(), 404, 1);
      cluster.createSample();
      cluster.awaitRuns(1);
      assertThat(writes(cluster)).endsWith("UPDATE " + HELLOS + "/status");
      assertThat(cluster.runs.ends()).containsExactly(Outcome.DONE);
      assertThat(lines.errors()).isEmpty();
    }
  }

  /** The cache hears of the end of a Pod before it hears of that of its Hello. */
  @ParameterizedTest
  @CsvSource({"true, ''", "false, Fail to get pod"})
  @Proves("003-49")
  void missesThePodOnlyWhileTheHelloIsThere(boolean gone, String error) {
    try (HelloLines lines = HelloLines.record();
        VirtualCluster cluster = VirtualCluster.of(Variant.REQUEUE)) {
      cluster.createSample();
      cluster.awaitRuns(2);
      cluster.deletePod();
      if (gone) {
        cluster.server.fail(RequestMatcher.of(Verb.GET, HELLOS), 404, 1);
      }
      cluster.passBackOff(BACK_OFFS.get(0));
      cluster.awaitRuns(3);
      assertThat(lines.errors().stream().findFirst().orElse("")).isEqualTo(error);
      assertThat(cluster.runs.ends()).last().isEqualTo(gone ? Outcome.REQUEUE : Outcome.ERROR);
    }
  }

  private static RequestMatcher status() {
    RequestMatcher updates = RequestMatcher.of(Verb.UPDATE, HELLOS);
    return request -> updates.matches(request) && request.subresource().equals("status");
  }

  /** No Pod, no phase. */
  @Test
  @Proves("003-57")
  void leavesThePhaseAloneIfThereMayBeNoPod() {
    try (HelloLines lines = HelloLines.record();
        VirtualCluster cluster = VirtualCluster.of(Variant.REQUEUE)) {
      cluster.server.fail(RequestMatcher.of(Verb.CREATE, "pods"), 403, 1);
      cluster.createSample();
      cluster.awaitRuns(1);
      assertThat(lines.errors()).first().isEqualTo("Fail to create pod");
      assertThat(writes(cluster)).containsExactly("CREATE pods/");
      cluster.passBackOff(Duration.ofMillis(5));
      cluster.awaitRuns(3);
      assertThat(cluster.phase()).isEqualTo("Running");
    }
  }

  /** Nor does the server make news of a write that changes nothing. */
  @Test
  @Proves("003-86")
  void isNotWokenByAStatusThatStaysAsItWas() {
    try (VirtualCluster cluster = new VirtualCluster(Variant.REQUEUE, List.of(), false)) {
      cluster.createSample();
      cluster.awaitRuns(2);
      cluster.passBackOff(BACK_OFFS.get(0));
      cluster.awaitRuns(3);
      cluster.passBackOff(BACK_OFFS.get(1));
      cluster.awaitRuns(4);
      cluster.endPod(HelloPhase.SUCCEEDED);
      cluster.passBackOff(BACK_OFFS.get(2));
      cluster.awaitRuns(6);
      assertThat(writes(cluster)).filteredOn(w -> w.endsWith("/status")).hasSize(5);
      assertThat(cluster.runs.ends())
          .containsExactly(
              Outcome.DONE,
              Outcome.REQUEUE,
              Outcome.REQUEUE,
              Outcome.REQUEUE,
              Outcome.DONE,
              Outcome.DONE);
    }
  }
}
