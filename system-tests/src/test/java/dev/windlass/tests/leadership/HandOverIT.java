// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.leadership;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.testing.apiserver.real.AuditEvent;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.tests.owned.Samples;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Two processes that write as fast as they can while they lead, and what happens to the one that
 * leads: the API server's audit log says who wrote when. Each process is a user of its own and ends
 * with its term, so its writes are one span of time.
 */
final class HandOverIT {

  private static final Logger log = LoggerFactory.getLogger(HandOverIT.class);

  private static final Pattern HANDED_OVER =
      Pattern.compile("(?<inTime>\\d+) in time, (?<late>\\d+) late;");

  /** How often each kind of hand-over is tried. */
  private static final int RUNS = 2;

  @RegisterExtension
  static final RealApiServerExtension kubernetes =
      RealApiServerExtension.own(RealApiServer.builder().audit(true));

  /** When a process wrote, by the server's clock. */
  private record Span(String user, Instant first, Instant last, int writes) {}

  @TempDir private Path folder;
  private final List<LeaderProcess> all = new ArrayList<>();

  /** Writes that had passed the fence when their process was frozen: nothing can call them back. */
  private final Set<AuditEvent> underWay = new HashSet<>();

  private KubernetesClient kubectl;
  private int users;

  /** The lease of an earlier test's process would have to expire first. */
  @BeforeEach
  void connects() {
    kubectl = kubernetes.server().newClient();
    kubectl.leases().inNamespace("default").withName("hand-over").delete();
  }

  @AfterEach
  void disconnects() {
    all.forEach(LeaderProcess::close);
    kubectl.close();
  }

  private LeaderProcess start(String mode, String... options) throws IOException {
    String user =
        "replica-%s-%d".formatted(folder.getFileName(), ++users).replaceAll("[^a-z0-9-]", "");
    kubectl.resource(Samples.map("default", user)).create();
    Path file =
        Files.writeString(
            folder.resolve(user), kubernetes.server().kubeconfigFor(user, "system:masters"));
    LeaderProcess process = new LeaderProcess(user, file, mode, options);
    all.add(process);
    return process;
  }

  private List<AuditEvent> writes(String user) {
    return kubernetes.server().auditEvents().stream()
        .filter(e -> e.user().equals(user) && e.isWrite() && e.resource().equals("configmaps"))
        .toList();
  }

  private void awaitWrites(LeaderProcess process, int number) {
    eventually().atMost(Duration.ofSeconds(60)).until(() -> writes(process.user).size() >= number);
  }

  private Optional<Span> span(LeaderProcess process) {
    List<AuditEvent> events = new ArrayList<>(writes(process.user));
    events.removeAll(underWay);
    return events.stream()
        .map(AuditEvent::received)
        .min(Comparator.naturalOrder())
        .map(
            first ->
                new Span(
                    process.user,
                    first,
                    events.stream().map(AuditEvent::answered).max(Comparator.naturalOrder()).get(),
                    events.size()));
  }

  private Duration overlapOf(int terms) {
    List<Span> spans = all.stream().flatMap(process -> span(process).stream()).toList();
    assertThat(spans).as("terms").hasSize(terms);
    Duration overlap = Duration.ZERO;
    for (Span a : spans) {
      for (Span b : spans) {
        Instant begin = a.first().isAfter(b.first()) ? a.first() : b.first();
        Instant end = a.last().isBefore(b.last()) ? a.last() : b.last();
        if (!a.equals(b) && begin.isBefore(end)) {
          overlap = overlap.plus(Duration.between(begin, end));
        }
      }
    }
    log.info("{}", spans);
    return overlap;
  }

  private interface Fault {
    /** Takes the lead from a process; the other one has begun to write when it returns. */
    void on(LeaderProcess leader, LeaderProcess other) throws Exception;
  }

  private void handOver(String kind, String mode, Fault fault) throws Exception {
    LeaderProcess leader = start(mode);
    leader.awaitSaid("leads");
    for (int run = 0; run < RUNS; run++) {
      LeaderProcess other = start(mode);
      awaitWrites(leader, 20);
      eventually().atMost(Duration.ofSeconds(60)).until(() -> hasLooked(other));
      fault.on(leader, other);
      leader = other;
    }
    awaitWrites(leader, 20);
    Duration overlap = overlapOf(RUNS + 1);
    log.info("{}: {} hand-overs, overlap of writes {} ms", kind, RUNS, overlap.toMillis());
    assertThat(overlap).isZero();
  }

  /** Whether it competes: it has read the Lease. */
  private boolean hasLooked(LeaderProcess process) {
    return kubernetes.server().auditEvents().stream()
        .anyMatch(e -> e.user().equals(process.user) && e.resource().equals("leases"));
  }

  /** The lease is released, so no replica waits for it to expire (docs/reliability.md, K1). */
  @Test
  @Timeout(180)
  void handsOverAtASigterm() throws Exception {
    List<Duration> gaps = new ArrayList<>();
    handOver(
        "SIGTERM",
        "write",
        (leader, other) -> {
          leader.signal("TERM");
          assertThat(leader.awaitExit()).isZero();
          assertThat(leader.hasSaid("ended true")).isTrue();
          other.awaitSaid("leads");
          awaitWrites(other, 1);
          gaps.add(
              Duration.between(
                  span(leader).orElseThrow().last(), span(other).orElseThrow().first()));
        });
    log.info("SIGTERM: from the last write to the next leader's first: {}", gaps);
    assertThat(gaps).allMatch(gap -> gap.compareTo(LeaderProgram.LEASE) < 0);
  }

