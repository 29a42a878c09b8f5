// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import dev.windlass.informer.reflector.ListerWatcher.ListRequest;
import dev.windlass.object.Projection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Detects whether the server's resource versions have gone back, as happens after a restore from a
 * backup.
 *
 * <p>A server accepts a watch from a version that is higher than its own, but sends nothing, not
 * even a bookmark, until it has reached that version. This can take hours. The server then
 * continues normally, so the watch itself does not reveal the problem. A list reveals the problem,
 * even if it contains only one object: unless the server was restored, the version of a list is at
 * least as high as every version that any client has seen.
 *
 * <p>The reflector requests such a list in parallel with a watch in two cases: if the watch resumes
 * after a failure, which a restore may have caused, and if the previous watch delivered nothing. A
 * watch that delivers bookmarks is up to date with the server and does not need a check.
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

  /**
   * Cancels any running or requested check. The reflector calls this method before a list, which
   * returns the server's version anyway.
   */
  void forget() {
    close();
    wanted = false;
  }

  /**
   * Starts a check if one is requested. The caller must call this method only after the server has
   * accepted a watch. If the check fails, it remains requested.
   *
   * @param version the version from which the watch continues
   */
  void begin(String version) {
    close();
    if (wanted && ResumeVersion.parse(version) >= 0) {
      from = version;
      answer = source.list(new ListRequest(1, "", Projection.METADATA), wakeUp);
    }
  }

  /**
   * Returns whether the check has completed and has found that the server's version is lower than
   * the version from which the watch continues.
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
