// SPDX-License-Identifier: Apache-2.0
package dev.windlass.diagnosis;

import java.util.List;

/** A component of a manager that processes keys from a queue and can report its state. */
public interface DiagnosisSource {

  /** Returns a snapshot of the current state. Any thread can call this method. */
  ControllerDiagnosis diagnosis();

  /**
   * Returns human-readable descriptions of the resources and sources that the component watches.
   */
  List<String> watched();
}
