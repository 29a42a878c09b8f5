// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.enqueue.Source;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * The sources that are started, being started or being stopped in any run of a controller. A source
 * can outlast its run if its {@code start} or {@code stop} method does not return. The controller
 * does not start such a source again until the source has stopped. This class is thread-safe.
 */
public final class StartedSources {

  @GuardedBy("this")
  private final Set<Source> sources = Collections.newSetFromMap(new IdentityHashMap<>());

  /**
   * Returns whether the source may be started now. If so, this method marks it as started until
   * {@link #ended} is called.
   */
  synchronized boolean begin(Source source) {
    return sources.add(source);
  }

  /** Records that a source has been stopped or could not be started. */
  synchronized void ended(Source source) {
    sources.remove(source);
  }
}
