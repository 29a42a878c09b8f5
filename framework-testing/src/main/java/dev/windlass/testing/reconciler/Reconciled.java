// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.reconciler;

import dev.windlass.controller.reconcile.TerminalException;
import dev.windlass.object.UndecodableException;
import java.util.List;
import java.util.Optional;

/**
 * One run of a reconciler.
 *
 * @param controller the controller's name
 * @param object the object's namespace and name, such as {@code default/first}
 * @param outcome {@code success}, {@code requeue}, {@code requeue_after} or {@code error}, as in
 *     the metric {@code controller_runtime_reconcile_total}
 * @param failure the exception that the reconciler threw, or an {@link IllegalStateException} if it
 *     returned null
 * @param writes the writes during the run, in order
 */
public record Reconciled(
    String controller,
    String object,
    String outcome,
    Optional<Throwable> failure,
    List<Write> writes) {

  public Reconciled {
    writes = List.copyOf(writes);
  }

  /** Returns whether the reconcile failed with an exception after which the controller retries. */
  boolean isRetried() {
    if (failure.isEmpty() || failure.get() instanceof TerminalException) {
      return false;
    }
    boolean undecodable =
        failure.get() instanceof UndecodableException e
            && e.key().filter(key -> key.toString().equals(object)).isPresent();
    return !undecodable;
  }

  /**
   * Asserts that the reconciler returned normally and performed exactly the expected writes.
   *
   * @param expected the expected writes in order, each in the format of {@link Write#toString},
   *     such as {@code create configmaps default/first}
   * @throws AssertionError if the reconciler threw an exception, or if the writes differ; in the
   *     second case, the message lists the expected and the actual writes
   */
  public Reconciled assertWrites(String... expected) {
    failure.ifPresent(
        thrown -> {
          throw new AssertionError("the reconcile of " + object + " failed: " + thrown, thrown);
        });
    List<String> actual = writes.stream().map(Write::toString).toList();
    if (!actual.equals(List.of(expected))) {
      throw new AssertionError(
          "the reconcile of %s made other writes than expected.%nexpected: %s%nactual:   %s"
              .formatted(object, List.of(expected), actual));
    }
    return this;
  }
}
