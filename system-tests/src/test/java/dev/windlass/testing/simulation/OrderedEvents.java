// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.simulation;

import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.informer.notify.ResourceEventHandler;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import dev.windlass.tests.owned.Widget;
import java.util.HashMap;
import java.util.Map;

/** A handler that checks the order of events: added, updated, deleted, and never back in time. */
final class OrderedEvents implements ResourceEventHandler<Widget> {

  private final Violations violations;
  private final Map<ObjectKey, CachedObject<Widget>> known = new HashMap<>();

  OrderedEvents(Violations violations) {
    this.violations = violations;
  }

  @Override
  public void handle(ResourceEvent<Widget> event) {
    CachedObject<Widget> object = event.object();
    CachedObject<Widget> before =
        event.type() == ResourceEvent.Type.DELETED
            ? known.remove(event.key())
            : known.put(event.key(), object);
    violations.check(
        (before == null) == (event.type() == ResourceEvent.Type.ADDED),
        "P1: " + event.key() + " was " + event.type() + " after " + before);
    if (before != null && before.isSameObject(object)) {
      violations.check(
          object.version() >= before.version(),
          "P1: %s went from version %d back to %d"
              .formatted(event.key(), before.version(), object.version()));
    }
  }
}
