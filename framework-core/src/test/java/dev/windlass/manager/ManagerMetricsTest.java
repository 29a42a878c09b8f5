// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.testing.core.Foo;
import dev.windlass.testing.core.Samples;
import dev.windlass.testing.core.Scraped;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ManagerMetricsTest extends LeaderHarness {

  private static final String LEADS = "leader_election_master_status{name=\"lease\"}";
  private static final String SUCCESS =
      "controller_runtime_reconcile_total{controller=\"foo\",result=\"success\"}";

  private static void control(Manager manager) {
    ControllerBuilder.forType(Foo.class)
        .reconciler((request, context) -> Result.done())
        .register(manager);
  }

  private void stop(Manager manager) {
    CompletableFuture<Boolean> stop = inBackground(manager::stop);
    eventually(() -> assertThat(stop).isDone());
  }

  @Test
  void showsWhoLeadsFromTheBeginning() {
    Manager manager = build(settings(connection));
    MeterRegistry registry = manager.meterRegistry();
    assertThat(Scraped.value(registry, LEADS)).isZero();
    manager.start();
    eventually(() -> assertThat(Scraped.value(registry, LEADS)).isEqualTo(1));
    assertThat(Scraped.value(registry, "windlass_leader_election_terms_total{name=\"lease\"}"))
        .isEqualTo(1);
  }

  /** The known trap of a registry for the whole process: the first one gets everything. */
  @Test
  void keepsTwoManagersOfOneProcessApart() {
    int before = Metrics.globalRegistry.getMeters().size();
    server.put(Samples.json("Foo", "a"));
    Manager first = build(settings(connection));
    Manager second = build(settings(lease.connect()));
    control(first);
    control(second);
    first.start();
    eventually(() -> assertThat(Scraped.value(first.meterRegistry(), SUCCESS)).isEqualTo(1));
    assertThat(Scraped.value(second.meterRegistry(), LEADS)).isZero();
    second.start();
    eventually(
        () ->
            assertThat(
                    Scraped.value(
                        second.meterRegistry(), "windlass_controller_ready{controller=\"foo\"}"))
                .isZero());
    assertThat(Scraped.value(second.meterRegistry(), SUCCESS)).isZero();
    assertThat(Metrics.globalRegistry.getMeters()).hasSize(before);
  }

  /** Each gauge of the second one would show the values of the first one. */
  @Test
  void rejectsTheRegistryOfAnotherManagerAndShowsBothInCompositesWithTags() {
    PrometheusMeterRegistry shared = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    Manager first = build(settings(connection).meterRegistry(shared));
    ManagerBuilder second = settings(lease.connect()).meterRegistry(shared);
    assertThatThrownBy(second::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("another manager of this process uses the same meter registry");
    assertThat(Scraped.value(shared, LEADS)).isZero();
    stop(first);
    stop(build(second));
    for (String name : List.of("a", "b")) {
      CompositeMeterRegistry tagged = new CompositeMeterRegistry();
      tagged.config().commonTags("manager", name);
      tagged.add(shared);
      Manager manager = build(settings(lease.connect()).meterRegistry(tagged));
      control(manager);
      manager.start();
      eventually(
          () ->
              assertThat(
                      Scraped.value(
                          shared,
                          "windlass_controller_ready{controller=\"foo\",manager=\"%s\"}"
                              .formatted(name)))
                  .isEqualTo(name.equals("a") ? 1 : 0));
    }
  }

  @Test
  void leavesNothingButYourMetersInARegistryOfYours() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    registry.counter("tenant_controller_added_namespaces").increment(2);
    server.put(Samples.json("Foo", "a"));
    Manager manager = build(settings(connection).meterRegistry(registry));
    assertThat(manager.meterRegistry()).isSameAs(registry);
    control(manager);
    manager.cluster(
        "other", new ConfigBuilder(Config.empty()).withMasterUrl("http://127.0.0.1:9/").build());
    manager.start();
    eventually(() -> assertThat(Scraped.value(registry, SUCCESS)).isEqualTo(1));
    assertThat(Scraped.lines(registry))
        .anyMatch(line -> line.startsWith("rest_client_requests_total"))
        .anyMatch(line -> line.contains("host=\"127.0.0.1:9\""))
        .anyMatch(line -> line.contains("cluster_name=\"other\""))
        .anyMatch(line -> line.startsWith("windlass_events_dropped_total"))
        .anyMatch(line -> line.startsWith("leader_election_master_status{name=\"lease\"}"))
        .anyMatch(line -> line.startsWith("windlass_cache_objects"));
    stop(manager);
    assertThat(Scraped.lines(registry))
        .containsExactly("tenant_controller_added_namespaces_total 2.0");
    assertThat(registry.isClosed()).isFalse();
  }

  @Test
  void closesARegistryOfItsOwn() {
    Manager manager = build(settings(connection));
    stop(manager);
    assertThat(manager.meterRegistry().isClosed()).isTrue();
  }
}
