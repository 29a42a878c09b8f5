// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.reads;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.http.ApiRequest;
import dev.windlass.testing.apiserver.embedded.http.ListOptions;
import dev.windlass.testing.apiserver.embedded.http.Representation;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.selectors.ObjectSelection;
import dev.windlass.testing.apiserver.embedded.storage.Change;
import dev.windlass.testing.apiserver.embedded.storage.ResourceTable;
import dev.windlass.testing.apiserver.embedded.storage.Store;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An open watch. The request's thread waits for changes under the store's lock, and writes events
 * without holding the lock. A client that does not read therefore cannot block other clients. A
 * watch ends if the log no longer contains the next change to send.
 *
 * <p>Other threads can request a bookmark, end the watch, or close its connection.
 */
public final class WatchSession {
  /** The maximum number of changes that are read from the log at a time: 500. */
  private static final int BATCH = 500;

  private final Store store;
  private final WatchEvents events;
  private final ResourceTable table;
  private final boolean bookmarks;

  /** The events to send before the first change from the log. */
  private final List<ObjectNode> first = new ArrayList<>();

  /** Whether the watch has failed. A failed watch sends only the events in {@link #first}. */
  private boolean failed;

  /** The revision at which the watch begins. The watch sends only later changes. */
  private long from;

  /** The position of the next change to read from the log. */
  private long position;

  // The following fields contain requests from other threads and are guarded by the store's lock.
  private boolean bookmarkDue;
  private boolean cut;
  private boolean ending;

  /**
   * A batch of events of a watch.
   *
   * @param events the events to send
   * @param end whether the watch ends after these events
   * @param cut whether the connection must be closed in the middle of the stream
   */
  public record Batch(List<ObjectNode> events, boolean end, boolean cut) {}

  /**
   * The changes that a watch has read under the store's lock. They are converted to events after
   * the lock has been released.
   */
  private record Pending(
      List<Change> changes, List<ObjectNode> bookmarks, boolean end, boolean cut) {
    static Pending ending(List<ObjectNode> bookmarks, boolean cut) {
      return new Pending(List.of(), bookmarks, true, cut);
    }
  }

  private WatchSession(Store store, Store.Transaction tx, WatchEvents events, boolean bookmarks) {
    this.store = store;
    this.events = events;
    this.bookmarks = bookmarks;
    this.table = tx.table(events.type().storage());
    this.position = table.log().end();
    this.from = tx.revision();
  }

  /**
   * Opens a watch. {@link #run} then sends its events. A watch with initial events waits until the
   * store has reached the requested revision, and begins with events for the existing objects. Any
   * other watch begins with the first change after the requested revision. If the request does not
   * specify a revision, the watch begins with the next change.
   *
   * @throws StatusException if an option of the request is invalid, or if options contradict each
   *     other
   */
  public static WatchSession open(
      Store store, ApiRequest request, Representation form, boolean streamingLists)
      throws InterruptedException {
    WatchEvents events =
        new WatchEvents(request.type(), ObjectSelection.of(request, streamingLists), form);
    ListOptions options = ListOptions.of(request, streamingLists);
    long revision = options.revision();
    WatchSession session;
    List<ObjectNode> state = List.of();
    long current;
    try (Store.Transaction tx = store.begin()) {
      boolean tooLarge = options.initialEvents() && !tx.awaitRevision(revision);
      session = new WatchSession(store, tx, events, options.bookmarks());
      current = tx.revision();
      if (form.form() == Representation.Form.METADATA_LIST) {
        // An event cannot contain a list. The real server detects this too late to report it.
        session.failed = true;
      } else if (tooLarge) {
        session.fail(StatusException.tooLarge(revision, current));
      } else if (options.initialEvents()) {
        state = session.selected();
      } else if (revision > 0) {
        session.startAfter(revision);
      }
    }
    if (options.initialEvents() && !session.failed) {
      session.startWithState(state, current, options.announcesEnd());
    }
    return session;
  }

  /**
   * Makes the watch end with an event that reports the failure. The HTTP status cannot report the
   * failure, because the server responds to an open watch with the status 200.
   */
  private void fail(StatusException failure) {
    first.add(WatchEvents.error(failure));
    failed = true;
  }

  private List<ObjectNode> selected() {
    return table.objects().values().stream().filter(events.selection()::matches).toList();
  }

  private void startWithState(List<ObjectNode> state, long revision, boolean announceEnd) {
    try {
      state.forEach(object -> first.add(events.initial(object)));
    } catch (StatusException e) { // an object cannot be converted to the version of the watch
      fail(e);
      return;
    }
    if (announceEnd) {
      first.add(events.bookmark(revision, true));
    }
  }

