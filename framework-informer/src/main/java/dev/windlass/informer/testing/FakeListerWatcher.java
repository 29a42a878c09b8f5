// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.testing;

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
 * A {@link ListerWatcher} for tests, with the objects of one type in memory.
 *
 * <p>It numbers its changes from 1, keeps them until {@link #compact()}, and responds as an API
 * server does: with pages and continue tokens, watches from a version, and 410 for versions that it
 * no longer has. A test can inject failures with {@link #failNextList}, {@link #dropWatches()} and
 * {@link #hold()}, and any events with {@link #scriptNextList}, {@link #scriptNextWatch} and {@link
 * #send}. It should end with {@link #assertNothingOpen()}.
 *
 * <p>This class is thread-safe.
 */
public final class FakeListerWatcher implements ListerWatcher {

  private static final ObjectMapper JSON = new ObjectMapper();

  private record Change(long version, FeedEvent event) {}

  /** The remaining objects of a paged list, all of one version. */
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

  /** The response to version checks; -1 for the actual version. */
  @GuardedBy("this")
  private long claimed = -1;

  @GuardedBy("this")
  private int versionChecks;

  @GuardedBy("this")
  private boolean held;

  @GuardedBy("this")
  private boolean streaming;

  /** Creates an instance without objects, at version 0. */
  public FakeListerWatcher() {}

  // ---- objects

  /**
   * Creates or updates an object. Sets its {@code resourceVersion}, and the {@code uid} of a new
   * object without one.
   *
   * @param json the object, with a {@code metadata.name}
   * @return the new version
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

  /** Deletes an object if it exists, and returns the current version. */
  public synchronized String delete(ObjectKey key) {
    ObjectNode last = objects.remove(key);
    if (last != null) {
      last.withObjectProperty("metadata").put("resourceVersion", Long.toString(++version));
      happened(FeedEvent.deleted(FeedEvent.Json.of(last.toString())));
    }
    return Long.toString(version);
  }

  /** Returns the version of each object. */
  public synchronized Map<ObjectKey, String> versions() {
    Map<ObjectKey, String> versions = new TreeMap<>();
    objects.forEach(
        (key, object) ->
            versions.put(key, object.path("metadata").path("resourceVersion").asText()));
    return versions;
  }

  /**
   * Discards the history and the continue tokens, so that requests with an earlier version fail
   * with 410.
   */
  public synchronized void compact() {
    compactedAt = version;
    log.clear();
    rests.clear();
  }

  // ---- faults and settings

  /** Sets the maximum number of objects per page. The default is no limit. */
  public synchronized void pageSize(int objects) {
    pageSize = objects;
  }

  /** Sets whether streaming lists are supported. The default is false. */
  public synchronized void streamLists(boolean stream) {
    streaming = stream;
  }

  @Override
  public synchronized boolean streamsLists() {
    return streaming;
  }

  /**
   * Sets the version that version checks return. A version check is a list of a single object. By
   * default, it returns the current version, or the highest version from which a watch was opened
   * if that is higher, because a script can be ahead of the current version.
   */
  public synchronized void claimVersion(long atVersion) {
    claimed = atVersion;
  }

  /** Returns the number of version checks. */
  public synchronized int versionChecks() {
    return versionChecks;
  }

  /** Makes changes that no watch delivers, as faulty API servers have done. */
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

  /** Ends all open watches regularly. */
  public synchronized void endWatches() {
    toWatches(new FeedEvent.Ended());
  }

  /** Breaks the connections of all open watches. */
  public void dropWatches() {
    failWatches(FeedFailure.of(FeedFailure.Reason.UNREACHABLE, "connection reset by the test"));
  }

  /** Ends all open watches with a failure. */
  public synchronized void failWatches(FeedFailure failure) {
    toWatches(new FeedEvent.Failed(failure));
  }

  /** Makes the next list fail. Further calls affect the lists after it. */
  public void failNextList(FeedFailure failure) {
    scriptNextList(new FeedEvent.Failed(failure));
  }

  /** Makes the next watch fail. Further calls affect the watches after it. */
  public void failNextWatch(FeedFailure failure) {
    scriptNextWatch(new FeedEvent.Failed(failure));
  }

  /** Responds to the next list with the given events only. */
  public synchronized void scriptNextList(FeedEvent... events) {
    listScripts.add(List.of(events));
  }

  /** Responds to the next watch with the given events first. */
  public synchronized void scriptNextWatch(FeedEvent... events) {
    watchScripts.add(List.of(events));
  }

  /** Removes all scripts and failures that no request has used. */
  public synchronized void forgetScripts() {
    listScripts.clear();
    watchScripts.clear();
  }

  /** Sends an event to all open watches and lists. */
  public synchronized void send(FeedEvent event) {
    for (Stream stream : streams) {
      stream.push(event);
    }
  }

  /** Holds all events until {@link #release()}, as a dead connection does. */
  public synchronized void hold() {
    held = true;
  }

  /** Delivers the held events. */
  public synchronized void release() {
    held = false;
    streams.forEach(stream -> stream.wakeUp.run());
  }

  // ---- requests

  /** Returns the requests for lists, in order, without version checks. */
  public synchronized List<ListRequest> lists() {
    return List.copyOf(lists);
  }

  /** Returns the requests for watches, in order. */
  public synchronized List<WatchRequest> watches() {
    return List.copyOf(watches);
  }

  /** Returns the number of open streams. */
  public synchronized int openStreams() {
    return streams.size();
  }

  /**
   * Checks that all streams have been closed.
   *
   * @throws AssertionError if a stream is open; the message names it
   */
  public synchronized void assertNothingOpen() {
    if (!streams.isEmpty()) {
      throw new AssertionError("streams that were not closed: " + streams);
    }
  }

  // ---- ListerWatcher

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

  /** An open list or watch. Ignores events after the event that ends it. */
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
