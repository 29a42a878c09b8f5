// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import dev.windlass.object.Projection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Detects that the server's versions are lower than the version from which a watch continues, as
 * happens after a backup was restored.
 *
 * <p>The server accepts a watch from that version, but sends nothing, not even a bookmark, until it
 * has reached that version again. This can take hours. The server then continues normally, so the
 * watch itself does not reveal the problem. Even a list of one object reveals the problem, because
 * a list is consistent: unless the server was restored to an older state, the version of the list
 * is at least as high as every version that any client has seen.
 *
 * <p>The reflector requests this list in parallel with a watch, in two cases. In the first case,
 * the server accepted the watch after a connection broke, as happens when a server is restored. In
 * the second case, the previous watch delivered nothing. A watch that delivered bookmarks is up to
 * date with the server.
 *
 * <p>Only the reflector's thread uses this class.
 */
final class RollbackCheck {

  private final ListerWatcher source;
  private final Runnable wakeUp;
  private boolean wanted;
  private @Nullable FeedStream answer;

  /** The version from which the watch continues. */
  private String from = "";

  RollbackCheck(ListerWatcher source, Runnable wakeUp) {
    this.source = source;
    this.wakeUp = wakeUp;
  }

  /** Requests a check during the next watch if the argument is true. */
  void wantedIf(boolean reason) {
    wanted |= reason;
  }

  /** Drops the request for a check, because a list follows, which returns the server's version. */
  void forget() {
    close();
    wanted = false;
  }

  /**
   * Starts the requested check, if there is one, after the server has accepted a watch. The check
   * remains requested until the server has returned its version.
   */
  void begin(String version) {
    close();
    if (wanted && ResumeVersion.parse(version) >= 0) {
      from = version;
      answer = source.list(new ListRequest(1, "", Projection.METADATA), wakeUp);
    }
  }

  /**
   * Returns whether the server has returned a version that is lower than the version from which the
   * watch continues.
   */
  boolean wentBack() {
    while (answer != null) {
      Optional<FeedEvent> event = answer.poll();
      if (event.isEmpty()) {
        return false;
      }
      if (event.get() instanceof FeedEvent.ListEnd end) {
        close();
        wanted = false;
        long version = ResumeVersion.parse(end.resourceVersion());
        return version >= 0 && version < ResumeVersion.parse(from);
      } else if (event.get().type() == FeedEvent.Type.FAILED) {
        close(); // if the problem persists, the watch will report it
      }
    }
    return false;
  }

  /** Cancels a check in progress. */
  void close() {
    FeedStream open = answer;
    answer = null;
    if (open != null) {
      open.close();
    }
  }
}
