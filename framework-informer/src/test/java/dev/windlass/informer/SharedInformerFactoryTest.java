// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.feed.WatchScope;
import dev.windlass.object.ResourceType;
import dev.windlass.testing.feed.FakeListerWatcher;
import dev.windlass.testing.time.ManualScheduler;
import dev.windlass.time.Loop;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class SharedInformerFactoryTest {

  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final List<String> connections = Collections.synchronizedList(new ArrayList<>());
  private final List<FakeListerWatcher> servers = Collections.synchronizedList(new ArrayList<>());
  private final SharedInformerFactory factory =
      new SharedInformerFactory(
          this::connect,
          WatchScope.namespace("default"),
          InformerOptions.defaults().withScheduler(new ManualScheduler()));

  private FakeListerWatcher connect(ResourceType type, WatchScope scope) {
    connections.add(type.plural() + " in " + scope);
    FakeListerWatcher server = new FakeListerWatcher();
    servers.add(server);
    return server;
  }

  @AfterEach
  void shutsDown() throws InterruptedException {
    assertThat(factory.shutDown(LIMIT)).isTrue();
    servers.forEach(FakeListerWatcher::assertNothingOpen);
  }

  /** 001-31: a hundred threads ask, one informer answers, over one connection. */
  @Test
  void makesOneInformerHoweverManyAsk() throws Exception {
    Set<SharedIndexInformer<ConfigMap>> found = ConcurrentHashMap.newKeySet();
    CountDownLatch go = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  go.await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
                found.add(factory.informer(ConfigMap.class));
              });
      thread.start();
      threads.add(thread);
    }
    go.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(found).hasSize(1);
    assertThat(connections).containsExactly("configmaps in namespace default");
  }

  /** 001-33: another scope is another informer. */
  @Test
  void makesOneInformerPerTypeAndScope() {
    var first = factory.informer(ConfigMap.class);
    assertThat(factory.informer(ConfigMap.class, WatchScope.namespace("default"))).isSameAs(first);
    assertThat(factory.informer(ConfigMap.class, WatchScope.ALL)).isNotSameAs(first);
    assertThat(factory.informer(ConfigMap.class, WatchScope.ALL.withLabels("a=b")))
        .isNotSameAs(first);
    factory.informer(Secret.class);
    assertThat(factory.informers()).hasSize(4).first().isSameAs(first);
    assertThat(connections)
        .containsExactly(
            "configmaps in namespace default",
            "configmaps in all namespaces",
            "configmaps in all namespaces with labels a=b",
            "secrets in namespace default");
  }

  /** 001-29: what nobody asked for does not exist. */
  @Test
  void showsOnlyWhatSomebodyAskedFor() {
    assertThat(factory.existing(ConfigMap.class)).isEmpty();
    var informer = factory.informer(ConfigMap.class);
    assertThat(factory.existing(ConfigMap.class)).contains(informer);
    assertThat(factory.existing(Secret.class)).isEmpty();
  }

  /** 001-20, 001-21: may be called again, and starts the new ones only. */
  @Test
  void startsWhatHasNotBeenStarted() {
    var first = factory.informer(ConfigMap.class);
    factory.start();
    var second = factory.informer(Secret.class);
    assertThat(first.loops()).allMatch(Loop::isRunning);
    assertThat(second.loops()).noneMatch(Loop::isRunning);
    factory.start();
    assertThat(first.loops()).allMatch(Loop::isRunning);
    assertThat(second.loops()).allMatch(Loop::isRunning);
  }

  /** 001-21, 001-33: a shutdown ends all threads, and nothing starts after it. */
  @Test
  void startsNothingAfterAShutdown() throws Exception {
    var first = factory.informer(ConfigMap.class);
    factory.start();
    assertThat(factory.shutDown(LIMIT)).isTrue();
    assertThat(first.loops()).noneMatch(Loop::isRunning);
    var second = factory.informer(Secret.class);
    factory.start();
    assertThat(first.loops()).noneMatch(Loop::isRunning);
    assertThat(second.loops()).noneMatch(Loop::isRunning);
  }
}
