// SPDX-License-Identifier: Apache-2.0
package dev.windlass.crd;

import dev.windlass.logging.OneLine;
import dev.windlass.scheduling.Deadline;
import dev.windlass.scheduling.Scheduler;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionCondition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits until the API server serves all versions of the given CRDs. The {@code Established}
 * condition is not sufficient if a CRD already existed, because the condition remains true while
 * the API server adds a version. Discovery lists a version only once the API server serves it.
 *
 * @param server the API server
 * @param apply applies a CRD again if the CRD no longer exists
 * @param scheduler the clock and the timer
 * @param limit the time limit for all CRDs together
 */
record CrdWait(CrdServer server, CrdApply apply, Scheduler scheduler, Duration limit) {

  private static final Logger log = LoggerFactory.getLogger(CrdInstallation.class);

  /** The interval between two checks: 100 ms. */
  private static final Duration REST = Duration.ofMillis(100);

  /**
   * Waits until the API server serves the given CRDs.
   *
   * @throws IllegalStateException if the API server does not serve them within the limit or cannot
   *     serve them; the message states the reason
   */
  void untilServed(List<CrdFile> crds) {
    Deadline deadline = Deadline.in(limit, scheduler);
    for (CrdFile crd : crds) {
      untilServed(crd, deadline);
      log.info("The CRD {} is installed", crd.name());
    }
  }

  private void untilServed(CrdFile crd, Deadline deadline) {
    for (Optional<String> obstacle = obstacle(crd);
        obstacle.isPresent();
        obstacle = obstacle(crd)) {
      if (deadline.hasPassed()) {
        throw new IllegalStateException(
            "the API server does not serve the CRD %s after %d s: %s; see: kubectl describe crd %s"
                .formatted(crd.name(), limit.toSeconds(), obstacle.get(), crd.name()));
      }
      rest();
    }
  }

  /**
   * Returns the reason why the API server does not serve the CRD yet, or empty if it does. If the
   * CRD no longer exists, this method applies it again.
   */
  private Optional<String> obstacle(CrdFile file) {
    try {
      CustomResourceDefinition found = server.get(file.name());
      if (found == null) {
        apply.run(file);
        return Optional.of("the CRD was deleted");
      }
      if (found.getMetadata().getDeletionTimestamp() != null) {
        return Optional.of(
            "the CRD is being deleted, which ends only when all its objects are deleted");
      }
      if (is(found, "NamesAccepted", "False")) {
        throw new IllegalStateException(
            "the names of the CRD %s are taken by another CRD of its group: %s"
                .formatted(file.name(), condition(found, "NamesAccepted")));
      }
      return is(found, "Established", "True")
          ? missingVersion(file.crd())
          : Optional.of(condition(found, "Established"));
    } catch (KubernetesClientException e) {
      throw CrdApply.failure("read", file.name(), e);
    }
  }

  private Optional<String> missingVersion(CustomResourceDefinition crd) {
    String group = crd.getSpec().getGroup();
    String plural = crd.getSpec().getNames().getPlural();
    return crd.getSpec().getVersions().stream()
        .filter(version -> Boolean.TRUE.equals(version.getServed()))
        .map(CustomResourceDefinitionVersion::getName)
        .filter(version -> !server.resources(group + "/" + version).contains(plural))
        .map(version -> "the CRD is established, but its version " + version + " is not served")
        .findFirst();
  }

  private static @Nullable CustomResourceDefinitionCondition find(
      CustomResourceDefinition crd, String type) {
    return crd.getStatus() == null || crd.getStatus().getConditions() == null
        ? null
        : crd.getStatus().getConditions().stream()
            .filter(condition -> condition.getType().equals(type))
            .findFirst()
            .orElse(null);
  }

  private static boolean is(CustomResourceDefinition crd, String type, String status) {
    CustomResourceDefinitionCondition found = find(crd, type);
    return found != null && found.getStatus().equals(status);
  }

  private static String condition(CustomResourceDefinition crd, String type) {
    CustomResourceDefinitionCondition found = find(crd, type);
    return found == null
        ? "it has no condition " + type
        : OneLine.of(
            "%s is %s (%s, %s)"
                .formatted(type, found.getStatus(), found.getReason(), found.getMessage()),
            300);
  }

  private void rest() {
    CountDownLatch over = new CountDownLatch(1);
    scheduler.schedule(over::countDown, REST);
    try {
      over.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the CRDs", e);
    }
  }
}
