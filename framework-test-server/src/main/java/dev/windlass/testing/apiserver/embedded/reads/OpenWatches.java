// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.reads;

import dev.windlass.testing.apiserver.embedded.http.ApiRequest;
import dev.windlass.testing.apiserver.embedded.threads.Background;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The open watches of the server, and their timers. This class is thread-safe. */
public final class OpenWatches {
  /**
   * The default time-out of a watch: 30 min. kube-apiserver chooses a random time from 30 to 60
   * minutes; a fixed time makes tests repeatable.
   */
  private static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(30);

  private final Map<WatchSession, ApiRequest> open = new ConcurrentHashMap<>();
  private final Background timers;
  private final Duration bookmarkInterval;

  public OpenWatches(Background timers, Duration bookmarkInterval) {
    this.timers = timers;
    this.bookmarkInterval = bookmarkInterval;
  }

  /** Runs the given watch on the current thread until the watch ends. */
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
   * Starts the timers for the time-out and the bookmarks of a watch. The caller must run the
   * returned action when the watch has ended.
   */
  public Runnable begin(ApiRequest request, WatchSession session) {
    long seconds = request.number("timeoutSeconds");
    Duration timeout = seconds > 0 ? Duration.ofSeconds(seconds) : DEFAULT_TIMEOUT;
    List<Runnable> timing =
        List.of(
            timers.after(timeout, session::end), timers.every(bookmarkInterval, session::bookmark));
    open.put(session, request);
    return () -> {
      open.remove(session);
      timing.forEach(Runnable::run);
    };
  }

  /** Closes the connections of all open watches. */
  public void cutAll() {
    open.keySet().forEach(WatchSession::cut);
  }

  /**
   * Sends a bookmark to each watch that accepts bookmarks, and returns descriptions of these
   * watches. If the client of a watch has disconnected, writing a bookmark fails, and the watch
   * ends. The failure occurs at the first or the second bookmark.
   */
  public List<String> probe() {
    List<String> probed = new ArrayList<>();
    open.forEach(
        (session, request) -> {
          if (session.acceptsBookmarks()) {
            session.bookmark();
            probed.add(describe(request));
          }
        });
    return probed.stream().sorted().toList();
  }

  private static String describe(ApiRequest request) {
    String resource = request.type().resource().toString();
    return request.namespace().isEmpty()
        ? resource + " in all namespaces"
        : resource + " in namespace " + request.namespace();
  }

  public int size() {
    return open.size();
  }
}
