// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.manager;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.Controller;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.enqueue.NamespaceSet;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.diagnosis.CacheDiagnosis;
import dev.windlass.health.HealthCheck;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.manager.Manager;
import dev.windlass.manager.ManagerBuilder;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.tests.owned.Rights;
import dev.windlass.tests.owned.Samples;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A controller of several namespaces, in one of which the program may do nothing yet. */
@Timeout(120)
final class MissingPermissionsIT {

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  private final String permitted = "permitted-" + UUID.randomUUID();
  private final String forbidden = "forbidden-" + UUID.randomUUID();
  private final String user = "operator-" + UUID.randomUUID();
  private final Queue<String> seen = new ConcurrentLinkedQueue<>();

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void doesNotWaitForIt(boolean standby) throws InterruptedException {
    kubernetes.server().install(Widget.definition());
    try (KubernetesClient admin = kubernetes.server().newClient();
        Manager limited = manager(standby)) {
      for (String name : new String[] {permitted, forbidden}) {
        admin.resource(Samples.namespace(name)).create();
        admin.resource(Widget.of(name, "w")).create();
      }
      permit(admin, permitted);
      Controller controller =
          ControllerBuilder.forType(Widget.class)
              .objectReconciler(
                  (widget, context) -> {
                    seen.add(widget.getMetadata().getNamespace());
                    return Result.done();
                  })
              .inNamespaces(NamespaceSet.of(permitted, forbidden))
              .register(limited);
      limited.start();
      eventually().until(() -> seen.contains(permitted));
      assertThat(controller.isReady()).isTrue();
      assertThat(limited.endpoints().check(HealthCheck.Kind.READY).get("caches"))
          .hasValueSatisfying(
              cause ->
                  assertThat(cause)
                      .contains(
                          "widgets.owned.windlass.dev of "
                              + forbidden
                              + " (not synced: Permission denied")
                      .doesNotContain(" of " + permitted + " ("));
      assertThat(limited.diagnosis().caches())
          .filteredOn(cache -> cache.problem().isPresent())
          .extracting(CacheDiagnosis::namespace)
          .containsOnly(forbidden);
      assertThat(seen).doesNotContain(forbidden);
      permit(admin, forbidden);
      eventually().until(() -> seen.contains(forbidden));
      eventually()
          .until(() -> limited.endpoints().check(HealthCheck.Kind.READY).get("caches").isEmpty());
    }
  }

  private Manager manager(boolean standby) {
    ManagerBuilder builder = Manager.builder().config(kubernetes.server().userConfig(user));
    return standby
        ? builder.leaderElection(LeaderElectionOptions.of("w").withNamespace(permitted)).build()
        : builder.build();
  }

  private void permit(KubernetesClient admin, String namespace) {
    Rights.grant(admin, namespace, "operator", Rights.rule("*", "*", "*"), Rights.user(user));
  }
}
