// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import dev.windlass.object.Projection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds out that the server's versions are lower than the one from which a watch goes on, as they
 * are after a backup was restored (A8).
 *
 * <p>The server accepts such a watch, and sends nothing, not even a bookmark, until it has come to
 * that version again, which may take hours; then it goes on as if nothing had been different. So
 * the watch itself does not tell. A list does, even of one object, as it is consistent: no version
 * that anybody has ever seen is higher than its own, unless time went back.
 *
 * <p>It is asked for beside a watch that the server has accepted after a connection broke, which a
 * restored server's did, and after a watch that brought nothing at all. One that brought bookmarks
 * is in step with the server.
 *
 * <p>Used by the reflector's thread.
 */
final class VersionCheck {

  private final ListerWatcher source;
  private final Runnable wakeUp;
  private boolean wanted;
  private @Nullable FeedStream answer;

  /** The version that the watch goes on from. */
  private String from = "";

  VersionCheck(ListerWatcher source, Runnable wakeUp) {
    this.source = source;
    this.wakeUp = wakeUp;
  }

  /** Has the next watch checked, if there is a reason to. */
  void wantedIf(boolean reason) {
    wanted |= reason;
  }

  /** There will be a list, which tells the server's version. */
  void forget() {
    close();
    wanted = false;
  }

  /** The server has accepted a watch. Remains wanted until the server has told its version. */
  void begin(String version) {
    close();
    if (wanted && Progress.parse(version) >= 0) {
      from = version;
      answer = source.list(new ListRequest(1, "", Projection.METADATA), wakeUp);
    }
  }

  /** Whether the server has told a version that is lower than where the watch began. */
  boolean wentBack() {
    while (answer != null) {
      Optional<FeedEvent> event = answer.poll();
      if (event.isEmpty()) {
        return false;
      }
      if (event.get() instanceof FeedEvent.ListEnd end) {
        close();
        wanted = false;
        long version = Progress.parse(end.resourceVersion());
        return version >= 0 && version < Progress.parse(from);
      } else if (event.get().type() == FeedEvent.Type.FAILED) {
        close(); // the watch will tell if there is more to it
      }
    }
    return false;
  }

  /** Gives up a check that is under way. */
  void close() {
    FeedStream open = answer;
    answer = null;
    if (open != null) {
      open.close();
    }
  }
}
