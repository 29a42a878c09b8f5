// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager.permissions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.InformerHandle;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.leader.ShardOptions;
import dev.windlass.manager.Manager;
import dev.windlass.rbac.Permissions;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.Config;
import org.junit.jupiter.api.Test;

final class DeclaredPermissionsTest {

  /** The watch of the Leases begins when the manager starts, and reads none by its name. */
  @Test
  void areTheSameWhenTheReplicasWatchTheirLeases() {
    try (Manager manager =
        Manager.builder()
            .config(Config.empty())
            .shards(
                ShardOptions.of("lease")
                    .withElection(election -> election.withNamespace("here"))
                    .withShards(2))
            .build()) {
      Permissions before = manager.permissions();
      try (InformerHandle<Lease> watch = leases(manager, "here")) {
        assertThat(watch.informer().hasSynced()).isFalse();
        assertThat(manager.permissions()).isEqualTo(before);
      }
      try (InformerHandle<Lease> other = leases(manager, "there")) {
        assertThat(other.informer().hasSynced()).isFalse();
        assertThat(manager.permissions().all()).hasSize(before.all().size() + 3);
      }
    }
  }

  private static InformerHandle<Lease> leases(Manager manager, String namespace) {
    return manager
        .informers()
        .acquire(InformerSpec.of(Lease.class).in(WatchScope.namespace(namespace)));
  }
}
