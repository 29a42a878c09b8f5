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
 * One open watch, which runs on the thread of its request. The thread waits for changes under the
 * store's lock and writes without the lock, so a client that does not read cannot block other
 * clients. A watch ends if the log no longer contains the changes that it must send next.
 *
 * <p>Other threads can request a bookmark, the end of the watch, or the closing of its connection.
 */
public final class WatchSession {
  /** The number of changes that are read from the log before they are written. */
  private static final int BATCH = 500;

  private final Store store;
  private final WatchEvents events;
  private final ResourceTable table;
  private final boolean bookmarks;

  /** The events to send before the first change from the log. */
  private final List<ObjectNode> first = new ArrayList<>();

  /** Whether the watch has failed, so that it sends only the first events. */
  private boolean failed;

  /** The revision up to which changes are not sent. */
  private long from;

  /** The position in the log of the next change to read. */
  private long position;

  // The following fields contain requests from other threads and are guarded by the store's lock.
  private boolean bookmarkDue;
  private boolean cut;
  private boolean ending;

  /**
   * The next events of a watch.
   *
   * @param end whether the watch ends after these events
   * @param cut whether the connection is then closed in the middle of the stream
   */
  public record Batch(List<ObjectNode> events, boolean end, boolean cut) {}

  private WatchSession(Store store, Store.Transaction tx, WatchEvents events, boolean bookmarks) {
    this.store = store;
    this.events = events;
    this.bookmarks = bookmarks;
    this.table = tx.table(events.type().storage());
    this.position = table.log().end();
    this.from = tx.revision();
  }

  /**
   * Begins a watch at the current revision, or waits until the store has reached the requested
   * revision and begins there. {@link #run} sends the events.
   *
   * @throws StatusException if the options of the request contradict each other
   */
  public static WatchSession open(
      Store store, ApiRequest request, Representation form, boolean streamingLists)
      throws InterruptedException {
    WatchEvents events =
        new WatchEvents(request.type(), ObjectSelection.of(request, streamingLists), form);
    ListOptions options = ListOptions.of(request, streamingLists);
    long revision = options.revision();
    try (Store.Transaction tx = store.begin()) {
      boolean tooLarge = options.initialEvents() && !tx.awaitRevision(revision);
      WatchSession session = new WatchSession(store, tx, events, options.bookmarks());
      if (form.form() == Representation.Form.METADATA_LIST) {
        // An event cannot contain a list. The real server detects this too late to report it.
        session.failed = true;
      } else if (tooLarge) {
        session.fail(StatusException.tooLarge(revision, tx.revision()));
      } else if (options.initialEvents()) {
        session.startWithState(tx.revision(), options.announcesEnd());
      } else if (revision > 0) {
        session.startAfter(revision);
      }
      return session;
    }
  }

  /** Reports a failure in the stream, because the status 200 is about to be sent. */
  private void fail(StatusException failure) {
    first.add(WatchEvents.error(failure));
    failed = true;
  }

  private void startWithState(long revision, boolean announceEnd) {
    for (ObjectNode object : table.objects().values()) {
      if (events.selection().matches(object)) {
        first.add(events.initial(object));
      }
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
    try (Store.Transaction tx = store.begin()) {
      Optional<Batch> batch = batch(tx, BATCH);
      while (batch.isEmpty()) {
        table.changed().await();
        batch = batch(tx, BATCH);
      }
      return batch.get();
    }
  }

  /**
   * Returns the next events without waiting, or empty if there are none yet. Use this method
   * instead of {@link #run} if no thread is available for the watch.
   *
   * @param limit the number of changes to read at most
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
    try (Store.Transaction tx = store.begin()) {
      return batch(tx, limit);
    }
  }

  /** Calls a listener whenever {@link #poll} may return events, under the store's lock. */
  public void listen(Runnable listener) {
    store.locked(() -> table.listen(listener));
  }

  /** Removes the given listener. */
  public void forget(Runnable listener) {
    store.locked(() -> table.forget(listener));
  }

  private Optional<Batch> batch(Store.Transaction tx, int limit) {
    if (cut) {
      return Optional.of(new Batch(List.of(), true, true));
    }
    if (position < table.log().first()) {
      return Optional.of(new Batch(List.of(), true, false));
    }
    if (position < table.log().end()) {
      return Optional.of(new Batch(read(limit), false, false));
    }
    if (ending || table.dropped()) {
      return Optional.of(new Batch(bookmark(tx.revision()), true, false));
    }
    if (bookmarkDue) {
      bookmarkDue = false;
      return Optional.of(new Batch(bookmark(tx.revision()), false, false));
    }
    return Optional.empty();
  }

  private List<ObjectNode> read(int limit) {
    List<ObjectNode> pending = new ArrayList<>();
    long end = Math.min(table.log().end(), position + limit);
    for (; position < end; position++) {
      Change change = table.log().at(position);
      if (change.revision() > from) {
        events.of(change).ifPresent(pending::add);
      }
    }
    return pending;
  }

  private List<ObjectNode> bookmark(long revision) {
    boolean meaningful = bookmarks && revision >= from;
    return meaningful ? List.of(events.bookmark(revision, false)) : List.of();
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
