// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.windlass.informer.testing.FakeListerWatcher;
import dev.windlass.object.ConfigMaps;
import dev.windlass.testsupport.Eventually;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A count that a change can worsen unseen: what an event leaves to the garbage collector. */
final class EventAllocationTest {

  private static final int EVENTS = 1_000;
  private static final int TEXT = 4_000;

  /** Of the size of the object; its JSON is copied into the cache, and 1.33 were measured. */
  private static final double LIMIT = 1.6;

  private final FakeListerWatcher server = new FakeListerWatcher();
  private final List<Thread> threads = new CopyOnWriteArrayList<>();
  private final AtomicInteger handled = new AtomicInteger();

  private Thread thread(Runnable task) {
    Thread thread = new Thread(task);
    threads.add(thread);
    return thread;
  }

  private void send(int events) {
    int before = handled.get();
    String text = "x".repeat(TEXT);
    for (int i = 0; i < events; i++) {
      server.put(
          """
          {"kind":"ConfigMap","metadata":{"namespace":"default","name":"a%d"},"data":{"a":"%s"}}\
          """
              .formatted(i % 10, text));
      int sent = i + 1;
      Eventually.until(() -> handled.get() == before + sent); // so that none are merged
    }
  }

  private long allocated() {
    ThreadMXBean jvm = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    return threads.stream().mapToLong(thread -> jvm.getThreadAllocatedBytes(thread.getId())).sum();
  }

  @Test
  void allocatesLittleMoreThanTheObject() throws Exception {
    SharedIndexInformer<?> informer =
        new SharedIndexInformer<>(
            ConfigMaps.CODEC, server, InformerOptions.defaults().withThreads(this::thread));
    informer.addEventHandler(event -> handled.incrementAndGet());
    informer.start();
    try {
      send(EVENTS);
      long before = allocated();
      send(EVENTS);
      double perEvent = (double) (allocated() - before) / EVENTS;
      System.out.printf("%.0f bytes are allocated for an event of %d%n", perEvent, TEXT);
      assertThat(perEvent).isBetween(1.0 * TEXT, LIMIT * TEXT);
    } finally {
      assertThat(informer.stop(Duration.ofSeconds(20))).isTrue();
    }
  }
}
