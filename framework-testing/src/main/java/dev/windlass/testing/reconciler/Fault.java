// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.reconciler;

/** The fault that the test kit injects into one run of a test. */
sealed interface Fault {

  /** Returns a description of the fault, based on the run without faults. */
  String describe(Trace reference);

  /** The absence of a fault, for the run with which all other runs are compared. */
  record None() implements Fault {
    @Override
    public String describe(Trace reference) {
      return "without faults";
    }
  }

  /**
   * The test kit kills the process after the server has stored a write, and before the process
   * receives the response.
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
   * The test kit delays a watch: an event and all later events of the watch arrive only after
   * another reconcile, or when all other work has been done.
   *
   * @param event the event's number, from 0
   */
  record Late(int event) implements Fault {
    @Override
    public String describe(Trace reference) {
      return "late event '" + reference.events().get(event) + "'";
    }
  }

  /**
   * A watch loses an event and all later events. When all other work has been done, the test kit
   * compacts the server's history and breaks all watches. The controller then receives only the
   * state at that time.
   *
   * @param event the event's number, from 0
   */
  record Lost(int event) implements Fault {
    @Override
    public String describe(Trace reference) {
      return "lost event '" + reference.events().get(event) + "'";
    }
  }
}
