// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.simulation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The order of changes and of reconciles. A widget is lost if its last change was followed by no
 * start of a reconcile.
 */
final class WidgetChanges {

  private final Map<String, Integer> changed = new HashMap<>();
  private final Map<String, Integer> reconciled = new HashMap<>();
  private int order;
  private int count;

  /** Records that the user has changed a widget or one of its children. */
  void changed(String widget) {
    changed.put(widget, order++);
    count++;
  }

  /** Records that a reconcile of a widget starts. */
  void reconciles(String widget) {
    reconciled.put(widget, order++);
  }

  int count() {
    return count;
  }

  /** Returns the lost ones among the widgets that exist. */
  List<String> lost(List<String> existing) {
    return existing.stream()
        .filter(changed::containsKey)
        .filter(widget -> reconciled.getOrDefault(widget, -1) < changed.get(widget))
        .toList();
  }
}
