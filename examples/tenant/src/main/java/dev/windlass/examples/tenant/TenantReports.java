// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import dev.windlass.client.Client;
import dev.windlass.client.ConflictException;
import dev.windlass.client.owned.Conditions;
import dev.windlass.events.EventRecorder;
import java.time.Clock;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports the state of a Tenant in its condition Ready and with Events. */
final class TenantReports {

  private static final Logger log = LoggerFactory.getLogger(TenantReports.class);

  private final EventRecorder recorder;
  private final Clock clock;

  TenantReports(EventRecorder recorder, Clock clock) {
    this.recorder = recorder;
    this.clock = clock;
  }

  /**
   * Reports success. If nothing has changed, this method neither writes the status nor records an
   * Event.
   *
   * @param client the client of the reconcile
   * @param updated whether this reconcile has changed an object
   */
  void ready(Client client, Tenant tenant, boolean updated) {
    Conditions conditions = conditions(tenant);
    boolean wasReady = conditions.isTrue(TenantStatus.READY);
    boolean changed =
        conditions.set(TenantStatus.READY, Conditions.Status.TRUE, generation(tenant));
    if (changed) {
      try {
        client.updateStatus(tenant);
      } catch (RuntimeException e) {
        log.error("failed to update status: name={}", tenant.getMetadata().getName());
        throw e; // no Event is recorded, because the retry records it
      }
    }
    if (updated || !wasReady) {
      recorder.normal(tenant, "Updated", "the tenant was updated");
    }
  }

  /**
   * Reports a failure. Each failure is reported once: if the condition already states the failure,
   * this method neither writes the status nor records another Event.
   *
   * @param client the client of the reconcile
   * @param failure the failure. If the status update fails as well, this method adds that exception
   *     to this one as a suppressed exception
   */
  void failed(Client client, Tenant tenant, Exception failure) {
    String why = Objects.requireNonNullElse(failure.getMessage(), failure.toString());
    boolean changed =
        conditions(tenant)
            .set(TenantStatus.READY, Conditions.Status.FALSE, "Failed", why, generation(tenant));
    if (!changed) {
      return;
    }
    try {
      client.updateStatus(tenant);
    } catch (RuntimeException e) {
      log.error("failed to update status: name={}", tenant.getMetadata().getName());
      failure.addSuppressed(e);
      if (e instanceof ConflictException) {
        return; // the Tenant has changed, so the retry reports its state
      }
    }
    recorder.warning(tenant, "Failed", "failed to reconcile: " + why);
  }

  private Conditions conditions(Tenant tenant) {
    if (tenant.getStatus() == null) {
      tenant.setStatus(new TenantStatus());
    }
    return Conditions.of(tenant.getStatus().getConditions(), clock);
  }

  private static long generation(Tenant tenant) {
    return tenant.getMetadata().getGeneration();
  }
}
