// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.migration;

import dev.windlass.client.ApiException;
import dev.windlass.client.ConflictException;
import dev.windlass.client.NotFoundException;
import dev.windlass.object.ObjectKey;
import dev.windlass.scheduling.ManualScheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A server that has one definition and stores each object in a version. */
final class FakeStorage implements MigrationRequests {

  /** How an object is stored. */
  static final class Stored {
    String version;
    long resourceVersion;

    Stored(String version, long resourceVersion) {
      this.version = version;
      this.resourceVersion = resourceVersion;
    }
  }

  final Map<ObjectKey, Stored> objects = new TreeMap<>();
  final List<String> log = new ArrayList<>();

  /** Errors for the next requests, by the first word of the request. */
  private final Map<String, Deque<ApiException>> errors = new TreeMap<>();

  /** The objects that the server rejects, with the HTTP status. */
  final Map<ObjectKey, Integer> rejected = new TreeMap<>();

  private final ManualScheduler scheduler;
  Duration latency = Duration.ZERO;

  /** Called before each request, for changes by others. */
  Runnable before = () -> {};

  boolean exists = true;
  boolean usable = true;

  /** What the server would remove from the objects if they were rewritten. */
  Optional<String> removedField = Optional.empty();

  private String uid = "crd-1";
  private long revision = 100;
  private long generation = 1;
  private String storage = "v1";
  private List<String> storedVersions = List.of("v1");

  FakeStorage(ManualScheduler scheduler) {
    this.scheduler = scheduler;
  }

  ObjectKey add(String name) {
    ObjectKey key = ObjectKey.of("default", name);
    objects.put(key, new Stored(storage, ++revision));
    return key;
  }

  /** Writes an object, as any client does. */
  void touch(ObjectKey key) {
    objects.put(key, new Stored(storage, ++revision));
  }

  void setStorage(String version) {
    if (!storage.equals(version)) {
      generation++;
      revision++;
    }
    storage = version;
    if (!storedVersions.contains(version)) {
      List<String> more = new ArrayList<>(storedVersions);
      more.add(version);
      storedVersions = more;
    }
  }

  /** Changes something else in the definition, such as its CA bundle. */
  void changeSpec() {
    generation++;
    revision++;
  }

  void replaceDefinition() {
    uid = "crd-2";
  }

  List<String> storedVersions() {
    return storedVersions;
  }

  boolean allIn(String version) {
    return objects.values().stream().allMatch(stored -> stored.version.equals(version));
  }

  void failNext(String request, int code, Duration retryAfter) {
    fail(request, failure("failed on purpose", code, retryAfter));
  }

  void loseNext(String request) {
    fail(request, new ApiException("no response", 0));
  }

  private static ApiException failure(String message, int code, Duration retryAfter) {
    return code == 409
        ? new ConflictException(message)
        : new ApiException(message, code, retryAfter);
  }

  private void fail(String request, ApiException failure) {
    errors.computeIfAbsent(request, key -> new ArrayDeque<>()).add(failure);
  }

  private void receive(String request, String detail) {
    before.run();
    scheduler.advance(latency);
    log.add(detail.isEmpty() ? request : request + " " + detail);
    Deque<ApiException> waiting = errors.get(request);
    if (waiting != null && !waiting.isEmpty()) {
      throw waiting.remove();
    }
  }

  @Override
  public Optional<Definition> definition() {
    receive("definition", "");
    return exists
        ? Optional.of(
            new Definition(
                uid, "" + revision, generation, usable, storage, storedVersions, removedField))
        : Optional.empty();
  }

  @Override
  public List<StoredObject> list(String version) {
    receive("list", version);
    return objects.entrySet().stream()
        .map(
            entry ->
                new StoredObject(
                    entry.getKey(), entry.getKey().name(), "" + entry.getValue().resourceVersion))
        .toList();
  }

  @Override
  public void rewrite(String version, StoredObject object) {
    receive("rewrite", object.key().name());
    Stored stored = objects.get(object.key());
    if (stored == null) {
      throw new NotFoundException("not found");
    } else if (!object.resourceVersion().equals("" + stored.resourceVersion)) {
      throw new ConflictException("changed");
    } else if (rejected.containsKey(object.key())) {
      throw failure(
          "admission webhook denied the request", rejected.get(object.key()), Duration.ZERO);
    }
    if (!stored.version.equals(storage)) {
      touch(object.key());
    }
  }

  @Override
  public void trim(Definition definition) {
    receive("trim", "");
    if (!definition.resourceVersion().equals("" + revision) || !definition.uid().equals(uid)) {
      throw new ConflictException("changed");
    }
    storedVersions = List.of(definition.storageVersion());
    revision++;
  }
}
