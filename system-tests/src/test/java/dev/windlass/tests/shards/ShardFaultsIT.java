// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.shards;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.ShardKey;
import dev.windlass.testing.apiserver.real.AuditEvent;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.testing.fault.TcpProxy;
import dev.windlass.testsupport.JavaProcess;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Three processes that divide objects which change all the time, and what happens to one of them.
 * Each process is a user of its own, so the API server's audit log says who wrote what when.
 */
@Timeout(300)
final class ShardFaultsIT {

  private static final Logger log = LoggerFactory.getLogger(ShardFaultsIT.class);

  private static final int OBJECTS = 48;
  private static final int SHARDS = 6;

  /** What a replica may take until it has noticed that a lease has expired. */
  private static final Duration NOTICED = Duration.ofSeconds(5);

  @RegisterExtension
  static final RealApiServerExtension kubernetes =
      RealApiServerExtension.own(RealApiServer.builder().audit(true));

  @TempDir private Path folder;
  @AutoClose private final KubernetesClient kubectl = kubernetes.server().newClient();
  private final Map<String, JavaProcess> processes = new LinkedHashMap<>();
  private final Map<String, TcpProxy> networks = new HashMap<>();
  private final Map<String, Integer> numbers = new HashMap<>();
  private String namespace = "";
  private int changes;

  @AfterEach
  void endsTheProcesses() {
    processes.values().forEach(JavaProcess::close);
    networks.values().forEach(TcpProxy::close);
  }

  private void createObjects() {
    namespace =
        kubectl
            .resource(
                new NamespaceBuilder()
                    .withNewMetadata()
                    .withGenerateName("shards-")
                    .endMetadata()
                    .build())
            .create()
            .getMetadata()
            .getName();
    change();
  }

  private void start(String replica, int shards) throws IOException {
    String user = namespace + "-" + replica;
    String kubeconfig = kubernetes.server().kubeconfigFor(user, "system:masters");
    int port = URI.create(kubectl.getConfiguration().getMasterUrl()).getPort();
    TcpProxy network = TcpProxy.to(port);
    Path file =
        Files.writeString(
            folder.resolve(user), kubeconfig.replace(":" + port, ":" + network.port()));
    networks.put(replica, network);
    numbers.put(user, shards);
    processes.put(
        replica,
        JavaProcess.start(
            Map.of(),
            List.of(),
            List.of("-Xmx128m"),
            ShardProgram.class,
            file.toString(),
            replica,
            namespace,
            Integer.toString(shards)));
  }

  private static String lease(int shard, int shards) {
    return shards == 1 ? "widgets" : "widgets-%02d-of-%02d".formatted(shard + 1, shards);
  }

  private JavaProcess process(String replica) {
    return Objects.requireNonNull(processes.get(replica));
  }

  private void stop(String replica) throws InterruptedException {
    process(replica).signal("TERM");
    assertThat(process(replica).awaitExit()).isZero();
  }

  private static String object(int number) {
    return "object-" + number;
  }

  private void change() {
    changes++;
    for (int i = 0; i < OBJECTS; i++) {
      change(object(i), Integer.toString(changes));
    }
  }

