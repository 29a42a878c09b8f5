// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.reconciler;

import dev.windlass.diagnosis.LeaseDiagnosis;
import dev.windlass.manager.Manager;
import java.time.Duration;
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
          "the reconcile of %s still fails after %d h of virtual time: %s"
              .formatted(failing.get().object(), after.toHours(), thrown),
          thrown);
    }
    return new AssertionError(
        "the operator still writes after %d h of virtual time. The last writes: %s"
            .formatted(
                after.toHours(), writes.subList(Math.max(0, writes.size() - 5), writes.size())));
  }

  /**
   * Throws an error if the manager's controllers do not run, because the manager has failed or has
   * been stopped, or because it does not hold its lease. Such an operator writes nothing, so a test
   * must not mistake it for a stable one.
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
    return manager.diagnosis().leases().stream()
        .filter(lease -> !lease.leading())
        .map(Instability::notLeading)
        .findFirst();
  }

  private static AssertionError notLeading(LeaseDiagnosis lease) {
    return new AssertionError(
        "the operator does not run, because it does not hold the lease %s, which %s holds"
            .formatted(lease.lease(), lease.holder().orElse("nobody")));
  }
}
