// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.controller.enqueue.EventPredicate;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.testing.FakeListerWatcher;
import dev.windlass.leader.LeadershipLostException;
import dev.windlass.metrics.ManagerMetrics;
import dev.windlass.testing.core.Foo;
import dev.windlass.testing.core.Samples;
import dev.windlass.testsupport.Logs;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A second cluster in one manager. */
@Timeout(60)
final class ClusterTest extends LeaderHarness {

  private static final String ELSEWHERE = "http://127.0.0.1:9/";

  private final FakeListerWatcher otherServer = new FakeListerWatcher();
  private final List<String> seen = new CopyOnWriteArrayList<>();
  private final Manager manager =
      build(
          settings(connection)
              .connector(
                  client ->
                      (type, scope) ->
                          client.getConfiguration().getMasterUrl().equals(ELSEWHERE)
                              ? otherServer
                              : server));

  private KubernetesCluster other() {
    Config config = new ConfigBuilder(Config.empty()).withMasterUrl(ELSEWHERE).build();
    return manager.cluster("other", config);
  }

  @Test
  void bringsWhatHappensInAnotherClusterToOneController() {
    KubernetesCluster other = other();
    server.put(Samples.json("Foo", "here"));
    otherServer.put(Samples.json("Foo", "there"));
    ControllerBuilder.forType(Foo.class)
        .watches(
            Source.informer(
                other.informers(),
                InformerSpec.of(Foo.class),
                EventPredicate.allOf(List.of()),
                EventHandler.mapping(
                    foo -> List.of(Request.of("other", foo.getMetadata().getName()))),
                Duration.ZERO))
        .reconciler(
            (request, context) -> {
              seen.add(request.toString());
              return Result.done();
            })
        .register(manager);
    manager.start();
    eventually(() -> assertThat(seen).contains("default/here", "other/there"));
    assertThat(other.client().list(Foo.class, "default"))
        .singleElement()
        .satisfies(foo -> assertThat(foo.getMetadata().getName()).isEqualTo("there"));
    assertThat(manager.stop()).isTrue();
    otherServer.assertNothingOpen();
    assertThat(other.kubernetesClient().getHttpClient().isClosed()).isTrue();
  }

  @Test
  void isWrittenByTheLeaderOnly() {
    KubernetesCluster other = other();
    assertThatThrownBy(() -> other.client().create(Samples.foo("a")))
        .isInstanceOf(LeadershipLostException.class);
  }

  /** Metrics and log lines of one that is refused would be wrong. */
  @Test
  void hasANameOfItsOwn() {
    KubernetesCluster other = other();
    assertThat(other.name()).isEqualTo("other");
    try (Logs logs = Logs.of(ManagerMetrics.class)) {
      assertThatThrownBy(this::other).hasMessageStartingWith("the cluster other already exists");
      assertThat(logs.messages()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " "})
  void doesNotTakeTheNameOfTheOwnOne(String name) {
    assertThatThrownBy(() -> manager.cluster(name, Config.empty()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "cluster(...) was given the name '"
                + name
                + "': choose a name that is not blank; the empty name is the program's own"
                + " cluster");
  }
}