  private void change(String name, String wanted) {
    kubectl
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .addToData("wanted", wanted)
                .build())
        .forceConflicts()
        .serverSideApply();
  }

  private void awaitDone() {
    String wanted = Integer.toString(changes);
    eventually()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(done()).containsExactly(wanted));
  }

  private Set<String> done() {
    return kubectl.configMaps().inNamespace(namespace).list().getItems().stream()
        .map(ConfigMap::getData)
        .filter(data -> data.containsKey("wanted"))
        .map(data -> data.getOrDefault("done", "nothing"))
        .collect(Collectors.toSet());
  }

  /** Changes all objects again and again until the shards are owned as given. */
  private void awaitOwned(int shards, Integer... each) {
    eventually()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              change();
              assertThat(owned(shards).values())
                  .as("%s", owned(shards))
                  .containsExactlyInAnyOrder(each);
            });
  }

  private Map<String, Integer> owned(int shards) {
    Map<String, Integer> owned = new TreeMap<>();
    owners(shards).values().forEach(owner -> owned.merge(owner, 1, Integer::sum));
    return owned;
  }

  /** Returns the owner of each Lease of a shard that has one. */
  private Map<String, String> owners(int shards) {
    Set<String> names = new TreeSet<>();
    for (int shard = 0; shard < shards; shard++) {
      names.add(lease(shard, shards));
    }
    Map<String, String> owners = new TreeMap<>();
    for (Lease lease : kubectl.leases().inNamespace(namespace).list().getItems()) {
      String holder = lease.getSpec().getHolderIdentity();
      if (names.contains(lease.getMetadata().getName()) && holder != null) {
        owners.put(lease.getMetadata().getName(), holder.substring(0, holder.indexOf('_')));
      }
    }
    return owners;
  }

  private List<AuditEvent> writes() {
    return kubernetes.server().auditEvents().stream()
        .filter(e -> e.namespace().equals(namespace) && e.isWrite() && e.code() < 300)
        .filter(e -> Set.of("configmaps", "leases").contains(e.resource()))
        .filter(e -> numbers.containsKey(e.user()))
        .sorted(Comparator.comparing(AuditEvent::received))
        .toList();
  }

  /**
   * No two processes write an object at the same time, and each that writes one is the last that
   * has written the Lease of its shard. With the number of shards, which only grows, the Lease
   * changes, too.
   */
  private void requireOneWriterAtATime() {
    Map<String, String> holders = new HashMap<>();
    Map<String, AuditEvent> latest = new HashMap<>();
    Duration overlap = Duration.ZERO;
    int moves = 0;
    for (AuditEvent write : writes()) {
      if (write.resource().equals("leases")) {
        holders.put(write.name(), write.user());
        continue;
      }
      int number = Objects.requireNonNull(numbers.get(write.user()));
      Request request = Request.of(namespace, write.name());
      String lease = lease(ShardKey.OBJECT.shardOf(request, number), number);
      assertThat(holders.getOrDefault(lease, write.user())).as("%s", write).isEqualTo(write.user());
      AuditEvent before = latest.put(write.name(), write);
      if (before != null && !before.user().equals(write.user())) {
        moves++;
        assertThat(number)
            .as("%s after %s", write, before)
            .isGreaterThanOrEqualTo(Objects.requireNonNull(numbers.get(before.user())));
        if (before.answered().isAfter(write.received())) {
          overlap = overlap.plus(Duration.between(write.received(), before.answered()));
        }
      }
    }
    log.info("{} writers followed others; overlap of writes {} ms", moves, overlap.toMillis());
    assertThat(moves).isPositive();
    assertThat(overlap).isZero();
  }

  /** Returns the longest time until others have written Leases. */
  private Duration awaitOthers(Collection<String> leases, String former, Instant since) {
    List<Duration> times = new ArrayList<>();
    eventually()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              times.clear();
              for (String lease : leases) {
                writes().stream()
                    .filter(e -> e.name().equals(lease) && e.received().isAfter(since))
                    .filter(e -> !e.user().endsWith("-" + former))
                    .findFirst()
                    .ifPresent(e -> times.add(Duration.between(since, e.answered())));
              }
              assertThat(times).hasSameSizeAs(leases);
            });
    return times.stream().max(Comparator.naturalOrder()).orElseThrow();
  }

  /** What happens to a process. */
  private enum Fault {
    SIGTERM,
    SIGKILL,
    SIGSTOP,
    CUT,
    HANGING_RECONCILE
  }

  @ParameterizedTest
  @EnumSource
  void moveToOthersWithoutOverlap(Fault fault) throws Exception {
    createObjects();
    for (String replica : List.of("a", "b", "c")) {
      start(replica, SHARDS);
    }
    awaitOwned(SHARDS, 2, 2, 2);
    awaitDone(); // nothing is under way that a frozen process could send later
    List<String> leases = ownedBy("a");
    Instant since = Instant.now();
    switch (fault) {
      case SIGTERM -> stop("a");
      case SIGKILL -> process("a").signal("KILL");
      case SIGSTOP -> process("a").signal("STOP");
      case CUT -> network("a").cut();
      case HANGING_RECONCILE -> {
        leases = List.of(leases.get(1)); // a process gives the last one away
        hang(leases.get(0));
        since = Instant.now();
        start("d", SHARDS);
        start("e", SHARDS);
        start("f", SHARDS);
      }
    }
    change();
    Duration without = awaitOthers(leases, "a", since);
    log.info("{}: the last shard had another owner after {} ms", fault, without.toMillis());
    if (fault != Fault.HANGING_RECONCILE) { // there, it still had its owner at first
      assertThat(without).isLessThan(ShardProgram.LEASE.plus(NOTICED));
      awaitOwned(SHARDS, 3, 3);
      awaitDone();
    }
    switch (fault) {
      case SIGSTOP -> process("a").signal("CONT");
      case CUT -> network("a").heal();
      default -> {}
    }
    if (fault == Fault.HANGING_RECONCILE) {
      awaitOwned(SHARDS, 1, 1, 1, 1, 1, 1);
    } else if (fault == Fault.SIGSTOP || fault == Fault.CUT) {
      awaitOwned(SHARDS, 2, 2, 2);
    }
    awaitDone();
    requireOneWriterAtATime();
  }

  private TcpProxy network(String replica) {
    return Objects.requireNonNull(networks.get(replica));
  }

  private List<String> ownedBy(String replica) {
    return owners(SHARDS).entrySet().stream()
        .filter(each -> each.getValue().equals(replica))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Makes a reconcile hang in the process that owns a shard. */
  private void hang(String lease) {
    String name =
        Stream.iterate(0, i -> i + 1)
            .map(ShardFaultsIT::object)
            .filter(
                each ->
                    lease.equals(
                        lease(
                            ShardKey.OBJECT.shardOf(Request.of(namespace, each), SHARDS), SHARDS)))
            .findFirst()
            .orElseThrow();
    change(name, "hang");
  }

  /** What an administrator does, while the objects change. */
  @Test
  void areScaledKilledAndUpdated() throws Exception {
    createObjects();
    start("a", SHARDS);
    awaitOwned(SHARDS, 6);
    start("b", SHARDS);
    start("c", SHARDS);
    awaitOwned(SHARDS, 2, 2, 2);
    stop("c");
    awaitOwned(SHARDS, 3, 3);
    process("b").signal("KILL");
    awaitOwned(SHARDS, 6);
    awaitDone();
    requireOneWriterAtATime();
  }

  /** Waits until a process says, by an Event, that it waits for those with another number. */
  private void awaitWaiting(String replica) {
    eventually()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                kubectl.events().v1().events().inNamespace(namespace).list().getItems().stream()
                    .filter(event -> event.getReason().equals("WaitingForShards"))
                    .anyMatch(event -> event.getNote().startsWith(replica)));
  }

  /** A rolling update starts a new process before it stops an old one. */
  @Test
  void followTheirNumberDuringRollingUpdates() throws Exception {
    createObjects();
    List<String> current = List.of("a-1", "b-1");
    for (String replica : current) {
      start(replica, 1);
    }
    awaitOwned(1, 1);
    for (int number : List.of(6, 12)) {
      List<String> next = List.of("a-" + number, "b-" + number);
      for (int i = 0; i < 2; i++) {
        start(next.get(i), number);
        awaitWaiting(next.get(i));
        change();
        stop(current.get(i));
        change();
      }
      awaitOwned(number, number / 2, number / 2);
      awaitDone();
      current = next;
    }
    requireOneWriterAtATime();
  }
}
