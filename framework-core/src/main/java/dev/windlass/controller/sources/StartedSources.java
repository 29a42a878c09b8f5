// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.sources;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.enqueue.Source;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * The sources that are started, being started or being stopped in any run of a controller. A source
 * that outlasts its run, because its start or stop does not return, is not started a second time
 * meanwhile. Thread safe.
 */
public final class StartedSources {

  @GuardedBy("this")
  private final Set<Source> sources = Collections.newSetFromMap(new IdentityHashMap<>());

  /**
   * Returns whether the source may be started now; if so, it can't be started again until it has
   * ended.
   */
  synchronized boolean begin(Source source) {
    return sources.add(source);
  }

  /** Records that a source could not be started, or has been stopped. */
  synchronized void ended(Source source) {
    sources.remove(source);
  }
}
