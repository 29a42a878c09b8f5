// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.ownwrites;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.informer.index.Query;
import dev.windlass.informer.index.Store;
import dev.windlass.informer.index.StoreObserver;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectDecoder;
import dev.windlass.object.ObjectKey;
import dev.windlass.scheduling.Scheduler;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Presents a store in the state that it will have when the watch has caught up with this process's
 * writes. The server's responses overlay the store until the store contains them, so that a program
 * can read its own writes.
 *
 * <p><em>Written states.</em> The response to a write is a state with a resource version. The
 * overlay shows this state if the store has an older state or none, and drops it when the store has
 * received that version of the object, a later version, or its deletion. The overlay compares
 * versions as numbers. If versions are not numbers, it shows the response until the store has
 * exactly the version of the response.
 *
 * <p><em>Deletions.</em> The overlay does not show an object that is known to have been deleted,
 * even if the store contains it. The object is identified by its uid, which never reappears unless
 * the server itself is restored. The overlay forgets the deletion when the store has removed the
 * object.
 *
 * <p><em>Unclear keys.</em> A key is unclear if the store's state is known to be too old, but the
 * current state is unknown. This happens if the response was not a state of the object (for example
 * a {@code Scale}), if the memory for responses is exhausted (10,000 states, 64 MiB), or if the
 * store has not confirmed a state or a deletion for {@value #UNCONFIRMED_SECONDS} s. {@link
 * #isUnclear} then returns true, and readers request the state from the server. If it is unknown
 * which keys are unclear, or there are more than {@value #MAX_MARKS}, a whole namespace or the
 * whole type is unclear.
 *
 * <p>The response to a write can arrive after the watch has delivered the creation and the deletion
 * of the object. Callers must therefore enclose each write in {@link #begin} and {@link #end}. The
 * overlay drops a response that contradicts a deletion that the store receives between the two
 * calls.
 *
 * <p>This class is thread-safe. Reads are lock-free and see all earlier writes by any thread. The
 * overlay uses the store's indices, and also calls their functions for overlaid states.
 *
 * @param <T> the Java class of the objects
 */
public final class Overlay<T> extends OverlaidIndexer<T> implements StoreObserver<T> {

  /** The maximum number of unclear or deleted keys (10 MB); beyond it, all keys are unclear. */
  static final int MAX_MARKS = 100_000;

  /** The time after which a state that the store has not confirmed is unclear: 60 s. */
  static final int UNCONFIRMED_SECONDS = 60;

  private final Store<T> store;
  private final boolean narrowed;
  private final ObjectDecoder<T> decoder;
  private final Scheduler scheduler;
  private final Consumer<CachedObject<T>> missed;
  private final Object lock = new Object();

  /** Whether any state is overlaid. The field is written under the lock. */
  private volatile boolean any;

  private final UnconfirmedWrites<T> written = new UnconfirmedWrites<>();
  private final DeletedObjects deleted = new DeletedObjects();
  private final UnclearNamespaces doubts;

  @GuardedBy("lock")
  private final RemovalsInFlight ends = new RemovalsInFlight();

  /** The highest version that the store has received. */
  private final AtomicLong newest = new AtomicLong(-1);

  /** The version of the last list that the store has received; -1 if it is not a number. */
  @GuardedBy("lock")
  private long listed = -1;

  /** The time at which obsolete entries were last removed, in monotonic nanoseconds. */
  @GuardedBy("lock")
  private long swept;

  /**
   * Creates an empty overlay. The store must notify it of each change; see {@link Store#observe}.
   *
   * @param narrowed whether a selector restricts the store, so that an object that leaves the store
   *     may still exist and return
   * @param decoder the decoder, which decodes responses in the same way as the store's states
   * @param missed the callback that receives each written object that was deleted before a list or
   *     a watch showed it. The overlay calls it under a lock, so the callback must not call this
   *     overlay
   */
  public Overlay(
      Store<T> store,
      boolean narrowed,
      ObjectDecoder<T> decoder,
      Scheduler scheduler,
      Consumer<CachedObject<T>> missed) {
    super(store);
    this.store = store;
    this.narrowed = narrowed;
    this.decoder = decoder;
    this.scheduler = scheduler;
    this.missed = missed;
    doubts = new UnclearNamespaces(decoder.codec().type().resource());
    swept = scheduler.nanoTime();
  }

  /** Records the start of a write. The caller must call {@link #end} after it, even if it fails. */
  public void begin() {
    synchronized (lock) {
      ends.begin();
    }
  }

  /** Records that a write has completed, after its outcome was reported to this overlay. */
  public void end() {
    synchronized (lock) {
      ends.end();
    }
  }

  /**
   * Overlays the state with which the server responded to a write.
   *
   * @throws dev.windlass.object.MalformedObjectException if the bytes are not the JSON of an object
   */
  public void written(byte[] json) {
    CachedObject<T> state = decoder.decode(json, 0, json.length);
    synchronized (lock) {
      if (deleted.has(state.key(), state.uid())) {
        hide(state.key(), state.uid(), state.version());
        return;
      }
      UnconfirmedWrite<T> entry = UnconfirmedWrite.of(state, scheduler.nanoTime());
      boolean known = written.hasRoomFor(state) && ends.areAllKnown();
      if (known
          && entry.isMissed(listed, stored(state.key()))
          && !ends.has(state.key(), state.uid())) {
        missed.accept(state);
      }
      put(state.key(), known ? entry : entry.withoutState());
    }
  }

  /**
   * Marks a key as unclear. The server has executed a write that led to this version of the object
   * or a later version, but the object's current state is unknown.
   *
   * @param version the version as a number; -1 if it is unknown, or if it is unknown whether the
   *     write was executed. The key is then unclear for {@value #UNCONFIRMED_SECONDS} s
   */
  public void unclear(ObjectKey key, long version) {
    unclear(key, "", version);
  }

  /**
   * Marks a key as unclear, as {@link #unclear(ObjectKey, long)} does, because of a write to the
   * object with this uid. When the store has removed that object, the key is no longer unclear.
   */
  public void unclear(ObjectKey key, String uid, long version) {
    synchronized (lock) {
      UnconfirmedWrite<T> known = written.get(key);
      long now = scheduler.nanoTime();
      put(key, UnconfirmedWrite.unknown(uid, version, known == null ? -1 : known.floor(), now));
    }
  }

  /**
   * Records that the server responded with a state that does not match the store's selector. Until
   * the store receives the change that led to this state, the overlay hides the store's state of
   * the object.
   *
   * @param version the version as a number; if it is -1, the key becomes unclear
   */
  public void outside(ObjectKey key, String uid, long version) {
    synchronized (lock) {
      sweep();
      long now = scheduler.nanoTime();
      put(
          key,
          version < 0
              ? UnconfirmedWrite.unknown(uid, version, -1, now)
              : UnconfirmedWrite.outside(uid, version, now));
    }
  }

  /**
   * Marks all keys of a namespace as unclear for {@value #UNCONFIRMED_SECONDS} s, because it is
   * unknown which objects a write has changed. An empty namespace means all namespaces.
   */
  public void allUnclear(String namespace) {
    synchronized (lock) {
      doubts.add(namespace, scheduler.nanoTime());
      any = true;
    }
  }

  @GuardedBy("lock")
  private void put(ObjectKey key, UnconfirmedWrite<T> entry) {
    UnconfirmedWrite<T> known = written.get(key);
    boolean hasEnded = ends.has(key, entry.uid());
    if ((hasEnded && !narrowed)
        || (entry.version() >= 0 && entry.version() <= ends.version(key))
        || entry.isConfirmed(listed, stored(key))) {
      return; // the store already received that version or the deletion
    }
    if (hasEnded && !entry.outside()) {
      put(key, entry.withoutState(), known);
      return; // it is unknown whether it left the selection before this write
    }
    put(key, entry, known);
  }

  @GuardedBy("lock")
  private void put(ObjectKey key, UnconfirmedWrite<T> entry, @Nullable UnconfirmedWrite<T> known) {
    if (known != null && known.version() > entry.version() && entry.version() >= 0) {
      return; // the responses to two writes arrived in reverse order
    }
    if (known == null && marks() >= MAX_MARKS) {
      written.removeIdle(store, scheduler.nanoTime());
    }
    if (known == null && marks() >= MAX_MARKS) {
      forget(entry.version());
      return;
    }
    any = true;
    written.put(key, entry);
    if (!entry.isNewerThan(stored(key))) {
      drop(key); // the watch event arrived first
    }
  }

  /**
   * Records that the server has deleted the object with this uid.
   *
   * @param uid the uid; if it is empty, because the server did not return one, the object that is
   *     currently shown under the key counts as deleted
   */
  public void deleted(ObjectKey key, String uid) {
    synchronized (lock) {
      CachedObject<T> stored = stored(key);
      UnconfirmedWrite<T> entry = written.get(key);
      CachedObject<T> state = entry == null ? null : entry.state();
      CachedObject<T> last =
          state != null && (uid.isEmpty() || state.uid().equals(uid)) ? state : stored;
      String gone = uid.isEmpty() && last != null ? last.uid() : uid;
      long version = last != null && last.uid().equals(gone) ? last.version() : -1;
      if (gone.isEmpty()) {
        unclear(key, -1); // the store may not have received the creation yet
      }
      hide(key, gone, version);
      if (state != null && state.uid().equals(gone)) {
        drop(key); // must come last; otherwise readers would see the previous state
      }
    }
  }

  @GuardedBy("lock")
  private void hide(ObjectKey key, String uid, long version) {
    if (uid.isEmpty() || (ends.has(key, uid) && !narrowed)) {
      return;
    }
    if (!deleted.has(key) && marks() >= MAX_MARKS) {
      forget(version);
      return;
    }
    any = true;
    deleted.add(key, new DeletedObjects.Gone(uid, version, scheduler.nanoTime()));
  }

  @GuardedBy("lock")
  private void forget(long version) {
    doubts.forget(version, scheduler.nanoTime());
    any = true;
  }

  @GuardedBy("lock")
  private int marks() {
    return written.size() + deleted.size();
  }

  @Override
  public void stored(CachedObject<T> state, @Nullable CachedObject<T> before) {
    if (state.version() > newest.getPlain()) {
      newest.lazySet(state.version());
    }
    CachedObject<T> replaced = before == null || before.isSameObject(state) ? null : before;
    if (!any && replaced == null) {
      return;
    }
    synchronized (lock) {
      UnconfirmedWrite<T> entry = written.get(state.key());
      if (entry != null && !entry.isNewerThan(state)) {
        drop(state.key());
      }
      if (replaced != null) {
        ended(replaced);
      }
      sweep();
    }
  }

  @Override
  public void removed(CachedObject<T> last) {
    synchronized (lock) {
      ended(last);
    }
  }

  @GuardedBy("lock")
  private void ended(CachedObject<T> last) {
    UnconfirmedWrite<T> entry = written.get(last.key());
    if (entry != null && !entry.uid().isEmpty() && entry.uid().equals(last.uid())) {
      if (!narrowed || entry.version() <= last.version()) {
        written.remove(last.key());
      } else if (!entry.outside()) {
        written.put(last.key(), entry.withoutState()); // this write may have made it match again
      }
    }
    ends.add(last.key(), new DeletedObjects.Gone(last.uid(), last.version(), scheduler.nanoTime()));
    if (!narrowed) {
      deleted.remove(last.key(), last.uid());
    }
    look();
  }

  @Override
  public void listed(long version) {
    synchronized (lock) {
      listed = version;
      long now = scheduler.nanoTime();
      written.removeIf(
          (key, entry) -> {
            if (entry.isMissed(version, stored(key))) {
              missed.accept(entry.state());
            }
            return entry.isIn(version, stored(key), now) || entry.isForgotten(now, newest.get());
          });
      deleted.removeIf((key, gone) -> gone.isOver(version, now, stored(key))).forEach(ends::add);
      look();
    }
  }

  private @Nullable CachedObject<T> stored(ObjectKey key) {
    return store.get(key).orElse(null);
  }

  /** Drops obsolete entries, at most once a minute, because the next list can be days away. */
  @GuardedBy("lock")
  private void sweep() {
    long now = scheduler.nanoTime();
    if (now - swept < UnconfirmedWrite.CONFIRMED_WITHIN.toNanos()) {
      return;
    }
    swept = now;
    long reached = newest.get();
    written.removeIf((key, entry) -> entry.isForgotten(now, reached));
    written.removeIdle(store, now);
    deleted.removeIf((key, gone) -> gone.isLongAgo(now) && gone.version() < reached);
    look();
  }

  @GuardedBy("lock")
  private void drop(ObjectKey key) {
    written.remove(key);
    look();
  }

  @GuardedBy("lock")
  private void look() {
    any = doubts.sweep(scheduler.nanoTime(), newest.get()) || marks() > 0;
  }

  /** Returns whether the store may lack a write of this process to the object with this key. */
  public boolean isPending(ObjectKey key) {
    return any && (written.get(key) != null || deleted.has(key) || isAnyUnclear(key.namespace()));
  }

  /** Returns whether only the server can provide the current state of the object with this key. */
  public boolean isUnclear(ObjectKey key) {
    return any && (isAnyUnclear(key.namespace()) || outlook(key).isUnclear());
  }

  private KeySnapshot<T> outlook(ObjectKey key) {
    UnconfirmedWrite<T> entry = written.get(key); // must be first: the store has all dropped states
    Collection<DeletedObjects.Gone> gone = deleted.of(key);
    return new KeySnapshot<>(stored(key), entry, gone, scheduler.nanoTime(), newest.get());
  }

  /**
   * Returns whether the current content of a namespace can be obtained only from the server,
   * because it is unknown which of its keys are unclear. An empty namespace means all namespaces.
   */
  public boolean isAnyUnclear(String namespace) {
    return any && doubts.cover(namespace, scheduler.nanoTime(), newest.get());
  }

  /** Returns the keys known to be unclear in a namespace, or in all namespaces if it is empty. */
  public Set<ObjectKey> unclearKeys(String namespace) {
    if (!any) {
      return Set.of();
    }
    return Stream.concat(written.keys().stream(), deleted.keys().stream())
        .filter(key -> namespace.isEmpty() || key.namespace().equals(namespace))
        .filter(this::isUnclear)
        .collect(Collectors.toSet());
  }

  @Override
  public Optional<CachedObject<T>> get(ObjectKey key) {
    if (!any) {
      return store.get(key);
    }
    return Optional.ofNullable(outlook(key).shown());
  }

  @Override
  public List<CachedObject<T>> list(Query query) {
    if (!any) {
      return store.list(query);
    }
    return KeySnapshot.list(
        store, query, written.copy(), deleted.copy(), scheduler.nanoTime(), newest.get());
  }

  /** Returns the number of responses that are overlaid until the store has caught up. */
  public int waiting() {
    synchronized (lock) {
      return marks();
    }
  }

  /** Returns the number of writes that were not tracked; all reads then go to the server. */
  public long forgotten() {
    return doubts.forgotten();
  }
}
