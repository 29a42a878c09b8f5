// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.reconciler;

/** A fault to inject into one run of a test. */
sealed interface Fault {

  /**
   * Returns a description of the fault.
   *
   * @param reference the trace of the run without faults, which contains the write or event
   */
  String describe(Trace reference);

  /** No fault. The other runs are compared with the run without faults. */
  record None() implements Fault {
    @Override
    public String describe(Trace reference) {
      return "without faults";
    }
  }

  /**
   * A crash of the process after the server has stored a write and before the process receives the
   * response.
   *
   * @param write the index of the write, from 0
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
   * A delay of an event and all subsequent events of the same watch. The delay ends after the next
   * reconcile, or when no other work is due.
   *
   * @param event the index of the event, from 0
   */
  record Late(int event) implements Fault {
    @Override
    public String describe(Trace reference) {
      return "late event '" + reference.events().get(event) + "'";
    }
  }

  /**
   * The loss of an event and all subsequent events of the same watch. When no other work is due,
   * the test kit compacts the server's history and breaks all watches. The controller must then
   * list the objects again, and never receives the lost events.
   *
   * @param event the index of the event, from 0
   */
  record Lost(int event) implements Fault {
    @Override
    public String describe(Trace reference) {
      return "lost event '" + reference.events().get(event) + "'";
    }
  }
}
