// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.pipeline;

import dev.windlass.client.apply.FieldOwners;
import dev.windlass.leader.Fence;
import dev.windlass.object.AppliedEntry;
import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Identifies the controller on whose behalf a thread writes. A context is bound to each thread that
 * runs a reconcile. It is also bound to any other thread while the thread runs a task that was
 * passed to {@code ReconcileContext.call} or {@code run}. The context determines the {@link Fence}
 * that a client's writes must pass. It also determines the field owner of applies, unless the
 * client has an explicit field owner. This class is thread-safe.
 */
public final class WriterContext {

  /**
   * A write for which it is known which version of the object it replaces. This is the case for
   * creations, and for requests that contain a {@code resourceVersion}.
   *
   * @param cluster the cluster name; empty for the program's own cluster
   * @param group the API group; empty for the core group
   * @param plural the plural name of the resource
   * @param namespace the namespace; empty for a cluster-scoped object
   * @param replaced the {@code resourceVersion} that the write replaces, or zero for a creation
   */
  public record Write(
      String cluster, String group, String plural, String namespace, long replaced) {}

  /** An observer of writes. Implementations must be thread-safe and must not block. */
  @FunctionalInterface
  public interface Observer {

    /** Observes a write before the client sends it, and returns the receiver of its outcome. */
    Written before(Write write);
  }

  /** The receiver of the outcome of one write. */
  @FunctionalInterface
  public interface Written {

    /**
     * Receives the outcome of the write. The client calls this method once, before the caller
     * receives the response.
     *
     * @param name the object's name, or empty if it is unknown
     * @param version the {@code resourceVersion} of the object after the write, or -1 if the write
     *     has failed or its outcome is unknown
     */
    void ended(String name, long version);
  }

  private static final ThreadLocal<@Nullable WriterContext> CURRENT = new ThreadLocal<>();

  private final String fieldOwner;
  private final Set<String> formerFieldOwners;
  private final Fence fence;
  private final Consumer<HasMetadata> made;
  private final @Nullable Observer observer;
  private final Consumer<ObjectKey> blocked;

  /** The writes in this context that the server has not answered. */
  private final Set<WriteHook.Sent> inFlight = ConcurrentHashMap.newKeySet();

  /** Whether the reconcile of this context has ended. Then its writes are not observed anymore. */
  private volatile boolean ended;

  /**
   * Creates a context for the given controller.
   *
   * @param controller the controller's name, which becomes the field owner of the controller's
   *     applies. If the name is longer than 128 bytes or contains unprintable characters, {@link
   *     dev.windlass.client.apply.FieldOwners#of} converts it to a valid field owner
   * @param fence the fence that the controller's writes must pass
   */
  public WriterContext(String controller, Fence fence) {
    this(controller, Set.of(), fence, object -> {});
  }

  /**
   * Creates a context for the given controller. The context passes created and applied objects to a
   * callback.
   *
   * @param formerFieldOwners other field owners, whose fields the controller's applies take over
   * @param made the callback, which receives each object as the caller passed it to the client. It
   *     must not block
   */
  public WriterContext(
      String controller, Set<String> formerFieldOwners, Fence fence, Consumer<HasMetadata> made) {
    this(FieldOwners.of(controller), formerFieldOwners, fence, made, null, object -> {});
  }

  private WriterContext(
      String fieldOwner,
      Set<String> formerFieldOwners,
      Fence fence,
      Consumer<HasMetadata> made,
      @Nullable Observer observer,
      Consumer<ObjectKey> blocked) {
    this.fieldOwner = fieldOwner;
    this.formerFieldOwners = formerFieldOwners;
    this.fence = fence;
    this.made = made;
    this.observer = observer;
    this.blocked = blocked;
  }

  /**
   * Returns a copy of this context that reports writes to the given observer. The copy is intended
   * for one reconcile.
   */
  public WriterContext observedBy(Observer other) {
    return new WriterContext(fieldOwner, formerFieldOwners, fence, made, other, blocked);
  }

  /**
   * Returns a copy of this context that reports the existing objects whose names a reconcile needs,
   * but that it does not control. The copy is intended for one reconcile.
   */
  public WriterContext blockedBy(Consumer<ObjectKey> other) {
    return new WriterContext(fieldOwner, formerFieldOwners, fence, made, observer, other);
  }

  /**
   * Returns the observer of the writes. Returns empty if there is none, or if the reconcile has
   * ended. A task that the reconcile has left behind may write what it computed from a state that
   * is older than the next reconcile. The event of this write must therefore start a reconcile.
   */
  public Optional<Observer> observer() {
    return ended ? Optional.empty() : Optional.ofNullable(observer);
  }

  /**
   * Registers a controller's field owner, so that the caches keep its {@code managedFields}
   * entries. Call this method before the caches list their objects.
   *
   * @throws IllegalArgumentException if a former field owner is not valid
   */
  public static void announce(String controller, Set<String> formerFieldOwners) {
    formerFieldOwners.forEach(FieldOwners::requireValid);
    AppliedEntry.keepFields(FieldOwners.of(controller), true);
  }

  /** Returns the context of the current thread, or empty outside a reconcile. */
  public static Optional<WriterContext> current() {
    return Optional.ofNullable(CURRENT.get());
  }

  public String fieldOwner() {
    return fieldOwner;
  }

  /** Returns other field owners, whose fields the controller's applies take over. */
  public Set<String> formerFieldOwners() {
    return formerFieldOwners;
  }

  /** Passes an object that was created or applied in this context to the callback. */
  public void made(HasMetadata object) {
    made.accept(object);
  }

  /** Reports that an existing object has the name of an object that the reconcile needs. */
  public void blocked(ObjectKey object) {
    blocked.accept(object);
  }

  public Fence fence() {
    return fence;
  }

  /**
   * Runs the reconcile of this context on the current thread. When it has returned, the writes of
   * tasks that it has left behind are not observed, and those in flight are {@link #abandon
   * abandoned}.
   */
  public void reconcile(Runnable reconcile) {
    try {
      run(reconcile);
    } finally {
      ended = true;
      abandon();
    }
  }

  /**
   * Makes the next reads of the objects that are being written ask the server. Call this method
   * before interrupting the thread that waits for the responses, because it may then go on reading.
   */
  public void abandon() {
    inFlight.forEach(WriteHook.Sent::abandoned);
  }

  void sending(WriteHook.Sent write) {
    inFlight.add(write);
  }

  void answered(WriteHook.Sent write) {
    inFlight.remove(write);
  }

  public <V> V call(Callable<V> task) throws Exception {
    WriterContext before = CURRENT.get();
    CURRENT.set(this);
    try {
      return task.call();
    } finally {
      CURRENT.set(before);
    }
  }

  public void run(Runnable task) {
    WriterContext before = CURRENT.get();
    CURRENT.set(this);
    try {
      task.run();
    } finally {
      CURRENT.set(before);
    }
  }

  @Override
  public String toString() {
    return "writes of " + fieldOwner;
  }
}