  private void startAfter(long revision) {
    long floor = table.log().floor();
    if (revision < floor) {
      String message = "too old resource version: %d (%d)".formatted(revision, floor);
      fail(StatusException.expired(message));
      return;
    }
    from = revision;
    position = table.log().after(revision);
  }

  /**
   * Writes events until the watch ends.
   *
   * @throws IOException if the client has disconnected, or if the connection must be closed
   */
  void run(OutputStream out) throws IOException, InterruptedException {
    write(out, first);
    first.clear();
    while (!failed) {
      Batch batch = next();
      if (batch.cut()) {
        throw new IOException("the watch is cut");
      }
      write(out, batch.events());
      if (batch.end()) {
        return;
      }
    }
  }

  private static void write(OutputStream out, List<ObjectNode> events) throws IOException {
    for (ObjectNode event : events) {
      out.write(Json.bytes(event));
      out.write('\n');
    }
    out.flush();
  }

  private Batch next() throws InterruptedException {
    Optional<Pending> pending;
    try (Store.Transaction tx = store.begin()) {
      pending = pending(tx, BATCH);
      while (pending.isEmpty()) {
        table.changed().await();
        pending = pending(tx, BATCH);
      }
    }
    return translated(pending.get());
  }

  /** Converts pending changes to events. The caller must not hold the store's lock. */
  private Batch translated(Pending pending) {
    List<ObjectNode> translated = new ArrayList<>();
    try {
      for (Change change : pending.changes()) {
        events.of(change).ifPresent(translated::add);
      }
    } catch (StatusException e) { // an object cannot be converted to the version of the watch
      translated.add(WatchEvents.error(e));
      failed = true;
      return new Batch(translated, true, false);
    }
    translated.addAll(pending.bookmarks());
    return new Batch(translated, pending.end(), pending.cut());
  }

  /**
   * Returns the next events without waiting, or empty if no events are available. Use this method
   * instead of {@link #run} if the watch has no thread.
   *
   * @param limit the maximum number of changes to read
   */
  public Optional<Batch> poll(int limit) {
    if (!first.isEmpty()) {
      List<ObjectNode> some = List.copyOf(first.subList(0, Math.min(limit, first.size())));
      first.subList(0, some.size()).clear();
      return Optional.of(new Batch(some, failed && first.isEmpty(), false));
    }
    if (failed) {
      return Optional.of(new Batch(List.of(), true, false));
    }
    Optional<Pending> pending;
    try (Store.Transaction tx = store.begin()) {
      pending = pending(tx, limit);
    }
    return pending.map(this::translated);
  }

  /**
   * Registers a listener. The resource's table calls the listener under the store's lock whenever
   * {@link #poll} may return events.
   */
  public void listen(Runnable listener) {
    store.locked(() -> table.listen(listener));
  }

  /** Removes the given listener. */
  public void forget(Runnable listener) {
    store.locked(() -> table.forget(listener));
  }

  private Optional<Pending> pending(Store.Transaction tx, int limit) {
    if (cut) {
      return Optional.of(Pending.ending(List.of(), true));
    }
    if (position < table.log().first()) {
      return Optional.of(Pending.ending(List.of(), false));
    }
    if (position < table.log().end()) {
      return Optional.of(new Pending(read(limit), List.of(), false, false));
    }
    if (table.dropped()) {
      return Optional.of(Pending.ending(List.of(), false));
    }
    if (ending) {
      return Optional.of(Pending.ending(bookmark(tx.revision()), false));
    }
    if (bookmarkDue) {
      bookmarkDue = false;
      return Optional.of(new Pending(List.of(), bookmark(tx.revision()), false, false));
    }
    return Optional.empty();
  }

  private List<Change> read(int limit) {
    List<Change> changes = new ArrayList<>();
    long end = Math.min(table.log().end(), position + limit);
    for (; position < end; position++) {
      Change change = table.log().at(position);
      if (change.revision() > from) {
        changes.add(change);
      }
    }
    return changes;
  }

  private List<ObjectNode> bookmark(long revision) {
    boolean meaningful = bookmarks && revision >= from;
    return meaningful ? List.of(events.bookmark(revision, false)) : List.of();
  }

  boolean acceptsBookmarks() {
    return bookmarks;
  }

  /** Requests a bookmark, if the client accepts bookmarks. */
  void bookmark() {
    signal(() -> bookmarkDue = bookmarks);
  }

  /** Ends the watch cleanly after the pending events. */
  void end() {
    signal(() -> ending = true);
  }

  /** Closes the connection in the middle of the stream. */
  void cut() {
    signal(() -> cut = true);
  }

  private void signal(Runnable wish) {
    store.locked(
        () -> {
          wish.run();
          table.wakeWatches();
        });
  }
}
