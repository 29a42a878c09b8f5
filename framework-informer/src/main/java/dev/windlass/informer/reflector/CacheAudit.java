// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ObjectDecoder;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.Projection;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.scheduling.StepDelay;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Periodically compares the cache with the server while a watch is open. API servers and etcd have
 * lost events from healthy watches, and only a list reveals the loss.
 *
 * <p>An audit lists the metadata of all objects and compares their versions with the cache. A
 * difference does not prove that an event was lost, because the watch may be about to deliver the
 * change. The audit therefore waits for {@link #SETTLE} and then checks the differing objects
 * again. If an object still differs, and the watch has not delivered it since the audit began, its
 * event was lost.
 *
 * <p>Only the reflector's thread uses this class. It calls {@link #step} only while a watch is
 * open.
 */
final class CacheAudit<T> {

  /** The time that the audit allows for a change to reach the cache: 10 s. */
  static final Duration SETTLE = Duration.ofSeconds(10);

  private static final int SHOWN = 5;

  private static final Logger log = LoggerFactory.getLogger(Reflector.class);

  private final ListerWatcher source;
  private final ObjectDecoder<T> decoder;
  private final KnownObjects<T> known;
  private final Scheduler scheduler;
  private final FeedListener listener;
  private final Duration period;
  private final Runnable wakeUp;

  /**
   * The time at which the next audit begins, or at which the current audit checks the differing
   * objects again, in nanoseconds of the monotonic clock.
   */
  private long nextAt;

  private @Nullable ListReader<T> reader;

  /**
   * The objects that differ between the list and the cache. Each key is mapped to the object's
   * version in the list, or to -1 if the list does not contain the object.
   */
  private Map<ObjectKey, Long> suspects = Map.of();

  /** The objects that the watch has delivered since the audit began. */
  private final Set<ObjectKey> touched = new HashSet<>();

  private int mismatches;

  CacheAudit(
      ListerWatcher source,
      ObjectCodec<T> codec,
      KnownObjects<T> known,
      ReflectorOptions options,
      Runnable wakeUp) {
    this.source = source;
    this.decoder = new ObjectDecoder<>(codec.with(Projection.METADATA));
    this.known = known;
    this.scheduler = options.scheduler();
    this.listener = options.listener();
    this.period = options.auditPeriod();
    this.wakeUp = wakeUp;
    restart();
  }

  private void restart() {
    touched.clear();
    suspects = Map.of();
    nextAt = scheduler.nanoTime() + period.toNanos();
  }

  void close() {
    ListReader<T> open = reader;
    reader = null;
    if (open != null) {
      open.close();
    }
    restart();
  }

  void touched(ObjectKey key) {
    if (reader != null || !suspects.isEmpty()) {
      touched.add(key);
    }
  }

  /**
   * Returns the number of differing objects that the last audit found, and resets this number to 0.
   */
  int takeMismatches() {
    int found = mismatches;
    mismatches = 0;
    return found;
  }

  /** Runs the part of the audit that is due, and returns when to call this method again. */
  StepDelay step() {
    ListReader<T> open = reader;
    if (open != null) {
      return read(open);
    }
    long left = nextAt - scheduler.nanoTime();
    if (left > 0) {
      return StepDelay.of(Duration.ofNanos(left));
    }
    if (!suspects.isEmpty()) {
      judge();
      return StepDelay.NONE;
    }
    reader =
        new ListReader<>(
            source,
            new LenientDecoder<>(source.describe(), decoder, FeedListener.NONE),
            new ListInProgress<>(KnownObjects.nothing()),
            Projection.METADATA,
            scheduler,
            wakeUp,
            false,
            ListReader.PAGE);
    return StepDelay.NONE;
  }

  private StepDelay read(ListReader<T> open) {
    ListReader.Outcome outcome = open.read();
    if (outcome instanceof ListReader.Outcome.Waiting waiting) {
      return StepDelay.of(waiting.limit());
    } else if (outcome instanceof ListReader.Outcome.Failed failed) {
      log.info("{}: the audit failed: {}", source.describe(), failed.failure());
      close(); // if the problem persists, the watch will report it
    } else if (outcome instanceof ListReader.Outcome.Complete) {
      suspects = differences(open.snapshot().objects());
      reader = null;
      if (suspects.isEmpty()) {
        finish(0);
      } else {
        nextAt = scheduler.nanoTime() + SETTLE.toNanos();
      }
    }
    return StepDelay.NONE;
  }

  private Map<ObjectKey, Long> differences(List<CachedObject<T>> listed) {
    Map<ObjectKey, Long> found = new HashMap<>();
    Set<ObjectKey> keys = new HashSet<>();
    for (CachedObject<T> object : listed) {
      keys.add(object.key());
      CachedObject<T> cached = known.get(object.key());
      if (cached == null || cached.version() < object.version()) {
        found.put(object.key(), object.version());
      }
    }
    for (ObjectKey key : known.keys()) {
      if (!keys.contains(key)) {
        found.put(key, -1L);
      }
    }
    return found;
  }

  private void judge() {
    suspects.keySet().removeAll(touched);
    suspects
        .entrySet()
        .removeIf(
            suspect -> {
              CachedObject<T> cached = known.get(suspect.getKey());
              return suspect.getValue() < 0
                  ? cached == null
                  : cached != null && cached.version() >= suspect.getValue();
            });
    if (!suspects.isEmpty()) {
      log.warn(
          "{}: an audit found {} objects that differ from the server's, such as {}: their events"
              + " were lost. Relisting all objects.",
          source.describe(),
          suspects.size(),
          suspects.keySet().stream().limit(SHOWN).toList());
    }
    finish(suspects.size());
  }

  private void finish(int found) {
    mismatches = found;
    listener.audited(found);
    restart();
  }
}