  @Test
  @Timeout(180)
  void handsOverAtASigkill() throws Exception {
    handOver(
        "SIGKILL",
        "write",
        (leader, other) -> {
          leader.signal("KILL");
          assertThat(leader.awaitExit()).isEqualTo(137);
          other.awaitSaid("leads");
        });
  }

  /**
   * When the frozen leader resumes, it detects the loss by its own clock, starts no write, and ends
   * (docs/reliability.md, H1, L1). Its elector wakes up half a second late, so only the fence
   * protects. A write started before the freeze may still leave then; as it writes on one thread,
   * this is at most one.
   */
  @Test
  @Timeout(180)
  void handsOverWhenTheLeaderIsFrozen() throws Exception {
    handOver(
        "SIGSTOP",
        "late",
        (leader, other) -> {
          leader.signal("STOP");
          other.awaitSaid("leads");
          awaitWrites(other, 20);
          List<AuditEvent> before = writes(leader.user);
          leader.signal("CONT");
          assertThat(leader.awaitExit()).isEqualTo(3);
          assertThat(leader.hasSaid("failed the lease ")).isTrue();
          List<AuditEvent> late = new ArrayList<>(writes(leader.user));
          late.removeAll(before);
          String handedOver = leader.said("handed over");
          log.info("SIGSTOP: handed over {} after the freeze came out {}", handedOver, late);
          Matcher counts = HANDED_OVER.matcher(handedOver);
          assertThat(counts.matches()).as(handedOver).isTrue();
          assertThat(counts.group("late"))
              .as("handed over after the local deadline")
              .isEqualTo("0");
          assertThat(writes(leader.user))
              .as("each write that the server saw was handed over in time")
              .hasSizeLessThanOrEqualTo(Integer.parseInt(counts.group("inTime")));
          assertThat(late).hasSizeLessThanOrEqualTo(1);
          underWay.addAll(late);
        });
  }

  /**
   * System.exit in a leader's component, and a hook that stops the manager (docs/reliability.md,
   * K2, bug 23).
   */
  @Test
  @Timeout(120)
  void exitsThoughAHookWaitsForTheManager() throws Exception {
    LeaderProcess process = start("exit");
    process.awaitSaid("leads");
    Instant begin = Instant.now();
    assertThat(process.awaitExit()).isEqualTo(7);
    log.info("exit within {}", Duration.between(begin, Instant.now()));
    assertThat(holder()).startsWith("always-the-same_");
  }

  /**
   * Who sends a second signal does not want to wait: the process ends in the middle of its stop.
   */
  @Test
  @Timeout(120)
  void endsAtOnceAtASecondSignal() throws Exception {
    LeaderProcess process = start("hang");
    process.awaitSaid("leads");
    process.signal("TERM");
    process.awaitSaid("stops");
    eventually()
        .pollDelay(Duration.ofMillis(1_100))
        .until(() -> true); // else it counts as the same
    process.signal("TERM");
    assertThat(process.awaitExit()).isEqualTo(1);
    assertThat(process.hasSaid("ended")).isFalse();
  }

  /**
   * With the recommended flag. No hook runs, so nothing is released that could let two lead: the
   * next leader waits until the lease has expired (docs/reliability.md, G3).
   */
  @Test
  @Timeout(180)
  void diesAtOnceWhenTheHeapIsExhausted() throws Exception {
    LeaderProcess leader = start("write", "-Xmx40m", "-XX:+ExitOnOutOfMemoryError");
    leader.awaitSaid("leads");
    awaitWrites(leader, 20);
    LeaderProcess other = start("write");
    eventually().atMost(Duration.ofSeconds(60)).until(() -> hasLooked(other));
    leader.leak();
    assertThat(leader.awaitExit()).isEqualTo(3);
    assertThat(leader.hasSaid("failed")).as("hooks and handlers ran").isFalse();
    assertThat(holder()).startsWith("always-the-same_");
    other.awaitSaid("leads");
    awaitWrites(other, 20);
    assertThat(overlapOf(2)).isZero();
  }

  /**
   * Without the flag. The manager fails, the process ends, and the lease is left to expire; nothing
   * writes beside another leader (docs/reliability.md, G3, and ADR 0042).
   */
  @Test
  @Timeout(180)
  void failsTheManagerWhenTheHeapIsExhausted() throws Exception {
    LeaderProcess leader = start("write", "-Xmx40m");
    leader.awaitSaid("leads");
    awaitWrites(leader, 20);
    LeaderProcess other = start("write");
    eventually().atMost(Duration.ofSeconds(60)).until(() -> hasLooked(other));
    leader.leak();
    other.awaitSaid("leads");
    awaitWrites(other, 20);
    assertThat(overlapOf(2)).isZero();
    assertThat(leader.awaitExit()).isNotZero();
  }

  private @Nullable String holder() {
    return kubectl
        .leases()
        .inNamespace("default")
        .withName("hand-over")
        .get()
        .getSpec()
        .getHolderIdentity();
  }
}
