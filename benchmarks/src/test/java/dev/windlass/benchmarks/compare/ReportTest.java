// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {

  private static final Options OPTIONS =
      Options.parse("--scenarios", "restart", "--objects", "1000", "--rounds", "1");
  private static final List<Peer> PEERS =
      List.of(
          new Peer("windlass", "windlass", false, Peer.Flags.DEFAULT, List.of()),
          new Peer("fabric8", "fabric8", true, Peer.Flags.DEFAULT, List.of()),
          new Peer("josdk", "josdk", true, Peer.Flags.DEFAULT, List.of()),
          new Peer("kube-rs", "kube-rs", false, Peer.Flags.DEFAULT, List.of()));

  private final Results results = Results.inMemory();

  @Test
  void showsEachFigureWithItsRatioToTheBestOtherJavaFramework() throws Exception {
    results.add(0, Scenario.RESTART, 1000, "windlass", Map.of("wall s", 1.25, "classes", 3000.0));
    results.add(0, Scenario.RESTART, 1000, "fabric8", Map.of("wall s", 2.5, "classes", 6000.0));
    results.add(0, Scenario.RESTART, 1000, "josdk", Map.of("wall s", 5.0, "classes", 7000.0));
    results.add(0, Scenario.RESTART, 1000, "kube-rs", Map.of("wall s", 0.25));

    assertThat(new Report(OPTIONS, PEERS, results).markdown())
        .isEqualTo(
            """
            **restart, 1,000 objects**

            | | wall s | CPU s | classes |
            |---|--:|--:|--:|
            | windlass | 1.25 (0.50) |  | 3,000 (0.50) |
            | fabric8 | 2.50 (1.00) |  | 6,000 (1.00) |
            | josdk | 5 (2.00) |  | 7,000 (1.17) |
            | kube-rs | 0.25 (0.10) |  |  |

            1 round, commit abc, 1970-01-01

            """);
  }

  @Test
  void leavesTheCellsOfAMissingPeerEmptyAndShowsNoRatioWithoutAJavaPeer() throws Exception {
    results.add(0, Scenario.RESTART, 1000, "windlass", Map.of("wall s", 1.25));

    assertThat(new Report(OPTIONS, PEERS, results).markdown())
        .contains("| windlass | 1.25 |  |  |\n| fabric8 |  |  |  |\n");
  }

  @Test
  void comparesRowsWithTheSameFlags() throws Exception {
    List<Peer> peers =
        List.of(
            new Peer("windlass", "windlass", false, Peer.Flags.DEFAULT, List.of()),
            new Peer("windlass", "windlass, image", false, Peer.Flags.IMAGE, List.of()),
            new Peer("windlass", "windlass, archive", false, Peer.Flags.ARCHIVE, List.of()),
            new Peer("client-java", "client-java", true, Peer.Flags.DEFAULT, List.of()),
            new Peer("client-java", "client-java, image", true, Peer.Flags.IMAGE, List.of()));
    for (Peer peer : peers) {
      double wall = peer.flags() == Peer.Flags.IMAGE ? 1.5 : 4.5;
      results.add(
          0, Scenario.RESTART, 1000, peer.row(), Map.of("wall s", peer.java() ? wall : 3.5));
    }
    assertThat(new Report(OPTIONS, peers, results).markdown())
        .contains("| windlass | 3.50 (0.78) |")
        .contains("| windlass, image | 3.50 (2.33) |")
        .contains("| windlass, archive | 3.50 (0.78) |")
        .contains("| client-java, image | 1.50 (1.00) |");
  }

  @Test
  void comparesReplicasWithOneReplica() throws Exception {
    List<Peer> peers =
        List.of(
            PEERS.get(0),
            new Peer("windlass", "windlass, 2 replicas", false, Peer.Flags.DEFAULT, List.of()),
            PEERS.get(1));
    results.add(0, Scenario.SCALE, 10_000, "windlass", Map.of("objects/s", 80.0));
    results.add(0, Scenario.SCALE, 10_000, "windlass, 2 replicas", Map.of("objects/s", 156.0));
    assertThat(new Report(Options.parse("--scenarios", "scale"), peers, results).markdown())
        .contains("| windlass |  | 80 (1.00) |\n| windlass, 2 replicas |  | 156 (1.95) |\n\n");
  }

  @Test
  void hasNoRowForAProgramThatTakesNoPart() throws Exception {
    results.add(0, Scenario.IDLE, 1, "josdk", Map.of("CPU s", 1.5));
    results.add(0, Scenario.IDLE, 100, "fabric8", Map.of("CPU s", 2.5));
    assertThat(new Report(Options.parse("--scenarios", "idle"), PEERS, results).markdown())
        .contains("**idle, 1 watch**", "| josdk |  | 1.50 (1.00) |", "**idle, 100 watches**")
        .containsOnlyOnce("josdk");
  }

  @Test
  void omitsScenariosWithoutResults() throws Exception {
    results.add(0, Scenario.RESTART, 1000, "windlass", Map.of("wall s", 1.25));

    Report report = new Report(Options.parse("--scenarios", "restart,load"), PEERS, results);
    assertThat(report.markdown()).contains("**restart").doesNotContain("**load");
    assertThat(report.charts()).containsOnlyKeys("restart-1000.svg");
  }

  @Test
  void omitsMissingFiguresFromTheJson() throws Exception {
    results.add(0, Scenario.RESTART, 1000, "windlass", Map.of("wall s", 1.25));

    assertThat(new Report(OPTIONS, PEERS, results).json().replaceAll("\\s", ""))
        .contains(
            "\"peer\":\"windlass\",\"rounds\":1,\"measured\":\"1round,commitabc,1970-01-01\",\"medians\":{\"walls\":1.25}")
        .contains(
            "\"peer\":\"fabric8\",\"rounds\":0,\"measured\":\"1round,commitabc,1970-01-01\",\"medians\":{}");
  }
}
