// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectDecoder;
import dev.windlass.object.ObjectKey;
import dev.windlass.time.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
 * uid comes back, so this can't be wrong; it is dropped when the store has lost the object.
 *
 * <p><em>Unclear keys.</em> Sometimes all that is known is that the store's state is too old: the
 * answer was no state of the object (a scale), memory for answers is used up ({@value #MAX_STATES}
 * states, {@value #MAX_BYTES} bytes), or the store has not confirmed a state for {@value
 * #UNCONFIRMED_SECONDS} s. Then {@link #isUnclear} says so, and who reads asks the server.
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
public final class Overlay<T> implements Indexer<T> {

  /** How many states may wait to be confirmed. */
  static final int MAX_STATES = 10_000;

  /** How many bytes these may take: 64 MiB. */
  static final long MAX_BYTES = 64L * 1024 * 1024;

  /** How many keys may be unclear or deleted: some 10 MB. More are forgotten, and counted. */
  static final int MAX_MARKS = 100_000;

  /** How long the store may take to confirm a state before the server is asked: 60 s. */
  static final int UNCONFIRMED_SECONDS = 60;

  /** After that, what the store can't confirm is forgotten, if it takes in later versions. */
  private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(10);

  /** How many deletions are noted at a time. */
  static final int MAX_NOTED = 10_000;

  /**
   * The answer to a write.
   *
   * @param version -1 if it is no number
   * @param state null if it is not known: unclear
   */
  private record Written<T>(
      long version, String resourceVersion, @Nullable CachedObject<T> state, long since) {

    boolean isNewerThan(@Nullable CachedObject<T> stored) {
      if (stored == null) {
        return true;
      }
      return (version < 0 || stored.version() < 0)
          ? !stored.resourceVersion().equals(resourceVersion)
          : stored.version() < version;
    }

    int bytes() {
      return state == null ? 0 : state.sizeInBytes();
    }
  }

  /**
   * An object that was deleted, or may have been.
   *
   * @param version of the last state that was known; -1 if none was
   */
  private record Gone(String uid, long version, long since) {

    /** Whether it is this object, or one that had the name before it. */
    boolean hides(CachedObject<?> state) {
      return state.uid().equals(uid) || (state.version() >= 0 && state.version() <= version);
    }
  }

  private final Store<T> store;
  private final ObjectDecoder<T> decoder;
  private final Scheduler scheduler;
  private final Lister<T> lister = new Lister<>(this);
  private final Object lock = new Object();

  /** Whether there is anything to look at; written under the lock. */
  private volatile boolean any;

  private final Map<ObjectKey, Written<T>> written = new ConcurrentHashMap<>();

  /** Deleted objects by key and uid; the inner maps are immutable. */
  private final Map<ObjectKey, Map<String, Gone>> deleted = new ConcurrentHashMap<>();

  /** Writes that have begun and not ended. */
  @GuardedBy("lock")
  private int inFlight;

  /** What ended while writes were in flight. */
  @GuardedBy("lock")
  private final Map<ObjectKey, Gone> noted =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ObjectKey, Gone> eldest) {
          return size() > MAX_NOTED;
        }
      };

  /** The highest version that the store has taken in. */
  private final AtomicLong newest = new AtomicLong(-1);

  /** The version of the last list that the store has taken in; -1 if that was no number. */
  @GuardedBy("lock")
  private long listed = -1;

  @GuardedBy("lock")
  private int states;

  @GuardedBy("lock")
  private long bytes;

  @GuardedBy("lock")
  private long forgotten;

  /**
   * An overlay of nothing. The store must be written through {@link #confirming()} only.
   *
   * @param decoder makes of answers what the store would have
   */
  public Overlay(Store<T> store, ObjectDecoder<T> decoder, Scheduler scheduler) {
    this.store = store;
    this.decoder = decoder;
    this.scheduler = scheduler;
  }

  /** The store, which confirms what is overlaid when it is written. */
  public Store<T> confirming() {
    return new ConfirmingStore<>(store, this);
  }

  // ---- writing

  /** A write goes to the server; {@link #end} follows, however it ends. */
  public void begin() {
    synchronized (lock) {
      inFlight++;
    }
  }

  /** A write has ended, and what it led to has been told. */
  public void end() {
    synchronized (lock) {
      inFlight--;
      if (inFlight == 0) {
        noted.clear();
      }
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
      boolean room = states < MAX_STATES && bytes + state.sizeInBytes() <= MAX_BYTES;
      if (deleted.getOrDefault(state.key(), Map.of()).containsKey(state.uid())) {
        hide(state.key(), state.uid(), state.version());
      } else {
        put(
            state.key(),
            new Written<>(
                state.version(),
                state.resourceVersion(),
                room ? state : null,
                scheduler.nanoTime()),
            state.uid());
      }
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
    synchronized (lock) {
      String text = version < 0 ? "" : Long.toString(version);
      put(key, new Written<>(version, text, null, scheduler.nanoTime()), "");
    }
  }

  @GuardedBy("lock")
  private void put(ObjectKey key, Written<T> entry, String uid) {
    Gone gone = noted.get(key);
    long ended = gone == null ? listed : Math.max(listed, gone.version());
    if ((gone != null && gone.uid().equals(uid))
        || (entry.version() >= 0 && entry.version() <= ended)) {
      return; // the answer is late: the store has had that, or its end
    }
    Written<T> known = written.get(key);
    if (known != null && known.version() > entry.version() && entry.version() >= 0) {
      return; // of two answers, the later one has come first
    }
    if (known == null && marks() >= MAX_MARKS) {
      forgotten++;
      return;
    }
    any = true;
    account(known, -1);
    account(entry, 1);
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
      Written<T> entry = written.get(key);
      CachedObject<T> state = entry == null ? null : entry.state();
      CachedObject<T> last =
          state != null && (uid.isEmpty() || state.uid().equals(uid)) ? state : stored;
      String gone = uid.isEmpty() && last != null ? last.uid() : uid;
      if (state != null && state.uid().equals(gone)) {
        drop(key);
      }
      long version = last != null && last.uid().equals(gone) ? last.version() : -1;
      hide(key, gone, version);
    }
  }

  @GuardedBy("lock")
  private void hide(ObjectKey key, String uid, long version) {
    Gone ended = noted.get(key);
    if (uid.isEmpty() || (ended != null && ended.uid().equals(uid))) {
      return;
    }
    if (!deleted.containsKey(key) && marks() >= MAX_MARKS) {
      forgotten++;
      return;
    }
    Map<String, Gone> uids = new HashMap<>(deleted.getOrDefault(key, Map.of()));
    Gone before = uids.get(uid);
    long last = before == null ? version : Math.max(before.version(), version);
    uids.put(uid, new Gone(uid, last, scheduler.nanoTime()));
    any = true;
    deleted.put(key, Map.copyOf(uids));
  }

  @GuardedBy("lock")
  private int marks() {
    return written.size() + deleted.size();
  }

  // ---- what the store tells

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
      Written<T> entry = written.get(state.key());
      if (entry != null && !entry.isNewerThan(state)) {
        drop(state.key());
      }
      if (replaced != null) {
        ended(replaced);
      }
    }
  }

  /** The store has this object no more. */
  void removed(CachedObject<T> last) {
    synchronized (lock) {
      Written<T> entry = written.get(last.key());
      CachedObject<T> state = entry == null ? null : entry.state();
      boolean ended = state != null && state.isSameObject(last);
      if (entry != null && (ended || !entry.isNewerThan(last))) {
        drop(last.key());
      }
      ended(last);
    }
  }

  @GuardedBy("lock")
  private void ended(CachedObject<T> last) {
    note(last.key(), new Gone(last.uid(), last.version(), scheduler.nanoTime()));
    show(last.key(), last.uid());
  }

  /** For answers that are still on their way. */
  @GuardedBy("lock")
  private void note(ObjectKey key, Gone gone) {
    if (inFlight > 0) {
      Gone before = noted.get(key);
      long version = before == null ? -1 : before.version();
      noted.put(key, new Gone(gone.uid(), Math.max(version, gone.version()), gone.since()));
    }
  }

  /** The store will not have this object again. */
  @GuardedBy("lock")
  private void show(ObjectKey key, String uid) {
    Map<String, Gone> left = new HashMap<>(deleted.getOrDefault(key, Map.of()));
    if (left.remove(uid) == null) {
      return;
    }
    if (left.isEmpty()) {
      deleted.remove(key);
    } else {
      deleted.put(key, Map.copyOf(left));
    }
    any = marks() > 0;
  }

  /** The store has taken in a whole list of this version; -1 if that is no number. */
  void listed(long version) {
    synchronized (lock) {
      listed = version;
      for (Map.Entry<ObjectKey, Written<T>> entry : written.entrySet()) {
        long wanted = entry.getValue().version();
        boolean isNumber = version >= 0 && wanted >= 0;
        boolean older = isNumber ? wanted <= version : isOld(entry.getValue());
        if (older || isForgotten(entry.getValue())) {
          drop(entry.getKey());
        }
      }
      deleted.forEach((key, uids) -> uids.values().forEach(gone -> listed(key, gone, version)));
    }
  }

  /** A deleted object that the list lacks, or that is long gone, won't come any more. */
  @GuardedBy("lock")
  private void listed(ObjectKey key, Gone gone, long version) {
    boolean stored = store.get(key).filter(object -> object.uid().equals(gone.uid())).isPresent();
    boolean before = gone.version() >= 0 && gone.version() <= version;
    if (!stored && (before || isLongAgo(gone))) {
      note(key, gone);
      show(key, gone.uid());
    }
  }

  private boolean isLongAgo(Gone gone) {
    return scheduler.nanoTime() - gone.since() >= FORGOTTEN_AFTER.toNanos();
  }

  @GuardedBy("lock")
  private void drop(ObjectKey key) {
    account(written.remove(key), -1);
    any = marks() > 0;
  }

  @GuardedBy("lock")
  private void account(@Nullable Written<T> entry, int sign) {
    if (entry != null && entry.state() != null) {
      states += sign;
      bytes += (long) sign * entry.bytes();
    }
  }

  /** Whether the store should have confirmed it by now. */
  private boolean isOld(Written<T> entry) {
    return age(entry) >= Duration.ofSeconds(UNCONFIRMED_SECONDS).toNanos();
  }

  /**
   * Whether it is of no use any more: the store has moved on without confirming it, or will never
   * be able to.
   */
  private boolean isForgotten(Written<T> entry) {
    if (entry.version() < 0 && entry.state() == null) {
      return isOld(entry); // perhaps nothing was written at all
    }
    return age(entry) >= FORGOTTEN_AFTER.toNanos()
        && (entry.version() < 0 || entry.version() <= newest.get());
  }

  private long age(Written<T> entry) {
    return scheduler.nanoTime() - entry.since();
  }

  // ---- reading

  /** Reads typed objects; see {@link #isUnclear(ObjectKey)}. */
  public Lister<T> lister() {
    return lister;
  }

  /** Whether a write of this process under the key is not known to be in the store. */
  public boolean isPending(ObjectKey key) {
    return any && (written.containsKey(key) || deleted.containsKey(key));
  }

  /** Whether only the server knows what is under the key. */
  public boolean isUnclear(ObjectKey key) {
    if (!any) {
      return false;
    }
    Collection<Gone> gone = deleted.getOrDefault(key, Map.of()).values();
    Written<T> entry = written.get(key);
    if (entry != null && isUnclear(entry)) {
      return true;
    }
    boolean doubtful = gone.stream().anyMatch(object -> object.version() < 0 && !isLongAgo(object));
    return doubtful && shown(key, gone, entry) != null;
  }

  /** The keys of a namespace, of all if it is empty, of which only the server knows. */
  public Set<ObjectKey> unclearKeys(String namespace) {
    if (!any) {
      return Set.of();
    }
    return Stream.concat(written.keySet().stream(), deleted.keySet().stream())
        .filter(key -> namespace.isEmpty() || key.namespace().equals(namespace))
        .filter(this::isUnclear)
        .collect(Collectors.toSet());
  }

  /** Whether a state meets all requirements of a query; see {@link Store#matches}. */
  public boolean matches(CachedObject<T> object, Query query) {
    return store.matches(object, query);
  }

  private boolean isUnclear(Written<T> entry) {
    boolean unknown = entry.state() == null || isOld(entry);
    return unknown && !isForgotten(entry);
  }

  @Override
  public Optional<CachedObject<T>> get(ObjectKey key) {
    if (!any) {
      return store.get(key);
    }
    // First what is overlaid: it is dropped only after the store has it.
    Collection<Gone> gone = deleted.getOrDefault(key, Map.of()).values();
    return Optional.ofNullable(shown(key, gone, written.get(key)));
  }

  private @Nullable CachedObject<T> shown(
      ObjectKey key, Collection<Gone> gone, @Nullable Written<T> entry) {
    CachedObject<T> stored = store.get(key).orElse(null);
    boolean isOverlaid =
        entry != null && entry.state() != null && entry.isNewerThan(stored) && !isForgotten(entry);
    CachedObject<T> newest = isOverlaid ? Objects.requireNonNull(entry).state() : stored;
    for (Gone object : gone) {
      if (newest != null && object.hides(newest)) {
        return null;
      }
    }
    return newest;
  }

  @Override
  public List<CachedObject<T>> list() {
    return list(Query.ALL);
  }

  @Override
  public List<CachedObject<T>> list(Query query) {
    if (!any) {
      return store.list(query);
    }
    Map<ObjectKey, Map<String, Gone>> gone = new HashMap<>(deleted);
    Map<ObjectKey, Written<T>> entries = new HashMap<>(written);
    Set<ObjectKey> overlaid = new HashSet<>(gone.keySet());
    overlaid.addAll(entries.keySet());
    List<CachedObject<T>> found = new ArrayList<>();
    for (CachedObject<T> stored : store.list(query)) {
      if (!overlaid.contains(stored.key())) {
        found.add(stored);
      }
    }
    for (ObjectKey key : overlaid) {
      CachedObject<T> shown =
          shown(key, gone.getOrDefault(key, Map.of()).values(), entries.get(key));
      if (shown != null && store.matches(shown, query)) {
        found.add(shown);
      }
    }
    return found;
  }

  @Override
  public List<CachedObject<T>> byIndex(String index, String value) {
    return list(Query.ALL.withIndex(index, value));
  }

  @Override
  public Set<ObjectKey> keys() {
    Set<ObjectKey> keys = new HashSet<>();
    list().forEach(object -> keys.add(object.key()));
    return keys;
  }

  /** How many objects the store has, whatever is overlaid. */
  @Override
  public int size() {
    return store.size();
  }

  /** How many bytes the store's objects take, whatever is overlaid. */
  @Override
  public long bytes() {
    return store.bytes();
  }

  String dbg() {
    return written + " / " + deleted;
  }

  /** How many answers wait for the store to catch up. */
  public int waiting() {
    synchronized (lock) {
      return marks();
    }
  }

  /** How many answers were forgotten because too many waited: these writes may be read late. */
  public long forgotten() {
    synchronized (lock) {
      return forgotten;
    }
  }

  /** The values of the store's index, whatever is overlaid. */
  @Override
  public Set<String> indexValues(String index) {
    return store.indexValues(index);
  }

  @Override
  public void addIndex(String index, IndexFunction<T> function) {
    store.addIndex(index, function);
  }

  @Override
  public long indexFailures() {
    return store.indexFailures();
  }
}
