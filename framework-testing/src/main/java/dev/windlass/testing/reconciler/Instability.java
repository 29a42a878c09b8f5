// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.reconciler;

import dev.windlass.diagnosis.ControllerDiagnosis;
import dev.windlass.diagnosis.Diagnosis;
import dev.windlass.diagnosis.LeaseDiagnosis;
import dev.windlass.manager.Manager;
import dev.windlass.scheduling.DurationText;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** Creates the errors that a test throws if an operator is not stable. */
final class Instability {

  private static final String RESTART =
      "A real process would end and be restarted: to start a new one, call crash()";

  private Instability() {}

  /** Returns an error for an operator that still writes or fails. */
  static AssertionError notQuiet(Optional<Reconciled> failing, List<Write> writes, Duration after) {
    if (failing.isPresent()) {
      Throwable thrown = failing.get().failure().orElseThrow();
      return new AssertionError(
          "the reconcile of %s still fails after %s of virtual time: %s"
              .formatted(failing.get().object(), elapsed(after), thrown),
          thrown);
    }
    return new AssertionError(
        "the operator still writes after %s of virtual time. The last writes: %s"
            .formatted(
                elapsed(after), writes.subList(Math.max(0, writes.size() - 5), writes.size())));
  }

  private static String elapsed(Duration after) {
    boolean isLong = after.compareTo(Duration.ofMinutes(1)) >= 0;
    return DurationText.of(after.truncatedTo(isLong ? ChronoUnit.MINUTES : ChronoUnit.SECONDS));
  }

  /**
   * Throws an error if the manager's controllers do not run, because the manager has failed or has
   * been stopped, because it does not hold its lease, or because a cache has not synced. Such an
   * operator writes nothing, so a test must not mistake it for a stable one.
   */
  static void requireWorking(Manager manager) {
    outage(manager)
        .ifPresent(
            error -> {
              throw error;
            });
  }

  private static Optional<AssertionError> outage(Manager manager) {
    Optional<Throwable> failure = manager.failure();
    if (failure.isPresent()) {
      return Optional.of(
          new AssertionError(
              "the operator does not run, because its manager has failed: %s. %s"
                  .formatted(failure.get().getMessage(), RESTART),
              failure.get()));
    }
    if (manager.isStopping()) {
      return Optional.of(
          new AssertionError(
              "the operator does not run, because its manager has been stopped. " + RESTART));
    }
    Diagnosis diagnosis = manager.diagnosis();
    return diagnosis.leases().stream()
        .filter(lease -> !lease.leading())
        .map(Instability::notLeading)
        .findFirst()
        .or(
            () ->
                diagnosis.controllers().stream()
                    .filter(controller -> !controller.ready())
                    .map(Instability::notReady)
                    .findFirst());
  }

  private static AssertionError notReady(ControllerDiagnosis controller) {
    return new AssertionError(
        "the controller %s does not run: %s. To install a custom resource definition, call install(...)"
            .formatted(
                controller.name(), controller.problem().orElse("its sources have not synced")));
  }

  private static AssertionError notLeading(LeaseDiagnosis lease) {
    return new AssertionError(
        "the operator does not run, because it does not hold the lease %s, which %s holds"
            .formatted(lease.lease(), lease.holder().orElse("nobody")));
  }
}
