// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.reconciler;

/** What goes wrong in one run of a test. */
sealed interface Fault {

  /** Returns the fault in words, after a run without faults. */
  String describe(Trace reference);

  /** Nothing goes wrong. */
  record None() implements Fault {
    @Override
    public String describe(Trace reference) {
      return "without faults";
    }
  }

  /**
   * The process is killed after a write was stored, before it receives the response.
   *
   * @param write the number of the write, from 0
   */
  record Crash(int write) implements Fault {
    @Override
    public String describe(Trace reference) {
      String after = "crash after '" + reference.writes().get(write) + "'";
      return write + 1 < reference.writes().size()
          ? after + ", before '" + reference.writes().get(write + 1) + "'"
          : after + ", the last write";
    }
  }

  /**
   * A watch is late: this event and its successors arrive only after another reconcile, or when
   * nothing else happens.
   *
   * @param event the number of the event, from 0
   */
  record Late(int event) implements Fault {
    @Override
    public String describe(Trace reference) {
      return "late event '" + reference.events().get(event) + "'";
    }
  }

  /**
   * An event is lost: when nothing else happens, the watch breaks, and its history is compacted.
   * The controller sees only the state at that time.
   *
   * @param event the number of the event, from 0
   */
  record Lost(int event) implements Fault {
    @Override
    public String describe(Trace reference) {
      return "lost event '" + reference.events().get(event) + "'";
    }
  }
}
