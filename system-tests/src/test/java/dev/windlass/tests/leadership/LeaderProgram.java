// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.leadership;

import dev.windlass.informer.InformerOptions;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.leader.LeadershipLostException;
import dev.windlass.manager.ManagedComponent;
import dev.windlass.manager.Manager;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.testsupport.OddScheduler;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A replica that writes as fast as it can while it leads, and tries to when it does not. Started
 * with a kubeconfig, the name of its ConfigMap, and what to do when it leads: {@code write}, {@code
 * late} for the same with an elector that wakes up late, {@code exit} or {@code hang}. A byte on
 * its input makes it leak.
 */
final class LeaderProgram {

  static final Duration LEASE = Duration.ofSeconds(6);
  private static final Duration RENEW_DEADLINE = Duration.ofSeconds(4);

  /** How much later than it should a late program's alarms ring. */
  private static final Duration LATE = Duration.ofMillis(500);

  /** How long the heap is full: long enough to lose a lease. */
  static final Duration HELD = Duration.ofSeconds(15);

  private LeaderProgram() {}

  public static void main(String[] arguments) {
    LeaderElectionOptions options =
        LeaderElectionOptions.of("hand-over")
            .withNamespace("default")
            .withIdentity("always-the-same")
            .withDurations(LEASE, RENEW_DEADLINE, Duration.ofSeconds(1));
    HandOverPoint point = new HandOverPoint(RENEW_DEADLINE);
    Manager manager =
        Manager.builder()
            .client(client(Path.of(arguments[0]), point))
            .leaderElection(options)
            .informerOptions(InformerOptions.defaults().withScheduler(scheduler(arguments[2])))
            .stopTimeout(Duration.ofSeconds(10))
            .build();
    manager.add(
        switch (arguments[2]) {
          case "exit" -> new Exit();
          case "hang" -> new Hanging();
          default -> new Writer(manager, arguments[1], point);
        });
    Runtime.getRuntime().addShutdownHook(new Thread(manager::stop));
    Thread leak = new Thread(new Leak(), "leak");
    leak.setDaemon(true);
    leak.start();
    try {
      say("ended " + manager.run());
    } catch (IllegalStateException e) {
      say("failed " + e.getMessage());
      say("handed over %d in time, %d late;".formatted(point.inTime(), point.late()));
      System.exit(3);
    } catch (RuntimeException | Error e) {
      System.exit(4); // for example, the stop found no memory, either
    }
  }

  /** In mode {@code late}, one whose alarms ring late, as where threads wait for a processor. */
  private static Scheduler scheduler(String mode) {
    Scheduler system = Scheduler.system();
    return !mode.equals("late")
        ? system
        : new OddScheduler(
            system::nanoTime, (task, delay) -> system.schedule(task, delay.plus(LATE)));
  }

  private static KubernetesClient client(Path kubeconfig, HandOverPoint point) {
    return new KubernetesClientBuilder()
        .withConfig(Config.fromKubeconfig(kubeconfig.toFile()))
        .withHttpClientBuilderConsumer(
            builder -> builder.addOrReplaceInterceptor("hand-over-point", point))
        .build();
  }

  @SuppressWarnings("SystemOut") // its output is what the test reads
  private static void say(String line) {
    System.out.println("@@ " + line);
  }

  /** Ends the process, which runs the hook, which stops the manager, which waits for this. */
  private static final class Exit implements ManagedComponent {

    @Override
    public void start() {
      say("leads");
      System.exit(7);
    }

    @Override
    public boolean stop(Duration limit) {
      return true;
    }
  }

  /** Takes all the time there is to stop. */
  private static final class Hanging implements ManagedComponent {

    @Override
    public void start() {
      say("leads");
    }

    @Override
    public boolean stop(Duration limit) throws InterruptedException {
      say("stops");
      return new CountDownLatch(1).await(limit.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  /** When told so, holds all the heap that there is for a while, and then lets go. */
  private static final class Leak implements Runnable {
    private final List<byte[]> held = new ArrayList<>();

    @Override
    public void run() {
      try {
        if (System.in.read() < 0) {
          return; // whoever started this has ended
        }
      } catch (IOException e) {
        return;
      }
      say("leaks");
      long end = System.nanoTime() + HELD.toNanos();
      while (System.nanoTime() < end) {
        hold(64 * 1024);
        hold(64);
      }
      held.clear();
      say("holds nothing any more");
    }

    @SuppressWarnings("EmptyCatch") // the next try follows
    private void hold(int size) {
      try {
        for (int i = 0; i < 100_000; i++) {
          held.add(new byte[size]);
        }
      } catch (OutOfMemoryError e) {
        // that is the point
      }
    }
  }

  private static final class Writer implements ManagedComponent {
    private final Manager manager;
    private final String map;
    private final HandOverPoint point;
    private final Thread thread = new Thread(this::write, "writer");
    private volatile boolean stopped;

    Writer(Manager manager, String map, HandOverPoint point) {
      this.manager = manager;
      this.map = map;
      this.point = point;
    }

    @Override
    public void start() {
      say("leads");
      thread.setDaemon(true);
      thread.start();
    }

    private void write() {
      long written = 0;
      boolean refused = false;
      while (!stopped) {
        try {
          manager
              .kubernetesClient()
              .resource(
                  new ConfigMapBuilder()
                      .withNewMetadata()
                      .withNamespace("default")
                      .withName(map)
                      .endMetadata()
                      .addToData("written", Long.toString(written++))
                      .build())
              .update();
        } catch (LeadershipLostException e) {
          point.refused();
          if (!refused) {
            say("refused " + e.getMessage());
          }
          refused = true;
        } catch (KubernetesClientException e) {
          // it goes on, whatever comes in between
        }
      }
    }

    @Override
    public boolean stop(Duration limit) throws InterruptedException {
      stopped = true;
      thread.join(Math.max(1, limit.toMillis()));
      return !thread.isAlive();
    }
  }
}
