// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.enqueue.Source;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Tracks which sources the runs of a controller are using. A source is in use from the time its
 * start begins until it has stopped. A source whose {@code start} or {@code stop} method does not
 * return can outlast its run. A later run does not start such a source until it has stopped. This
 * class is thread-safe.
 */
public final class StartedSources {

  @GuardedBy("this")
  private final Set<Source> sources = Collections.newSetFromMap(new IdentityHashMap<>());

  /**
   * Marks a source as in use until {@link #ended} is called.
   *
   * @return true if the source can be started, or false if it is still in use
   */
  synchronized boolean begin(Source source) {
    return sources.add(source);
  }

  /** Records that a source has been stopped or could not be started. */
  synchronized void ended(Source source) {
    sources.remove(source);
  }
}
