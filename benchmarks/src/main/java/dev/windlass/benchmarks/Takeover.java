// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.Informer;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.real.RealApiServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.LoggerFactory;

/**
 * Measures how soon a standby replica with warm caches starts to work: the time from its election
 * until the first reconcile begins, and until each object has been reconciled once. In each round,
 * the leader stops and a replica that has cached 1,000 ConfigMaps takes over; both run in this JVM.
 * The election is the moment at which the replica logs that it is the leader. The benchmark needs a
 * real API server.
 */
public final class Takeover {

  private static final int OBJECTS = 1_000;
  private static final int ROUNDS = 10;
  private static final int WORKERS = 8;
  private static final String NAMESPACE = "takeover";

  /** The times of the elections. */
  private static final BlockingQueue<Long> elections = new LinkedBlockingQueue<>();

  private Takeover() {}

  /** Records the time of each log line that announces a leader. */
  private static final class Elections extends AppenderBase<ILoggingEvent> {

    @Override
    protected void append(ILoggingEvent line) {
      if (line.getFormattedMessage().contains(" is now the leader ")) {
        elections.add(System.nanoTime());
      }
    }
  }

  /** A manager with one controller, which records when its reconciles begin. */
  private static final class Replica implements AutoCloseable {

    private final Manager manager;
    private final Set<String> reconciled = ConcurrentHashMap.newKeySet();
    private final CountDownLatch allReconciled = new CountDownLatch(1);
    private volatile long first;
    private volatile long last;

    Replica(KubernetesClient client) {
      manager =
          Manager.builder()
              .client(client)
              .namespace(NAMESPACE)
              .leaderElection(LeaderElectionOptions.of("takeover").withNamespace(NAMESPACE))
              .build();
      ControllerBuilder.forType(ConfigMap.class)
          .maxConcurrentReconciles(WORKERS)
          .reconciler(
              (request, context) -> {
                began(request.key().toString());
                return Result.done();
              })
          .register(manager);
      manager.start();
    }

    private synchronized void began(String key) {
      long now = System.nanoTime();
      if (reconciled.isEmpty()) {
        first = now;
      }
      if (reconciled.add(key) && reconciled.size() == OBJECTS) {
        last = now;
        allReconciled.countDown();
      }
    }

    void awaitWarm() throws InterruptedException {
      while (manager.informers().existing(ConfigMap.class).filter(Informer::hasSynced).isEmpty()) {
        Thread.sleep(10);
      }
    }

    @Override
    public void close() {
      manager.close();
    }
  }

  /** Runs the benchmark. */
  public static void main(String[] arguments) throws InterruptedException {
    Logger logger = (Logger) LoggerFactory.getLogger("dev.windlass.leader");
    logger.setLevel(Level.INFO);
    logger.setAdditive(false);
    Elections appender = new Elections();
    appender.start();
    logger.addAppender(appender);
    List<Double> first = new ArrayList<>();
    List<Double> all = new ArrayList<>();
    try (RealApiServer server = RealApiServer.builder().start();
        KubernetesClient client = BenchObjects.client(server.clientConfig())) {
      seed(client);
      Replica leader = new Replica(client);
      elections.take();
      leader.allReconciled.await();
      for (int i = 0; i < ROUNDS; i++) {
        Replica standby = new Replica(client);
        standby.awaitWarm();
        leader.close();
        long elected = elections.take();
        standby.allReconciled.await();
        first.add((standby.first - elected) / 1e6);
        all.add((standby.last - elected) / 1e6);
        leader = standby;
      }
      leader.close();
    }
    System.out.printf(
        "%n### Takeover by a warm replica, ms after its election, %d rounds%n%n", ROUNDS);
    System.out.println("| | median | longest |");
    System.out.println("|---|---|---|");
    print("first reconcile", first);
    print("all of %,d objects reconciled".formatted(OBJECTS), all);
    System.exit(0); // the transport may leave threads running
  }

  private static void seed(KubernetesClient client) {
    client
        .resource(
            new NamespaceBuilder().withNewMetadata().withName(NAMESPACE).endMetadata().build())
        .create();
    for (int i = 0; i < OBJECTS; i++) {
      client
          .resource(
              new ConfigMapBuilder()
                  .withNewMetadata()
                  .withNamespace(NAMESPACE)
                  .withName("map-" + i)
                  .endMetadata()
                  .build())
          .create();
    }
  }

  private static void print(String what, List<Double> times) {
    times.sort(null);
    System.out.printf(
        "| %s | %.1f | %.1f |%n", what, times.get(times.size() / 2), times.get(times.size() - 1));
  }
}
