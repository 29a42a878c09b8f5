// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.ownwrites;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.informer.index.Query;
import dev.windlass.informer.index.Store;
import dev.windlass.informer.index.Store.Observer;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectDecoder;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ParsedObject;
import dev.windlass.object.ReadableObjects;
import dev.windlass.scheduling.Scheduler;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Presents the objects in a store together with this process's writes that the store has not
 * received yet. A program can therefore read its own writes before the watch delivers them.
 *
 * <p><em>Written objects.</em> The response to a write contains the object with its new version.
 * The overlay returns this object if the store has an older version or none. It drops the object
 * when the store has received this version, a later version, or the deletion of the object.
 * Versions are compared as numbers. If they are not numbers, the overlay returns the response until
 * the store has exactly this version.
 *
 * <p><em>Deletions.</em> The overlay does not return an object that the server has deleted, even if
 * the store still contains it. The overlay identifies the object by its uid, which is unique unless
 * the server is restored from a backup. It forgets the deletion when the store has removed the
 * object.
 *
 * <p><em>Unclear keys.</em> A key is unclear if the stored object may be outdated and its current
 * state is unknown. {@link #isUnclear} then returns true, and the caller must read the object from
 * the server. There are three causes: the response to a write did not contain the object; the limit
 * for responses (10,000 objects, 64 MiB) was reached; or the store has not received a write or a
 * deletion within {@value #UNCONFIRMED_SECONDS} s. If it is unknown which keys are unclear, the
 * whole namespace is unclear. If more than {@value #MAX_MARKS} writes and deletions are pending,
 * the whole type is unclear.
 *
 * <p>A response can arrive after the watch has delivered the creation and the deletion of the
 * object. Callers must therefore enclose each write in {@link #begin} and {@link #end}. The overlay
 * ignores a response if the store has removed the object between these calls.
 *
 * <p>This class is thread-safe. Reads do not acquire a lock, and see all earlier writes by any
 * thread. The overlay uses the store's indices, and also calls their functions for written objects.
 *
 * @param <T> the Java class of the objects
 */
public final class Overlay<T> extends OverlaidIndexer<T> implements Observer<T> {

  /** The limit on pending writes and deletions (10 MB). Beyond it, all keys are unclear. */
  static final int MAX_MARKS = 100_000;

  /** The time after which a key is unclear if the store has not received the write: 60 s. */
  static final int UNCONFIRMED_SECONDS = 60;

  /** The maximum number of objects that a list reads individually from the server. */
  static final int SINGLE_READS = 20;

  private final Store<T> store;
  private final boolean narrowed;
  private final ObjectDecoder<T> decoder;
  private final Scheduler scheduler;
  private final Consumer<CachedObject<T>> missed;
  private final Object lock = new Object();

  /** Whether anything is overlaid or unclear. Writes to this field require the lock. */
  private volatile boolean any;

  private final UnconfirmedWrites<T> written = new UnconfirmedWrites<>();
  private final DeletedObjects deleted = new DeletedObjects();
  private final UnclearNamespaces unclearNamespaces;
  private final AtomicLong newest = new AtomicLong(-1); // the highest version received

  @GuardedBy("lock")
  private final RemovalsInFlight ends = new RemovalsInFlight();

  /** The version of the last list that the store has received; -1 if it is not a number. */
  @GuardedBy("lock")
  private long listed = -1;

  /** The time of the last removal of obsolete entries, in nanoseconds on the scheduler's clock. */
  @GuardedBy("lock")
  private long swept;

  /**
   * Creates an empty overlay. The store must notify it of each change; see {@link Store#observe}.
   *
   * @param narrowed whether a selector restricts the store, so that an object that the store
   *     removes may still exist
   * @param decoder the decoder that also decodes the store's objects
   * @param missed the callback for each written object that was deleted before a list or a watch
   *     returned it. The overlay calls it under a lock, so it must not call the overlay
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
    unclearNamespaces = new UnclearNamespaces(decoder.codec().type().resource());
    swept = scheduler.nanoTime();
  }

  /** Records the start of a write. Even if the write fails, the caller must call {@link #end}. */
  public void begin() {
    synchronized (lock) {
      ends.begin();
    }
  }

  /** Records the end of a write. The caller must report the result of the write first. */
  public void end() {
    synchronized (lock) {
      ends.end();
    }
  }

  /**
   * Records the object that the server returned in response to a write.
   *
   * @throws dev.windlass.object.MalformedObjectException if the object has no name
   */
  public void written(ParsedObject object) {
    CachedObject<T> state = decoder.decode(object);
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
   * Records a write whose result is unknown. The key is {@linkplain #isUnclear unclear} until the
   * store has received the given version or a later one.
   *
   * @param version the lowest version that the write can have produced; -1 if it is unknown or if
   *     the write may have failed: the key is then unclear for {@value #UNCONFIRMED_SECONDS} s
   */
  public void unclear(ObjectKey key, long version) {
    unclear(key, "", version);
  }

  /**
   * Does the same as {@link #unclear(ObjectKey, long)} for a write to the object with the given
   * uid. The key also stops being unclear when the store removes this object.
   */
  public void unclear(ObjectKey key, String uid, long version) {
    synchronized (lock) {
      UnconfirmedWrite<T> known = written.get(key);
      long now = scheduler.nanoTime();
      put(key, UnconfirmedWrite.unknown(uid, version, known == null ? -1 : known.floor(), now));
    }
  }

  /**
   * Records a write after which the object does not match the store's selector. The overlay hides
   * the stored object until the store has received this change.
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
   * Records a write that may have changed any object in a namespace, or in all if it is an empty
   * string. All keys in it are unclear for {@value #UNCONFIRMED_SECONDS} s.
   */
  public void allUnclear(String namespace) {
    synchronized (lock) {
      unclearNamespaces.add(namespace, scheduler.nanoTime());
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
   * Records that the server has deleted the object with the given uid.
   *
   * @param uid the uid; empty if the server did not return it. In that case, the object that the
   *     overlay currently returns for the key counts as deleted
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
    unclearNamespaces.forget(version, scheduler.nanoTime());
    any = true;
  }

  @GuardedBy("lock")
  private int marks() {
    return written.size() + deleted.size();
  }

  @Override
  public void stored(CachedObject<T> state, @Nullable CachedObject<T> before) {
    newest.accumulateAndGet(state.version(), Math::max);
    for (OtherCache other : others) {
      other.stored(state);
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
    for (OtherCache other : others) {
      other.removed(last);
    }
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

  /** Drops obsolete entries, at most once a minute. The next list could be days away. */
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
    any = unclearNamespaces.sweep(scheduler.nanoTime(), newest.get()) || marks() > 0;
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

  /** Returns whether all reads of a namespace, or of all if it is empty, must go to the server. */
  public boolean isAnyUnclear(String namespace) {
    return any && unclearNamespaces.cover(namespace, scheduler.nanoTime(), newest.get());
  }

  /** Returns the unclear keys in the given namespace. An empty string means all namespaces. */
  Set<ObjectKey> unclearKeys(String namespace) {
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

  /**
   * Reads one object. If its key is unclear, reads it from the server.
   *
   * @param decode creates the result from a state of this overlay
   */
  public <S> Optional<S> read(
      ObjectKey key,
      Function<? super CachedObject<T>, ? extends S> decode,
      Function<ObjectKey, Optional<S>> server) {
    return isUnclear(key) ? server.apply(key) : get(key).map(decode);
  }

  /**
   * Reads the objects that match a query. Reads unclear objects from the server, individually if
   * there are at most {@value #SINGLE_READS}, and otherwise all objects together.
   *
   * @param namespace the namespace of the query, or an empty string for all namespaces
   * @param decode creates a result from a state of this overlay
   */
  public <S extends HasMetadata> ReadableObjects<S> read(
      String namespace,
      Query query,
      Function<? super CachedObject<T>, ? extends S> decode,
      ServerReader<S> server) {
    Set<ObjectKey> unclear = unclearKeys(namespace);
    if (unclear.size() > SINGLE_READS || isAnyUnclear(namespace)) {
      return server.listSelected(namespace);
    }
    ReadableObjects<S> found = ReadableObjects.of(list(query), decode);
    found.objects().removeIf(object -> unclear.contains(ObjectKey.of(object)));
    found.unreadable().keySet().removeAll(unclear);
    unclear.forEach(key -> found.addAll(server.selected(server.get(key))));
    return found;
  }

  /** Returns whether the store has a complete list, but has not received the given version. */
  boolean isBehind(long version) {
    synchronized (lock) {
      return listed >= 0 && newest.get() < version;
    }
  }

  /** Returns the number of writes and deletions that the store has not received yet. */
  public int waiting() {
    synchronized (lock) {
      return marks();
    }
  }

  /** Returns the number of writes that were not recorded because the overlay was full. */
  public long forgotten() {
    return unclearNamespaces.forgotten();
  }
}
