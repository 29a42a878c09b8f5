// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.feed;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.informer.reflector.FeedEvent;
import dev.windlass.informer.reflector.FeedFailure;
import dev.windlass.informer.reflector.FeedStream;
import dev.windlass.informer.reflector.ListerWatcher;
import dev.windlass.informer.reflector.ListerWatcher.ListRequest;
import dev.windlass.informer.reflector.ListerWatcher.WatchRequest;
import dev.windlass.object.ObjectKey;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one type on a server that lives in memory, and lists and watches of them.
 *
 * <p>It numbers its changes from 1, remembers them until {@link #compact()}, and answers as an API
 * server does: pages with continue tokens, watches from a version, 410 for what is compacted. On
 * top of that a test breaks it: {@link #failNextList}, {@link #dropWatches()}, {@link #hold()}, or
 * any events at all with {@link #scriptNextList}, {@link #scriptNextWatch} and {@link #send}.
 *
 * <p>A test ends with {@link #assertNothingOpen()}. Safe for use by several threads.
 */
public final class FakeListerWatcher implements ListerWatcher {

  private static final ObjectMapper JSON = new ObjectMapper();

  private record Change(long version, FeedEvent event) {}

  /** The rest of a list that was begun; paged lists are of one moment. */
  private record Rest(long version, List<String> objects) {}

  @GuardedBy("this")
  private final TreeMap<ObjectKey, ObjectNode> objects = new TreeMap<>();

  @GuardedBy("this")
  private final List<Change> log = new ArrayList<>();

  @GuardedBy("this")
  private final Map<String, Rest> rests = new HashMap<>();

  @GuardedBy("this")
  private final List<Stream> streams = new ArrayList<>();

  @GuardedBy("this")
  private final List<ListRequest> lists = new ArrayList<>();

  @GuardedBy("this")
  private final List<WatchRequest> watches = new ArrayList<>();

  @GuardedBy("this")
  private final ArrayDeque<List<FeedEvent>> listScripts = new ArrayDeque<>();

  @GuardedBy("this")
  private final ArrayDeque<List<FeedEvent>> watchScripts = new ArrayDeque<>();

  @GuardedBy("this")
  private int pageSize = Integer.MAX_VALUE;

  @GuardedBy("this")
  private long version;

  @GuardedBy("this")
  private long compactedAt;

  @GuardedBy("this")
  private long uids;

  /** What it says its version is to those who ask for nothing else; -1 for the truth. */
  @GuardedBy("this")
  private long claimed = -1;

  @GuardedBy("this")
  private int versionChecks;

  @GuardedBy("this")
  private boolean held;

  @GuardedBy("this")
  private boolean streaming;

  /** An empty server at version 0. */
  public FakeListerWatcher() {}

  // ---- the server's objects

  /**
   * Creates or updates an object. The server sets {@code resourceVersion}, and {@code uid} if the
   * object is new and brings none.
   *
   * @param json with {@code metadata.name}
   * @return the version that the object got
   */
  public synchronized String put(String json) {
    ObjectNode object = parse(json);
    ObjectNode metadata = object.withObjectProperty("metadata");
    ObjectKey key =
        new ObjectKey(metadata.path("namespace").asText(""), metadata.path("name").asText(""));
    ObjectNode old = objects.get(key);
    if (old != null) {
      metadata.set("uid", old.path("metadata").path("uid"));
    } else if (metadata.path("uid").isMissingNode()) {
      metadata.put("uid", "uid-" + ++uids);
    }
    metadata.put("resourceVersion", Long.toString(++version));
    objects.put(key, object);
    FeedEvent.Json state = FeedEvent.Json.of(object.toString());
    happened(old == null ? FeedEvent.added(state) : FeedEvent.modified(state));
    return Long.toString(version);
  }

  /** Deletes an object and returns the version of that; without effect if there is none. */
  public synchronized String delete(ObjectKey key) {
    ObjectNode last = objects.remove(key);
    if (last != null) {
      last.withObjectProperty("metadata").put("resourceVersion", Long.toString(++version));
      happened(FeedEvent.deleted(FeedEvent.Json.of(last.toString())));
    }
    return Long.toString(version);
  }

  /** The version of each object that exists. */
  public synchronized Map<ObjectKey, String> versions() {
    Map<ObjectKey, String> versions = new TreeMap<>();
    objects.forEach(
        (key, object) ->
            versions.put(key, object.path("metadata").path("resourceVersion").asText()));
    return versions;
  }

  /** Forgets all changes, and all lists that were begun: who is not up to date gets 410. */
  public synchronized void compact() {
    compactedAt = version;
    log.clear();
    rests.clear();
  }

  // ---- what the server is made to do

  /** Answers lists in pages of so many objects at most. */
  public synchronized void pageSize(int objects) {
    pageSize = objects;
  }

  /** Answers streaming lists; it does not unless told to, and says so. */
  public synchronized void streamLists(boolean stream) {
    streaming = stream;
  }

  @Override
  public synchronized boolean streamsLists() {
    return streaming;
  }

  /**
   * From now on says that it is at this version to those who list a single object to find that out.
   * Else it says what it is at, and not less than a watch has been opened from, as scripts may run
   * ahead of it.
   */
  public synchronized void claimVersion(long atVersion) {
    claimed = atVersion;
  }

  /** How often it was asked for its version. */
  public synchronized int versionChecks() {
    return versionChecks;
  }

  /** Makes changes of which no watch will ever hear, as API servers have done by mistake. */
  public synchronized void loseEvents(Runnable changes) {
    List<Stream> listening = List.copyOf(streams);
    int logged = log.size();
    streams.clear();
    changes.run();
    streams.addAll(listening);
    log.subList(logged, log.size()).clear();
  }

  /** Sends a bookmark with the current version to all open watches. */
  public synchronized void bookmark() {
    toWatches(new FeedEvent.Bookmark(Long.toString(version)));
  }

  /** Ends all open watches in order. */
  public synchronized void endWatches() {
    toWatches(new FeedEvent.Ended());
  }

  /** Breaks the connection of all open watches. */
  public void dropWatches() {
    failWatches(FeedFailure.of(FeedFailure.Reason.UNREACHABLE, "connection reset by the test"));
  }

  /** Ends all open watches with a failure. */
  public synchronized void failWatches(FeedFailure failure) {
    toWatches(new FeedEvent.Failed(failure));
  }

  /** Answers the next list with a failure; called repeatedly, those after it too. */
  public void failNextList(FeedFailure failure) {
    scriptNextList(new FeedEvent.Failed(failure));
  }

  /** Answers the next watch with a failure; called repeatedly, those after it too. */
  public void failNextWatch(FeedFailure failure) {
    scriptNextWatch(new FeedEvent.Failed(failure));
  }

  /** Answers the next list with these events only, whatever they are. */
  public synchronized void scriptNextList(FeedEvent... events) {
    listScripts.add(List.of(events));
  }

  /** Answers the next watch with these events first, whatever they are. */
  public synchronized void scriptNextWatch(FeedEvent... events) {
    watchScripts.add(List.of(events));
  }

  /** Answers as a server does from now on, whatever was scripted and has not been asked for. */
  public synchronized void forgetScripts() {
    listScripts.clear();
    watchScripts.clear();
  }

  /** Sends an event, whatever it is, to everything that is open, lists included. */
  public synchronized void send(FeedEvent event) {
    for (Stream stream : streams) {
      stream.push(event);
    }
  }

  /** Lets nothing arrive any more, as a dead connection does; it is not lost. */
  public synchronized void hold() {
    held = true;
  }

  /** Lets arrive what was held back. */
  public synchronized void release() {
    held = false;
    streams.forEach(stream -> stream.wakeUp.run());
  }

  // ---- what the server was asked

  /** The lists that were asked for, first to last. */
  public synchronized List<ListRequest> lists() {
    return List.copyOf(lists);
  }

  /** The watches that were asked for, first to last. */
  public synchronized List<WatchRequest> watches() {
    return List.copyOf(watches);
  }

  /** How many streams have not been closed by those who opened them. */
  public synchronized int openStreams() {
    return streams.size();
  }

  /**
   * The leak check.
   *
   * @throws AssertionError if a stream was not closed, naming it
   */
  public synchronized void assertNothingOpen() {
    if (!streams.isEmpty()) {
      throw new AssertionError("streams that nobody closed: " + streams);
    }
  }

  // ---- the interface

  @Override
  public synchronized FeedStream list(ListRequest request, Runnable wakeUp) {
    if (request.limit() == 1) {
      return tellVersion(request, wakeUp);
    }
    lists.add(request);
    Stream stream = open(request.toString(), false, wakeUp);
    List<FeedEvent> script = listScripts.poll();
    if (script != null) {
      script.forEach(stream::push);
    } else {
      answer(request, stream);
    }
    return stream;
  }

  @GuardedBy("this")
  private Stream tellVersion(ListRequest request, Runnable wakeUp) {
    versionChecks++;
    long highest = version;
    for (WatchRequest watch : watches) {
      String from = watch.resourceVersion();
      highest = Math.max(highest, from.matches("[0-9]+") ? Long.parseLong(from) : 0);
    }
    Stream stream = open(request.toString(), false, wakeUp);
    stream.push(new FeedEvent.Opened());
    stream.push(new FeedEvent.ListEnd(Long.toString(claimed >= 0 ? claimed : highest), ""));
    return stream;
  }

  @GuardedBy("this")
  private void answer(ListRequest request, Stream stream) {
    Rest rest =
        request.continueToken().isEmpty()
            ? new Rest(version, objects.values().stream().map(ObjectNode::toString).toList())
            : rests.get(request.continueToken());
    if (rest == null) {
      stream.push(expired("the provided continue parameter is too old"));
      return;
    }
    stream.push(new FeedEvent.Opened());
    int limit = request.limit() > 0 ? Math.min(request.limit(), pageSize) : pageSize;
    int count = Math.min(limit, rest.objects().size());
    for (String object : rest.objects().subList(0, count)) {
      stream.push(FeedEvent.listed(FeedEvent.Json.of(object)));
    }
    String token = "";
    if (count < rest.objects().size()) {
      List<String> left = rest.objects().subList(count, rest.objects().size());
      token = "v" + rest.version() + "-left" + left.size();
      rests.put(token, new Rest(rest.version(), left));
    }
    stream.push(new FeedEvent.ListEnd(Long.toString(rest.version()), token));
  }

  @Override
  public synchronized FeedStream watch(WatchRequest request, Runnable wakeUp) {
    watches.add(request);
    Stream stream = open(request.toString(), true, wakeUp);
    List<FeedEvent> script = watchScripts.poll();
    if (script != null) {
      script.forEach(stream::push);
      return stream;
    }
    if (request.initialEvents()) {
      stream.push(new FeedEvent.Opened());
      for (ObjectNode object : objects.values()) {
        stream.push(FeedEvent.added(FeedEvent.Json.of(object.toString())));
      }
      stream.push(new FeedEvent.Bookmark(Long.toString(version), true));
      return stream;
    }
    long from = Long.parseLong(request.resourceVersion());
    if (from < compactedAt) {
      stream.push(expired("too old resource version: " + from + " (" + compactedAt + ")"));
      return stream;
    }
    stream.push(new FeedEvent.Opened());
    for (Change change : log) {
      if (change.version() > from) {
        stream.push(change.event());
      }
    }
    return stream;
  }

  @Override
  public String describe() {
    return "objects of the test";
  }

  private static FeedEvent expired(String message) {
    return new FeedEvent.Failed(FeedFailure.ofStatus(410, message, Duration.ZERO));
  }

  @GuardedBy("this")
  private Stream open(String what, boolean watch, Runnable wakeUp) {
    Stream stream = new Stream(what, watch, wakeUp);
    streams.add(stream);
    return stream;
  }

  @GuardedBy("this")
  private void happened(FeedEvent event) {
    log.add(new Change(version, event));
    toWatches(event);
  }

  @GuardedBy("this")
  private void toWatches(FeedEvent event) {
    for (Stream stream : streams) {
      if (stream.watch) {
        stream.push(event);
      }
    }
  }

  private static ObjectNode parse(String json) {
    try {
      return (ObjectNode) JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not JSON: " + json, e);
    }
  }

  /** A list or watch that has not been closed. Nothing follows an event that ends it. */
  private final class Stream implements FeedStream {
    private final String what;
    private final boolean watch;
    private final Runnable wakeUp;

    @GuardedBy("FakeListerWatcher.this")
    private final ArrayDeque<FeedEvent> events = new ArrayDeque<>();

    @GuardedBy("FakeListerWatcher.this")
    private @Nullable FeedEvent last;

    Stream(String what, boolean watch, Runnable wakeUp) {
      this.what = what;
      this.watch = watch;
      this.wakeUp = wakeUp;
    }

    void push(FeedEvent event) {
      synchronized (FakeListerWatcher.this) {
        if (last == null) {
          events.add(event);
          switch (event.type()) {
            case FAILED, ENDED, LIST_END -> last = event;
            case OPENED, LISTED, ADDED, MODIFIED, DELETED, BOOKMARK -> {}
          }
        }
      }
      wakeUp.run();
    }

    @Override
    public Optional<FeedEvent> poll() {
      synchronized (FakeListerWatcher.this) {
        return held ? Optional.empty() : Optional.ofNullable(events.poll());
      }
    }

    @Override
    public void close() {
      synchronized (FakeListerWatcher.this) {
        streams.remove(this);
        events.clear();
      }
    }

    @Override
    public String toString() {
      return what;
    }
  }
}
