// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.client.Client;
import dev.windlass.client.ListParams;
import dev.windlass.client.owned.Owned;
import dev.windlass.controller.enqueue.NamespaceSet;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.object.Projection;
import dev.windlass.object.Transform;
import dev.windlass.testing.core.Samples;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.Config;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Null is refused where it is given, by a sentence that names the call. */
@SuppressWarnings({"NullAway", "unchecked"})
final class NullsTest {

  private static final Map<String, Consumer<ManagerBuilder>> CALLS =
      Map.ofEntries(
          Map.entry("kubeconfig", b -> b.kubeconfig(null)),
          Map.entry("master", b -> b.master(null)),
          Map.entry("settings", b -> b.settings((Function<String, String>) null)),
          Map.entry("config", b -> b.config(null)),
          Map.entry("client", b -> b.client(null)),
          Map.entry("namespace", b -> b.namespace(null)),
          Map.entry("cache", b -> b.cache(InformerSpec.of(Secret.class), null)),
          Map.entry("cacheTransform", b -> b.cacheTransform(null)),
          Map.entry("neverCache", b -> b.neverCache((Class<? extends HasMetadata>[]) null)),
          Map.entry("connector", b -> b.connector((ManagerBuilder.Connector) null)),
          Map.entry("informerOptions", b -> b.informerOptions(null)),
          Map.entry("clock", b -> b.clock(null)),
          Map.entry("stopTimeout", b -> b.stopTimeout(null)),
          Map.entry("fieldOwner", b -> b.fieldOwner(null)),
          Map.entry("leaderElection", b -> b.leaderElection(null)),
          Map.entry("onLeadershipLost", b -> b.onLeadershipLost(null)),
          Map.entry("meterRegistry", b -> b.meterRegistry(null)),
          Map.entry("observationRegistry", b -> b.observationRegistry(null)),
          Map.entry("healthProbeBindAddress", b -> b.healthProbeBindAddress(null)),
          Map.entry("metricsBindAddress", b -> b.metricsBindAddress(null)),
          Map.entry("metricsText", b -> b.metricsText(null)),
          Map.entry("metricsTls", b -> b.metricsTls(Path.of("certificate"), null)),
          Map.entry("wedgedWorkers", b -> b.wedgedWorkers(null, OnWedged.REPORT)));

  @Test
  void areRefusedByTheBuilder() {
    CALLS.forEach(
        (name, call) ->
            assertThatThrownBy(() -> call.accept(Manager.builder()))
                .isInstanceOf(NullPointerException.class)
                .hasMessage(
                    "the manager received null through %s(...): pass a value, or omit the call",
                    name));
  }

  private static void refused(ThrowingCallable call, String sentence) {
    assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage(sentence);
  }

  @Test
  void areRefusedByTheRest() {
    refused(
        () -> NamespaceSet.of().add(null), "add(...) was given null: pass the name of a namespace");
    refused(
        () -> ListParams.in(null),
        "in(...) was given null: use ListParams.ALL to select all objects");
    refused(
        () -> ListParams.ALL.withLabels((String) null),
        "withLabels(...) was given null: omit the call to select all objects");
    refused(
        () -> ListParams.ALL.withFields(null),
        "withFields(...) was given null: omit the call to select all objects");
    refused(
        () -> WatchScope.ALL.withLabels(null), "the labels are null: use an empty string for all");
    try (Manager manager = Manager.builder().config(Config.empty()).build()) {
      Client client = manager.client();
      refused(
          () -> client.reading((Transform) null),
          "reading(...) was given null: pass Transform.NONE to keep all fields");
      refused(
          () -> client.reading((Projection) null),
          "reading(...) was given null: pass a Projection");
      refused(
          () -> Owned.apply(client, Samples.foo("a"), null),
          "apply(...) was given null: pass the desired object");
      refused(
          () -> manager.cluster("east", null),
          "cluster(...) was given null: pass the configuration of its client");
    }
  }
}
