// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.keys;

import dev.windlass.controller.enqueue.RequestCause;
import dev.windlass.controller.loopdetection.RunHistory;
import dev.windlass.workqueue.KeyRecord;
import dev.windlass.workqueue.Priority;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a controller knows about one request. It hangs on the work queue's entry for the
 * request, under the queue's lock, and goes when nothing in it is needed any more.
 */
public final class KeyState implements KeyRecord {

  /** The maximum number of reasons that are kept. Older reasons are dropped. */
  static final int REASONS = 4;

  /** The reason for a run that the previous reconcile requested, with a delay greater than zero. */
  public static final String REQUEUE_AFTER = "requeueAfter";

  /**
   * A request that arrived on a replica that is not the leader.
   *
   * @param order the number of earlier requests that were kept
   */
  record Kept(Priority priority, RequestCause cause, long order) {}

  /**
   * What a reconcile takes from the state when it begins.
   *
   * @param reasons the reasons why the request was queued
   * @param ignoredEvents the number of the controller's own events that were ignored since the last
   *     reconcile
   */
  public record Begun(List<Object> reasons, int ignoredEvents) {}

  private final long interval;

  /** The reasons for the next run. Most lists have one element. */
  private List<Object> reasons = List.of();

  private @Nullable Kept kept;
  private @Nullable KeyFailures failures;

  /** The uid of the object that was reported as paused. */
  private @Nullable String paused;

  private @Nullable KeyWrites ownWrites;

  /**
   * Only the worker that processes the request uses the content, without the lock. {@link #isEmpty}
   * reads it only while no worker processes the request.
   */
  private @Nullable RunHistory history;

  /**
   * Creates an empty state.
   *
   * @param interval the minimum time between the starts of two runs, in nanoseconds
   */
  KeyState(long interval) {
    this.interval = interval;
  }

  @Override
  public boolean isEmpty(long now) {
    return isEmptyButForRuns()
        && (ownWrites == null || ownWrites.isEmpty(now))
        && (history == null || history.isQuiet(now));
  }

  /** A first run alone, as that of each object in a long list, is no sign of a loop. */
  @Override
  public boolean isExpendable() {
    return isEmptyButForRuns() && ownWrites == null && history != null && history.isShort();
  }

  private boolean isEmptyButForRuns() {
    return reasons.isEmpty() && kept == null && failures == null && paused == null;
  }

  /**
   * Records a reason for a run.
   *
   * @param reason the reason; it is converted to a string only when a log or a diagnosis needs it
   */
  void because(Object reason) {
    reasons = reasons.isEmpty() ? List.of(reason) : joined(reasons, List.of(reason));
  }

  /** Restores the reasons that a run has taken that could not start. */
  public void putBack(List<Object> taken) {
    reasons = joined(taken, reasons);
  }

  private static List<Object> joined(List<Object> first, List<Object> second) {
    List<Object> all = new ArrayList<>(first);
    all.addAll(second);
    return List.copyOf(all.subList(Math.max(0, all.size() - REASONS), all.size()));
  }

  /** Drops the reasons for a run that will not take place. */
  public void dropReasons() {
    reasons = List.of();
  }

  public List<Object> reasons() {
    return reasons;
  }

  public Begun begin() {
    Begun begun = new Begun(reasons, ownWrites == null ? 0 : ownWrites.takeIgnored());
    reasons = List.of();
    return begun;
  }

  RunHistory history() {
    if (history == null) {
      history = new RunHistory(interval);
    }
    return history;
  }

  /** Keeps a request until this replica leads, with the highest priority and the latest cause. */
  void keep(Priority priority, RequestCause cause, long order) {
    kept =
        kept == null
            ? new Kept(priority, cause, order)
            : new Kept(kept.priority().orMoreUrgent(priority), cause, kept.order());
  }

  /** Returns an empty state with the same kept request. */
  KeyState onlyKept() {
    KeyState rest = new KeyState(interval);
    rest.kept = kept;
    return rest;
  }

  @Nullable Kept kept() {
    return kept;
  }

  void dropKept() {
    kept = null;
  }

  KeyWrites ownWrites() {
    if (ownWrites == null) {
      ownWrites = new KeyWrites();
    }
    return ownWrites;
  }

  /** Returns the failures since the last success, or empty if there were none. */
  public Optional<KeyFailures> failures() {
    return Optional.ofNullable(failures);
  }

  /**
   * Records that a reconcile has failed.
   *
   * @param uid the uid of the request's object, or empty if it is unknown
   * @return the failures, including this one
   */
  public KeyFailures failed(String uid, String error, boolean isConflict, long now) {
    if (failures == null) {
      failures = new KeyFailures(uid, now);
    }
    failures.add(error, isConflict, now);
    return failures;
  }

  /** Forgets a request that does not run any more, but for its kept request and own writes. */
  public void clear() {
    recovered();
    dropReasons();
    paused = null;
    history = null;
  }

  /** Forgets all failures after a reconcile that did not fail. */
  public void recovered() {
    failures = null;
  }

  /**
   * Records whether the object is paused.
   *
   * @param uid the uid of the paused object, or null if there is no paused object
   * @return the uid of the object that was paused before, or null if there was none
   */
  public @Nullable String pause(@Nullable String uid) {
    String before = paused;
    paused = uid;
    return before;
  }
}
