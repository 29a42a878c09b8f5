// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.versions;

import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;

/** The status of a box. Public fields, which Jackson reads as well. */
public final class BoxStatus {
  public Integer ready;
  public List<Condition> conditions;
}
