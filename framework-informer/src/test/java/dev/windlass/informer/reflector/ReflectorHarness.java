// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import ch.qos.logback.classic.Level;
import dev.windlass.informer.reflector.FeedFailure.Reason;
import dev.windlass.informer.reflector.ListerWatcher.WatchRequest;
import dev.windlass.informer.testing.FakeListerWatcher;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ConfigMaps;
import dev.windlass.object.ObjectKey;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.scheduling.StepDelay;
import dev.windlass.testsupport.Logs;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** A reflector on virtual time, a server in memory, and what comes out of it. */
class ReflectorHarness {

  static final ObjectKey A = ConfigMaps.key("a");

  final FakeListerWatcher server = new FakeListerWatcher();
  final ManualScheduler time = new ManualScheduler();
  final Sink sink = new Sink();
  final Recorder listener = new Recorder();

  /** The bits of all random numbers: 0 for the least, -1 for the greatest. */
  long randomBits;

  int wakeUps;

  /** Of reflectors that are made from now on. */
  Duration watchTimeout = Duration.ofSeconds(20);

  final Reflector<ConfigMap> reflector = reflector(server, Duration.ZERO, KnownObjects.nothing());

  /** Another one that shares everything but its server. */
  final Reflector<ConfigMap> reflector(
      ListerWatcher source, Duration auditPeriod, KnownObjects<ConfigMap> known) {
    return new Reflector<>(
        source,
        ConfigMaps.DECODER,
        sink,
        known,
        new ReflectorOptions(time, () -> randomBits, listener, auditPeriod, watchTimeout),
        () -> wakeUps++);
  }

  final Logs log = Logs.of(Reflector.class);

  @AfterEach
  void leavesNothingOpen() {
    log.close();
    reflector.close();
    server.assertNothingOpen();
  }

  /** What reaches the FIFO, as one line each. */
  static final class Sink implements ChangeSink<ConfigMap> {
    final List<String> changes = new ArrayList<>();
    List<CachedObject<ConfigMap>> replaced = List.of();
    int failures;

    void add(String change) {
      if (failures > 0) {
        failures--;
        throw new IllegalStateException("the sink is broken");
      }
      changes.add(change);
    }

    static String show(CachedObject<ConfigMap> object) {
      return object.key().name() + "@" + object.resourceVersion();
    }

    @Override
    public void replace(List<CachedObject<ConfigMap>> objects, long version) {
      replaced = objects;
      add("replace " + objects.stream().map(Sink::show).toList());
    }

    @Override
    public void added(CachedObject<ConfigMap> object) {
      add("added " + show(object));
    }

    @Override
    public void updated(CachedObject<ConfigMap> object) {
      add("updated " + show(object));
    }

    @Override
    public void deleted(CachedObject<ConfigMap> object) {
      add("deleted " + show(object));
    }
  }

  static final class Recorder implements FeedListener {
    final List<Reason> failures = new ArrayList<>();
    final List<String> skipped = new ArrayList<>();
    final List<Integer> listed = new ArrayList<>();
    final List<ListReason> reasons = new ArrayList<>();
    final List<Boolean> streams = new ArrayList<>();
    final List<Integer> audits = new ArrayList<>();
    int outOfOrder;
    int wentBack;

    @Override
    public void listing(ListReason reason, boolean streaming) {
      reasons.add(reason);
      streams.add(streaming);
    }

    @Override
    public void outOfOrder() {
      outOfOrder++;
    }

    @Override
    public void wentBack() {
      wentBack++;
    }

    @Override
    public void audited(int mismatches) {
      audits.add(mismatches);
    }

    @Override
    public void listed(int objects) {
      listed.add(objects);
    }

    @Override
    public void failed(FeedFailure failure) {
      failures.add(failure.reason());
    }

    @Override
    public void skipped(String why) {
      skipped.add(why);
    }
  }

  /** Steps until there is nothing to do, and says for how long. */
  Duration run() {
    for (int i = 0; i < 10_000; i++) {
      StepDelay pause = reflector.run();
      if (!pause.equals(StepDelay.NONE)) {
        return pause.limit().orElseThrow();
      }
    }
    throw new AssertionError("a hot loop");
  }

  Duration runAfter(Duration wait) {
    time.advance(wait);
    return run();
  }

  void put(String name) {
    server.put(ConfigMaps.json(name));
  }

  static FeedFailure failure(Reason reason) {
    return FeedFailure.of(reason, "test");
  }

  static FeedFailure status(int code) {
    return FeedFailure.ofStatus(code, "test", Duration.ZERO);
  }

  static FeedEvent.Json json(String name, int version) {
    return FeedEvent.Json.of(ConfigMaps.json(name, name, Integer.toString(version)));
  }

  List<String> logged() {
    return log.messages(Level.INFO);
  }

  List<String> warnings() {
    return log.warnings();
  }

  List<String> watchedFrom() {
    return server.watches().stream().map(WatchRequest::resourceVersion).toList();
  }
}
