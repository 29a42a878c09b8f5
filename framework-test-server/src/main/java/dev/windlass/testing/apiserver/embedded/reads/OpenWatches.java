// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.reads;

import dev.windlass.testing.apiserver.embedded.http.ApiRequest;
import dev.windlass.testing.apiserver.embedded.threads.Background;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The open watches of the server, with their timers. This class is thread-safe. */
public final class OpenWatches {
  /**
   * The default time-out of a watch. kube-apiserver chooses 30 to 60 minutes at random, but a fixed
   * time makes tests repeatable.
   */
  private static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(30);

  private final Set<WatchSession> open = ConcurrentHashMap.newKeySet();
  private final Background timers;
  private final Duration bookmarkInterval;

  public OpenWatches(Background timers, Duration bookmarkInterval) {
    this.timers = timers;
    this.bookmarkInterval = bookmarkInterval;
  }

  /** Runs the given watch on this thread until the watch ends. */
  public void run(ApiRequest request, WatchSession session, OutputStream out)
      throws IOException, InterruptedException {
    Runnable end = begin(request, session);
    try {
      session.run(out);
    } finally {
      end.run();
    }
  }

  /**
   * Begins the time-out and the bookmarks of a watch. Returns the action to run when the watch has
   * ended.
   */
  public Runnable begin(ApiRequest request, WatchSession session) {
    long seconds = request.number("timeoutSeconds");
    Duration timeout = seconds > 0 ? Duration.ofSeconds(seconds) : DEFAULT_TIMEOUT;
    List<Runnable> timing =
        List.of(
            timers.after(timeout, session::end), timers.every(bookmarkInterval, session::bookmark));
    open.add(session);
    return () -> {
      open.remove(session);
      timing.forEach(Runnable::run);
    };
  }

  /** Closes the connections of all open watches. */
  public void cutAll() {
    open.forEach(WatchSession::cut);
  }

  public int size() {
    return open.size();
  }
}
