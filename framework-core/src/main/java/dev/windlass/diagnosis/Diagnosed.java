// SPDX-License-Identifier: Apache-2.0
package dev.windlass.diagnosis;

import java.util.List;

/** A component of a manager that has a queue of keys, and can say how it goes on with them. */
public interface Diagnosed {

  /** How it is now. May be called from any thread. */
  ControllerDiagnosis diagnosis();

  /** What it watches, for people. */
  List<String> watched();
}
