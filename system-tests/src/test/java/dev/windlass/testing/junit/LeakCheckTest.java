// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.junit;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** What a test leaves behind fails it, and the message names it. */
final class LeakCheckTest {

  private static final Deque<AutoCloseable> left = new ArrayDeque<>();

  /** The check is not conclusive while a thread of an earlier test is still ending. */
  @BeforeEach
  void waitsForTheThreadsOfEarlierTests() {
    eventually()
        .until(
            () ->
                Thread.getAllStackTraces().entrySet().stream()
                    .filter(thread -> thread.getKey() != Thread.currentThread())
                    .noneMatch(thread -> isOfWindlass(thread.getValue())));
  }

  private static boolean isOfWindlass(StackTraceElement[] stack) {
    List<String> own =
        Arrays.stream(stack)
            .map(StackTraceElement::getClassName)
            .filter(name -> name.startsWith("dev.windlass."))
            .toList();
    return !own.isEmpty()
        && own.stream().noneMatch(name -> name.startsWith("dev.windlass.testing."));
  }

  @AfterEach
  void closesWhatTheTestsHaveLeft() throws Exception {
    while (!left.isEmpty()) {
      left.pop().close();
    }
  }

  /** Runs a test that closes what it creates, and returns why it failed. */
  private static List<String> failures(Class<?> test) {
    return failures(test, "2000");
  }

  /** Runs a test that leaves something behind: nothing would come of waiting for it. */
  private static List<String> failuresAtOnce(Class<?> test) {
    return failures(test, "20");
  }

  private static List<String> failures(Class<?> test, String grace) {
    return EngineTestKit.engine("junit-jupiter")
        .configurationParameter("junit.jupiter.conditions.deactivate", "*")
        .configurationParameter(LeakedThreads.GRACE, grace)
        .selectors(selectClass(test))
        .execute()
        .testEvents()
        .failed()
        .map(Event::getPayload)
        .map(payload -> payload.orElseThrow().toString())
        .toList();
  }

  private static Manager running(EmbeddedApiServer server) {
    Manager manager = Manager.builder().config(server.clientConfig()).build();
    manager.cache(ConfigMap.class);
    manager.start();
    eventually().until(() -> server.openWatches() > 0);
    return manager;
  }

  @EmbeddedKubernetes
  static final class OpenManager {
    @Test
    void leavesAManager(EmbeddedApiServer server) {
      left.push(running(server));
    }
  }

  @EmbeddedKubernetes
  static final class OpenWatch {
    @Test
    void leavesAWatchOfItsOwnClient(EmbeddedApiServer server) {
      KubernetesClient client = server.newClient();
      left.push(client);
      client.configMaps().inNamespace("default").inform();
      eventually().until(() -> server.openWatches() > 0);
    }
  }

  @EmbeddedKubernetes(leakCheck = false)
  static final class NotChecked {
    @Test
    void leavesAManager(EmbeddedApiServer server) {
      left.push(running(server));
    }
  }

  @EmbeddedKubernetes
  static final class Clean {
    @Test
    void closesWhatItCreates(EmbeddedApiServer server, KubernetesClient injected) {
      injected.configMaps().inNamespace("default").inform(); // ends with its client
      try (Manager manager = running(server);
          KubernetesClient client = server.newClient()) {
        client.configMaps().inNamespace("default").inform();
        client.configMaps().inNamespace("default").watch(new Ignoring());
        assertThat(manager.isStopping()).isFalse();
      }
    }

    @Test
    void letsTheInjectedManagerBeClosed(Manager manager) {
      manager.cache(ConfigMap.class);
      manager.start();
    }
  }

  @LeakCheck
  static final class OpenManagerOfAnotherServer {
    @Test
    void leavesAManager() {
      EmbeddedApiServer server = EmbeddedApiServer.start();
      left.push(server);
      left.push(running(server));
    }
  }

  @LeakCheck
  static final class ClosedManagerOfAnotherServer {
    @Test
    void closesIt() {
      try (EmbeddedApiServer server = EmbeddedApiServer.start();
          Manager manager = running(server)) {
        assertThat(manager.isStopping()).isFalse();
      }
    }
  }

  private static final class Ignoring implements Watcher<ConfigMap> {
    @Override
    public void eventReceived(Action action, ConfigMap object) {}

    @Override
    public void onClose(WatcherException cause) {}
  }

  @Test
  void namesTheWatchesAndTheThreadsOfAManagerThatWasNotClosed() {
    assertThat(failuresAtOnce(OpenManager.class))
        .singleElement()
        .asString()
        .contains("the test left 1 watch open", "configmaps in all namespaces")
        .contains("threads of Windlass", "informer-configmaps-reflector", "WAITING in ");
  }

  @Test
  void namesTheWatchOfAClientThatWasNotClosed() {
    assertThat(failuresAtOnce(OpenWatch.class))
        .singleElement()
        .asString()
        .contains("the test left 1 watch open", "configmaps in namespace default")
        .doesNotContain("threads");
  }

  @Test
  void namesTheThreadsWithoutAServerOfItsOwn() {
    assertThat(failuresAtOnce(OpenManagerOfAnotherServer.class))
        .singleElement()
        .asString()
        .contains("threads of Windlass", "informer-configmaps-applier");
  }

  @Test
  void findsNothingAfterTestsThatCloseWhatTheyCreate() {
    assertThat(failures(Clean.class)).isEmpty();
    assertThat(failures(ClosedManagerOfAnotherServer.class)).isEmpty();
  }

  @Test
  void canBeSwitchedOff() {
    assertThat(failures(NotChecked.class)).isEmpty();
  }

  /** Threads of a manager that outlives the tests belong to none of them. */
  @Test
  void accusesNobodyOfThreadsThatWereThereBefore() {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        Manager manager = running(server)) {
      assertThat(failures(OpenManagerOfAnotherServer.class)).isEmpty();
      assertThat(manager.isStopping()).isFalse();
    }
  }
}
