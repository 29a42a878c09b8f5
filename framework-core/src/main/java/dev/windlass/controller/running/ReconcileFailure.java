// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import dev.windlass.client.ApiException;
import dev.windlass.client.Conflicts;
import dev.windlass.client.NotFoundException;
import dev.windlass.controller.reconcile.TerminalException;
import dev.windlass.failure.CauseChain;
import dev.windlass.failure.FailureAdvice;
import dev.windlass.logging.OneLine;
import java.time.Duration;

/**
 * The failure of a reconcile, classified to determine the retry and the log line. If the error
 * policy also threw an exception, that exception determines the retry, and the log line contains
 * both.
 *
 * @param exception the exception that the reconciler threw, or the exception that the error policy
 *     threw to replace it
 * @param last the exception that was thrown last; the same as {@code exception} unless the error
 *     policy threw an unrelated exception
 */
record ReconcileFailure(Throwable exception, Throwable last) {

  /**
   * The number of consecutive conflicts of an object from which a conflict is handled like any
   * other failure: 5, the number of attempts of {@link Conflicts#retry}. Fewer conflicts are
   * routine: another client has changed the object, and the next run reads that change.
   */
  static final int PERSISTENT_CONFLICTS = 5;

  /**
   * The maximum delay that a server can request: 2 min, as for lists and watches. The limit
   * prevents an unreasonable value from blocking an object.
   */
  static final Duration LONGEST_RETRY_AFTER = Duration.ofMinutes(2);

  /**
   * The maximum length of an exception message in a log message, in characters. The stack trace is
   * logged in addition.
   */
  private static final int LONGEST = 600;

  ReconcileFailure(Throwable exception) {
    this(exception, exception);
  }

  /**
   * Returns this failure after the error policy threw an exception as well. If the policy rethrew
   * or wrapped this failure's exception, its exception replaces this failure's exception. If it
   * threw an unrelated exception, for example because it could not write the status, both are kept,
   * and the unrelated exception is added to the other one as a suppressed exception.
   */
  ReconcileFailure afterPolicy(Throwable thrown) {
    if (CauseChain.of(thrown).anyMatch(cause -> cause == exception)) {
      return new ReconcileFailure(thrown);
    }
    exception.addSuppressed(thrown);
    return new ReconcileFailure(exception, thrown);
  }

  /** Returns whether a {@link TerminalException} declares that a retry cannot succeed. */
  boolean isTerminal() {
    return CauseChain.contains(last, TerminalException.class);
  }

  /**
   * Returns whether the server accepts no new object in the given namespace because it is being
   * deleted. An object in this namespace goes with it, so nobody has to do anything. The end of
   * another namespace can be news to the owner of the object.
   */
  boolean isEndOf(String namespace) {
    return !isTerminal() && ApiException.isEndOf(namespace, last);
  }

  /**
   * Returns whether a failure shows that an object has changed since the reconcile read it: it is a
   * conflict, or the object has been deleted.
   */
  static boolean isConflict(Throwable thrown) {
    return Conflicts.isConflict(thrown) || CauseChain.contains(thrown, NotFoundException.class);
  }

  /** Returns whether this failure is a conflict that the next run is expected to resolve. */
  boolean isRoutineConflict(int conflictsInARow) {
    return conflictsInARow < PERSISTENT_CONFLICTS
        && isConflict(exception)
        && isConflict(last)
        && !isTerminal();
  }

  boolean isOverload() {
    return ApiException.isOverload(exception);
  }

  /**
   * Returns the delay that an overloaded server has requested, up to {@link #LONGEST_RETRY_AFTER},
   * or zero if it requested no delay.
   */
  Duration requestedDelay() {
    Duration first = ApiException.retryAfter(exception);
    Duration second = ApiException.retryAfter(last);
    Duration longer = first.compareTo(second) < 0 ? second : first;
    return longer.compareTo(LONGEST_RETRY_AFTER) > 0 ? LONGEST_RETRY_AFTER : longer;
  }

  /** Returns the message of the exception in one line. */
  String message() {
    return message(exception);
  }

  private static String message(Throwable thrown) {
    String message = thrown.getMessage();
    return OneLine.of(message == null ? thrown.getClass().getSimpleName() : message, LONGEST);
  }

  /**
   * Returns the message in one line, followed by advice on the failure if the message does not
   * contain it. If the error policy threw an unrelated exception, its message follows. The result
   * does not end with a full stop, because the log message continues.
   */
  String explanation() {
    return last == exception
        ? explanation(exception)
        : explanation(exception) + "; onError failed as well: " + explanation(last);
  }

  private static String explanation(Throwable thrown) {
    boolean complete = CauseChain.contains(thrown, ApiException.class);
    String advice = complete ? "" : FailureAdvice.of(thrown).map(found -> ". " + found).orElse("");
    String text = message(thrown) + advice;
    return text.endsWith(".") && !text.endsWith("..") ? text.substring(0, text.length() - 1) : text;
  }
}
