// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectDecoder;
import dev.windlass.object.ObjectKey;
import dev.windlass.time.Scheduler;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A store as it will be when the watch has caught up with what this process wrote: the server's
 * answers to writes, laid over the store until that has them, too. This is how a program reads its
 * own writes.
 *
 * <p><em>Written states.</em> The answer to a write is a state with a resourceVersion. It is shown
 * in place of an older one, or of none, and dropped as soon as the store has taken in that version
 * of the object or a later one, or its end. Versions compare as numbers; where they are none, the
 * answer is shown until the store has exactly this version.
 *
 * <p><em>Deletions.</em> The object with that uid is not shown any more, whatever the store has. No
 * uid comes back, unless the server itself is restored; it is dropped when the store has lost the
 * object.
 *
 * <p><em>Unclear keys.</em> Sometimes all that is known is that the store's state is too old: the
 * answer was no state of the object (a scale), memory for answers is used up (10,000 states, 64
 * MiB), or the store has not confirmed a state or a deletion for {@value #UNCONFIRMED_SECONDS} s.
 * Then {@link #isUnclear} says so, and who reads asks the server. If it is not known which keys are
 * unclear, or there are more than {@value #MAX_MARKS}, all of a namespace or of the type are.
 *
 * <p>An answer may be later than the watch: by then, the object may have come and gone. So {@link
 * #begin} and {@link #end} stand around each write, and deletions that the store sees meanwhile are
 * noted; an answer that such a deletion contradicts is dropped.
 *
 * <p>Reads take no lock, and while nothing is overlaid they cost one look at a field. They see what
 * was written before, by any thread, and never less than the store. All methods may be called from
 * any thread. Indices are the store's; their functions are asked about overlaid states, too.
 *
 * @param <T> the typed class of the objects
 */
public final class Overlay<T> extends OverStore<T> {

  /** How many keys may be unclear or deleted: some 10 MB. If there are more, every key is. */
  static final int MAX_MARKS = 100_000;

  /** How long the store may take to confirm a state before the server is asked: 60 s. */
  static final int UNCONFIRMED_SECONDS = 60;

  private final Store<T> store;
  private final boolean narrowed;
  private final ObjectDecoder<T> decoder;
  private final Scheduler scheduler;
  private final Lister<T> lister = new Lister<>(this);
  private final Object lock = new Object();

  /** Whether there is anything to look at; written under the lock. */
  private volatile boolean any;

  private final WrittenStates<T> written = new WrittenStates<>();

  private final Deletions deleted = new Deletions();
  private final Doubts doubts;

  @GuardedBy("lock")
  private final EndsMeanwhile ends = new EndsMeanwhile();

  /** The highest version that the store has taken in. */
  private final AtomicLong newest = new AtomicLong(-1);

  /** The version of the last list that the store has taken in; -1 if that was no number. */
  @GuardedBy("lock")
  private long listed = -1;

  /** When what is of no use any more was looked for last. */
  @GuardedBy("lock")
  private long swept;

  /**
   * An overlay of nothing. The store must be written through {@link #confirming()} only.
   *
   * @param decoder makes of answers what the store would have
   */
  public Overlay(Store<T> store, ObjectDecoder<T> decoder, Scheduler scheduler) {
    this(store, false, decoder, scheduler);
  }

  /**
   * As above; of a {@code narrowed} store a selector chooses what it has, so an object that leaves
   * it may still exist, and come back.
   */
  public Overlay(Store<T> store, boolean narrowed, ObjectDecoder<T> decoder, Scheduler scheduler) {
    super(store);
    this.store = store;
    this.narrowed = narrowed;
    this.decoder = decoder;
    this.scheduler = scheduler;
    doubts = new Doubts(decoder.codec().type().resource());
    swept = scheduler.nanoTime();
  }

  /** The store, which confirms what is overlaid when it is written. */
  public Store<T> confirming() {
    return new ConfirmingStore<>(store, this);
  }

  /** A write goes to the server; {@link #end} follows, however it ends. */
  public void begin() {
    synchronized (lock) {
      ends.begin();
    }
  }

  /** A write has ended, and what it led to has been told. */
  public void end() {
    synchronized (lock) {
      ends.end();
    }
  }

  /**
   * The server has answered a write with this state.
   *
   * @throws dev.windlass.object.MalformedObjectException if that is not the JSON of an object
   */
  public void written(byte[] json) {
    CachedObject<T> state = decoder.decode(json, 0, json.length);
    synchronized (lock) {
      if (deleted.has(state.key(), state.uid())) {
        hide(state.key(), state.uid(), state.version());
        return;
      }
      WrittenState<T> entry = WrittenState.of(state, scheduler.nanoTime());
      boolean known = written.hasRoomFor(state) && ends.areAllKnown();
      put(state.key(), known ? entry : entry.withoutState());
    }
  }

  /**
   * The server has done a write that led to this version of the object, or a later one; what it is
   * like now is not known.
   *
   * @param version a number; -1 if that is not known either, or not even whether it was done. Then
   *     the key is unclear for {@value #UNCONFIRMED_SECONDS} s
   */
  public void unclear(ObjectKey key, long version) {
    unclear(key, "", version);
  }

  /**
   * As {@link #unclear(ObjectKey, long)}, of the object with this uid: when the store has lost
   * that, nothing is unclear any more.
   */
  public void unclear(ObjectKey key, String uid, long version) {
    synchronized (lock) {
      WrittenState<T> known = written.get(key);
      long now = scheduler.nanoTime();
      put(key, WrittenState.unknown(uid, version, known == null ? -1 : known.floor(), now));
    }
  }

  /**
   * The server has answered a write with a state that the store's selector does not choose: what
   * the store has of the object, or will have before it hears of that, is not shown.
   *
   * @param version a number; with -1 the key is unclear
   */
  public void outside(ObjectKey key, String uid, long version) {
    synchronized (lock) {
      sweep();
      long now = scheduler.nanoTime();
      put(
          key,
          version < 0
              ? WrittenState.unknown(uid, version, -1, now)
              : WrittenState.outside(uid, version, now));
    }
  }

  /**
   * Any object of the namespace, of all if it is empty, may have been written; which ones is not
   * known. All its keys are unclear for {@value #UNCONFIRMED_SECONDS} s.
   */
  public void allUnclear(String namespace) {
    synchronized (lock) {
      doubts.add(namespace, scheduler.nanoTime());
      any = true;
    }
  }

  @GuardedBy("lock")
  private void put(ObjectKey key, WrittenState<T> entry) {
    long ended = Math.max(listed, ends.version(key));
    WrittenState<T> known = written.get(key);
    boolean hasEnded = ends.has(key, entry.uid());
    if ((hasEnded && !narrowed) || (entry.version() >= 0 && entry.version() <= ended)) {
      return; // the answer is late: the store has had that, or its end
    }
    if (hasEnded && !entry.outside()) {
      put(key, entry.withoutState(), known);
      return; // did it leave the selection before or after that?
    }
    put(key, entry, known);
  }

  @GuardedBy("lock")
  private void put(ObjectKey key, WrittenState<T> entry, @Nullable WrittenState<T> known) {
    if (known != null && known.version() > entry.version() && entry.version() >= 0) {
      return; // of two answers, the later one has come first
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
    if (!entry.isNewerThan(store.get(key).orElse(null))) {
      drop(key); // the watch was faster
    }
  }

  /**
   * The server has deleted the object with this uid.
   *
   * @param uid empty if the server does not tell; then it was what is shown under the key
   */
  public void deleted(ObjectKey key, String uid) {
    synchronized (lock) {
      CachedObject<T> stored = store.get(key).orElse(null);
      WrittenState<T> entry = written.get(key);
      CachedObject<T> state = entry == null ? null : entry.state();
      CachedObject<T> last =
          state != null && (uid.isEmpty() || state.uid().equals(uid)) ? state : stored;
      String gone = uid.isEmpty() && last != null ? last.uid() : uid;
      long version = last != null && last.uid().equals(gone) ? last.version() : -1;
      if (gone.isEmpty()) {
        unclear(key, -1); // the store may still have to see it come
      }
      hide(key, gone, version);
      if (state != null && state.uid().equals(gone)) {
        drop(key); // after the above, or readers see the state before
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
    deleted.add(key, new Deletions.Gone(uid, version, scheduler.nanoTime()));
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

  /** The store has this state now. */
  void stored(CachedObject<T> state, @Nullable CachedObject<T> before) {
    if (state.version() > newest.getPlain()) {
      newest.lazySet(state.version());
    }
    CachedObject<T> replaced = before == null || before.isSameObject(state) ? null : before;
    if (!any && replaced == null) {
      return;
    }
    synchronized (lock) {
      WrittenState<T> entry = written.get(state.key());
      if (entry != null && !entry.isNewerThan(state)) {
        drop(state.key());
      }
      if (replaced != null) {
        ended(replaced);
      }
      sweep();
    }
  }

  /** The store has this object no more. */
  void removed(CachedObject<T> last) {
    synchronized (lock) {
      ended(last);
    }
  }

  @GuardedBy("lock")
  private void ended(CachedObject<T> last) {
    WrittenState<T> entry = written.get(last.key());
    if (entry != null && !entry.uid().isEmpty() && entry.uid().equals(last.uid())) {
      if (!narrowed || entry.version() <= last.version()) {
        written.remove(last.key());
      } else if (!entry.outside()) {
        written.put(last.key(), entry.withoutState()); // may have left before, and come back by it
      }
    }
    ends.add(last.key(), new Deletions.Gone(last.uid(), last.version(), scheduler.nanoTime()));
    if (!narrowed) {
      deleted.remove(last.key(), last.uid());
    }
    look();
  }

  /** The store has taken in a whole list of this version; -1 if that is no number. */
  void listed(long version) {
    synchronized (lock) {
      listed = version;
      long now = scheduler.nanoTime();
      written.removeIf(entry -> entry.isIn(version, now) || entry.isForgotten(now, newest.get()));
      deleted
          .removeIf((key, gone) -> gone.isOver(version, now, isStored(key, gone)))
          .forEach(ends::add);
      look();
    }
  }

  private boolean isStored(ObjectKey key, Deletions.Gone gone) {
    return store.get(key).filter(object -> object.uid().equals(gone.uid())).isPresent();
  }

  /**
   * Drops what is of no use any more, once in {@value #UNCONFIRMED_SECONDS} s: the next list, which
   * would do it too, may be days away.
   */
  @GuardedBy("lock")
  private void sweep() {
    long now = scheduler.nanoTime();
    if (now - swept < WrittenState.CONFIRMED_WITHIN.toNanos()) {
      return;
    }
    swept = now;
    long reached = newest.get();
    written.removeIf(entry -> entry.isForgotten(now, reached));
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

  /** Reads typed objects; see {@link #isUnclear(ObjectKey)}. */
  public Lister<T> lister() {
    return lister;
  }

  /** Whether a write of this process under the key is not known to be in the store. */
  public boolean isPending(ObjectKey key) {
    return any && (written.get(key) != null || deleted.has(key) || isAnyUnclear(key.namespace()));
  }

  /** Whether only the server knows what is under the key. */
  public boolean isUnclear(ObjectKey key) {
    if (!any) {
      return false;
    }
    return isAnyUnclear(key.namespace()) || outlook(key).isUnclear();
  }

  private Outlook<T> outlook(ObjectKey key) {
    WrittenState<T> entry = written.get(key); // before the store, which has what is dropped here
    Collection<Deletions.Gone> gone = deleted.of(key);
    return new Outlook<>(
        store.get(key).orElse(null), entry, gone, scheduler.nanoTime(), newest.get());
  }

  /**
   * Whether only the server knows what is in a namespace, in all if it is empty, beyond {@link
   * #unclearKeys}: which keys are unclear there is not known.
   */
  public boolean isAnyUnclear(String namespace) {
    return any && doubts.cover(namespace, scheduler.nanoTime(), newest.get());
  }

  /** The keys of a namespace, of all if it is empty, that are known to be unclear. */
  public Set<ObjectKey> unclearKeys(String namespace) {
    if (!any) {
      return Set.of();
    }
    return Stream.concat(written.keys().stream(), deleted.keys().stream())
        .filter(key -> namespace.isEmpty() || key.namespace().equals(namespace))
        .filter(this::isUnclear)
        .collect(Collectors.toSet());
  }

  /** Whether a state meets all requirements of a query; see {@link Store#matches}. */
  public boolean matches(CachedObject<T> object, Query query) {
    return store.matches(object, query);
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
    return Outlook.list(
        store, query, written.copy(), deleted.copy(), scheduler.nanoTime(), newest.get());
  }

  /** How many answers wait for the store to catch up. */
  public int waiting() {
    synchronized (lock) {
      return marks();
    }
  }

  /** How many answers there was no room for, so that every read asked the server for a while. */
  public long forgotten() {
    return doubts.forgotten();
  }
}
