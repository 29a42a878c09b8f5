// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.client.Client;
import dev.windlass.client.ListParams;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ReadableObjects;
import dev.windlass.object.ResourceType;
import dev.windlass.workqueue.Priority;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A {@link ReconcileContext} without a controller, for unit tests of a reconciler. By default, it
 * represents the first attempt of a request with normal priority, and has no time-out. The
 * reconcile is cancelled only by a call to {@link #cancel}.
 *
 * <p>This class is thread-safe.
 */
public final class FakeContext implements ReconcileContext {

  private final Client client;
  private final HasMetadata primary;
  private final int attempt;
  private final @Nullable Duration timeLeft;

  @GuardedBy("this")
  private final List<Runnable> actions = new ArrayList<>();

  @GuardedBy("this")
  private boolean cancelled;

  private FakeContext(
      Client client, HasMetadata primary, int attempt, @Nullable Duration timeLeft) {
    this.client = client;
    this.primary = primary;
    this.attempt = attempt;
    this.timeLeft = timeLeft;
  }

  /**
   * Creates the context of a reconcile.
   *
   * @param client the client, usually created by {@link FakeClient}
   * @param primary the object to reconcile, as returned by the client. Its {@link #secondaries} are
   *     the objects whose controller owner reference contains its uid
   */
  public static FakeContext of(Client client, HasMetadata primary) {
    return new FakeContext(client, primary, 0, null);
  }

  /** Returns a copy that reports the given number of previous failed attempts. */
  public FakeContext withAttempt(int failed) {
    return new FakeContext(client, primary, failed, timeLeft);
  }

  /** Returns a copy with a time-out and the given remaining time. */
  public FakeContext withTimeLeft(Duration left) {
    return new FakeContext(client, primary, attempt, left);
  }

  /** Returns this reconcile's request. */
  public Request request() {
    return new Request(ObjectKey.of(primary));
  }

  /**
   * Cancels the reconcile, and runs the actions registered with {@link #onCancel} on the calling
   * thread.
   */
  public void cancel() {
    List<Runnable> due;
    synchronized (this) {
      cancelled = true;
      due = List.copyOf(actions);
      actions.clear();
    }
    due.forEach(Runnable::run);
  }

  @Override
  public Client client() {
    return client;
  }

  /**
   * {@inheritDoc} This method supports every type that has a model class, even if no controller
   * declares that it owns the type.
   *
   * @throws IllegalStateException if the primary object does not have a uid because the client has
   *     not created it
   */
  @Override
  public <S extends HasMetadata> List<S> secondaries(Class<S> type) {
    if (GenericKubernetesResource.class.isAssignableFrom(type)) {
      throw new IllegalArgumentException(
          "the class is ambiguous: use client().list(type, ...) instead");
    }
    String uid = primary.getMetadata().getUid();
    if (uid == null || uid.isEmpty()) {
      throw new IllegalStateException(
          "%s %s has no uid, so it controls nothing: create it with the client, and pass the returned object"
              .formatted(primary.getKind(), ObjectKey.of(primary)));
    }
    ReadableObjects<S> read =
        client.listReadable(type, ListParams.in(ObjectKey.of(primary).namespace()));
    read.unreadable()
        .forEach(
            (key, e) -> {
              if (client.get(ResourceType.of(type), key).filter(this::controls).isPresent()) {
                throw e;
              }
            });
    return read.objects().stream().filter(this::controls).toList();
  }

  private boolean controls(HasMetadata object) {
    return OwnerReferences.isControlledBy(object, primary);
  }

  @Override
  public String reconcileId() {
    return "00000000-0000-4000-8000-000000000000";
  }

  @Override
  public int attempt() {
    return attempt;
  }

  @Override
  public List<String> reasons() {
    return List.of();
  }

  @Override
  public Priority priority() {
    return Priority.NORMAL;
  }

  @Override
  public Optional<Duration> timeLeft() {
    return Optional.ofNullable(timeLeft);
  }

  @Override
  public synchronized boolean isCancelled() {
    return cancelled;
  }

  @Override
  public void onCancel(Runnable action) {
    synchronized (this) {
      if (!cancelled) {
        actions.add(action);
        return;
      }
    }
    action.run();
  }

  @Override
  public <V> V call(Callable<V> task) throws Exception {
    return task.call();
  }

  @Override
  public void run(Runnable task) {
    task.run();
  }
}
