// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.informer;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Creates, updates and deletes ConfigMaps at random, and takes no refusal personally. */
final class SoakWriter {

  private static final int NAMES = 60;
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(5);

  private final ConfigMaps maps;
  private final Random random;
  private final Thread thread = new Thread(this::write, "soak-writer");
  private volatile boolean stopped;
  private volatile long writes;
  private volatile long refused;

  SoakWriter(ConfigMaps maps, long seed) {
    this.maps = maps;
    this.random = new Random(seed);
    thread.start();
  }

  long writes() {
    return writes;
  }

  /** Writes that were answered with a failure, or not at all; they may have happened. */
  long refused() {
    return refused;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // only this thread writes them
  private void write() {
    while (!stopped) {
      String name = "map-" + random.nextInt(NAMES);
      String text = "x".repeat(random.nextInt(3_000));
      try {
        switch (random.nextInt(4)) {
          case 0 -> maps.create(name, Map.of("n", "" + random.nextInt(3)), text);
          case 1 -> maps.delete(name);
          default -> maps.update(name, text);
        }
        writes++;
      } catch (KubernetesClientException e) {
        if (e.getCode() < 400 || e.getCode() >= 500) {
          refused++; // else it was there already, or gone
        }
      } catch (NullPointerException e) {
        refused++; // fabric8 edits what it could not get
      }
      LockSupport.parkNanos(PAUSE);
    }
  }

  /** Returns when the last write is over. */
  void stop() throws InterruptedException {
    stopped = true;
    thread.join();
  }
}
