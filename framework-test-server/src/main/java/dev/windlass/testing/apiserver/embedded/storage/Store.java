// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.storage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.GroupResource;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.objects.ObjectKey;
import dev.windlass.testing.apiserver.embedded.threads.Background;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Contains all objects of the server, with one revision counter and one lock. The contents are
 * accessible only in a {@link Transaction}, which holds the lock.
 *
 * <p>Stored objects are shared with readers and must never be modified.
 */
public final class Store {
  private final int logCapacity;
  private final Duration catchUpTimeout;
  private final Background timers;
  private final List<ChangeListener> listeners = new CopyOnWriteArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition advanced = lock.newCondition();
  private final Transaction transaction = new Transaction();

  /**
   * Creates a store that keeps the latest {@code logCapacity} changes to each resource. A reader
   * waits up to {@code catchUpTimeout}, measured by {@code timers}, for a revision that does not
   * exist yet.
   */
  public Store(int logCapacity, Duration catchUpTimeout, Background timers) {
    this.logCapacity = logCapacity;
    this.catchUpTimeout = catchUpTimeout;
    this.timers = timers;
  }

  /** Registers a listener. The store calls it for each subsequent change. */
  public void listen(ChangeListener listener) {
    listeners.add(listener);
  }

  /**
   * Begins a transaction, which holds the lock until it is closed. Transactions of one thread can
   * be nested.
   */
  public Transaction begin() {
    lock.lock();
    return transaction;
  }

  /**
   * Checks that the current thread does not hold the lock. Call this method before an action that
   * can take a long time.
   *
   * @throws IllegalStateException if this thread holds the lock
   */
  public void requireUnlocked() {
    if (lock.isHeldByCurrentThread()) {
      throw new IllegalStateException("a webhook must not be called under the lock of the store");
    }
  }

  /** Runs {@code action} under the lock. */
  public void locked(Runnable action) {
    lock.lock();
    try {
      action.run();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Provides access to the contents while the lock is held. Use a transaction only between {@link
   * #begin()} and {@link #close()}, on the same thread.
   */
  public final class Transaction implements AutoCloseable {
    private final Map<GroupResource, ResourceTable> tables = new HashMap<>();

    /** The latest revision. It does not start at 0, because clients interpret 0 as "any". */
    private long revision = 1;

    /** The floor of the log of a new table. Earlier changes may have been compacted or dropped. */
    private long floor;

    private Transaction() {}

    public long revision() {
      return revision;
    }

    /**
     * Waits until the store has reached a revision or the time limit has expired. Returns whether
     * the store has reached the revision. The wait releases the lock, so other threads can write.
     */
    public boolean awaitRevision(long wanted) throws InterruptedException {
      if (revision >= wanted || catchUpTimeout.isZero()) {
        return revision >= wanted;
      }
      AtomicBoolean over = new AtomicBoolean();
      Runnable cancel =
          timers.after(
              catchUpTimeout,
              () ->
                  locked(
                      () -> {
                        over.set(true);
                        advanced.signalAll();
                      }));
      try {
        while (revision < wanted && !over.get()) {
          advanced.await();
        }
      } finally {
        cancel.run();
      }
      return revision >= wanted;
    }

    public ResourceTable table(GroupResource resource) {
      return tables.computeIfAbsent(
          resource, r -> new ResourceTable(new ChangeLog(logCapacity, floor), lock.newCondition()));
    }

    /**
     * Returns the tables of all resources that have been used, by resource. The map is not a copy.
     */
    public Map<GroupResource, ResourceTable> tables() {
      return tables;
    }

    @Nullable
    public ObjectNode get(GroupResource resource, ObjectKey key) {
      return table(resource).objects().get(key);
    }

    /**
     * Returns whether an object that was read earlier is still current, that is, has been neither
     * replaced nor deleted.
     */
    @SuppressWarnings("ReferenceEquality") // each write stores a new object
    public boolean isCurrent(GroupResource resource, ObjectKey key, ObjectNode object) {
      return get(resource, key) == object;
    }

    /**
     * Creates or replaces an object and assigns the next resourceVersion. The caller must not
     * modify {@code object} afterwards.
     */
    public ObjectNode put(GroupResource resource, ObjectNode object) {
      Meta meta = Meta.of(object);
      revision++;
      meta.json().put("resourceVersion", Long.toString(revision));
      ResourceTable table = table(resource);
      ObjectNode previous = table.objects().put(meta.key(), object);
      Change.Type type = previous == null ? Change.Type.ADDED : Change.Type.MODIFIED;
      commit(resource, table, new Change(type, revision, object, previous));
      return object;
    }

    /** Deletes an object. Returns a copy of it with the next resourceVersion. */
    public ObjectNode remove(GroupResource resource, ObjectKey key) {
      ResourceTable table = table(resource);
      ObjectNode previous = table.objects().remove(key);
      if (previous == null) {
        throw new IllegalStateException(resource + " has no " + key);
      }
      revision++;
      ObjectNode last = withRevision(previous, revision);
      commit(resource, table, new Change(Change.Type.DELETED, revision, last, previous));
      return last;
    }

    /**
     * Drops a resource with all its objects, and ends its watches. If the resource is used again,
     * it is initially empty.
     */
    public void drop(GroupResource resource) {
      ResourceTable table = tables.remove(resource);
      if (table != null) {
        table.drop();
        floor = revision;
      }
    }

    /**
     * Ends the watches of a resource and discards the log of its changes, but keeps its objects. A
     * real server restarts the storage of a custom resource in this way when the spec of its
     * definition changes. After such a change, an object can have different content at the same
     * revision.
     */
    public void restart(GroupResource resource) {
      ResourceTable old = tables.remove(resource);
      if (old != null) {
        ResourceTable restarted = table(resource);
        restarted.objects().putAll(old.objects());
        restarted.log().forget(revision);
        old.drop();
      }
    }

    /** Discards all changes in the logs, but keeps the objects. */
    public void compact() {
      floor = revision;
      tables.values().forEach(table -> table.log().forget(revision));
    }

    private void commit(GroupResource resource, ResourceTable table, Change change) {
      table.log().append(change);
      table.wakeWatches();
      advanced.signalAll();
      listeners.forEach(listener -> listener.changed(resource, change));
    }

    @Override
    public void close() {
      lock.unlock();
    }
  }

  /**
   * Returns a copy of an object with the given resourceVersion. The copy and the original share all
   * values except the metadata.
   */
  public static ObjectNode withRevision(ObjectNode object, long revision) {
    ObjectNode copy = Json.shallowCopy(object);
    ObjectNode metadata = Json.shallowCopy(Meta.of(object).json());
    metadata.put("resourceVersion", Long.toString(revision));
    copy.set("metadata", metadata);
    return copy;
  }
}
