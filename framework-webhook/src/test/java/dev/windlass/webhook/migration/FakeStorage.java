// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.migration;

import dev.windlass.failure.ErrorResponse;
import dev.windlass.failure.FailureCause;
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

  private static final int PAGE = 3;

  final Map<ObjectKey, Stored> objects = new TreeMap<>();
  final List<String> log = new ArrayList<>();

  /** Errors for the next requests, by the first word of the request. */
  private final Map<String, Deque<Failure>> errors = new TreeMap<>();

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
    ErrorResponse error = new ErrorResponse(code, "", "failed on purpose", List.of(), "", "");
    fail(request, new Failure(request, error, retryAfter, ""));
  }

  void loseNext(String request) {
    fail(request, new Failure(request, FailureCause.TIMEOUT, "timeout"));
  }

  void expireNext(String continueToken) {
    fail("list", new Failure("list", ErrorResponse.of(Failure.GONE), Duration.ZERO, continueToken));
  }

  private void fail(String request, Failure failure) {
    errors.computeIfAbsent(request, key -> new ArrayDeque<>()).add(failure);
  }

  private void receive(String request, String detail) throws Failure {
    before.run();
    scheduler.advance(latency);
    log.add(detail.isEmpty() ? request : request + " " + detail);
    Deque<Failure> waiting = errors.get(request);
    if (waiting != null && !waiting.isEmpty()) {
      throw waiting.remove();
    }
  }

  private static Failure refused(int code, String message) {
    String reason = code == 404 ? "NotFound" : "";
    return new Failure(
        "write",
        new ErrorResponse(code, reason, message, List.of(), "widgets", "a"),
        Duration.ZERO,
        "");
  }

  @Override
  public Optional<Definition> definition() throws Failure {
    receive("definition", "");
    return exists
        ? Optional.of(
            new Definition(
                uid, "" + revision, generation, usable, storage, storedVersions, removedField))
        : Optional.empty();
  }

  @Override
  public Page list(String version, String continueToken) throws Failure {
    receive("list", version);
    List<StoredObject> page = new ArrayList<>();
    for (Map.Entry<ObjectKey, Stored> entry : objects.entrySet()) {
      if (entry.getKey().name().compareTo(continueToken) > 0 && page.size() < PAGE) {
        page.add(
            new StoredObject(
                entry.getKey(), entry.getKey().name(), "" + entry.getValue().resourceVersion));
      }
    }
    String last = page.isEmpty() ? "" : page.get(page.size() - 1).key().name();
    boolean more = objects.keySet().stream().anyMatch(key -> key.name().compareTo(last) > 0);
    return new Page(page, more ? last : "");
  }

  @Override
  public void rewrite(String version, StoredObject object) throws Failure {
    receive("rewrite", object.key().name());
    Stored stored = objects.get(object.key());
    if (stored == null) {
      throw refused(404, "not found");
    } else if (!object.resourceVersion().equals("" + stored.resourceVersion)) {
      throw refused(409, "changed");
    } else if (rejected.containsKey(object.key())) {
      throw refused(rejected.get(object.key()), "admission webhook denied the request");
    }
    if (!stored.version.equals(storage)) {
      touch(object.key());
    }
  }

  @Override
  public void trim(Definition definition) throws Failure {
    receive("trim", "");
    if (!definition.resourceVersion().equals("" + revision) || !definition.uid().equals(uid)) {
      throw refused(409, "changed");
    }
    storedVersions = List.of(definition.storageVersion());
    revision++;
  }
}
