// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.mock;

import dev.windlass.failure.FailureAdvice;
import dev.windlass.failure.RequiredPermission;
import dev.windlass.failure.TransportFailure;
import dev.windlass.informer.reflector.FeedEvent;
import dev.windlass.informer.reflector.FeedFailure;
import dev.windlass.informer.reflector.FeedStream;
import dev.windlass.informer.reflector.ListerWatcher;
import dev.windlass.informer.reflector.ListerWatcher.ListRequest;
import dev.windlass.informer.reflector.ListerWatcher.WatchRequest;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.object.ResourceType;
import dev.windlass.scheduling.Scheduler;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.AnyNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Lists and watches objects with fabric8's {@code list} and {@code watch} operations, which are the
 * only ones that the mock server supports. The mock server loses the changes that happen between a
 * list and a watch. Therefore, an instance opens a watch before it reads a list, and buffers the
 * events of the watch. The next call of {@link #watch} returns this buffer.
 *
 * <p>Each watch is returned only once. The mock server cannot resume watches, so a second watch for
 * the same list fails with an expired resourceVersion, and the informer lists the objects again. If
 * no call returns a watch, the watch is closed one minute after its list is complete, or together
 * with the list if the list is closed before that.
 */
final class DslListerWatcher implements ListerWatcher {

  /**
   * The scheduler that closes each watch at its time-out. The mock server does not close watches
   * itself.
   */
  private static final Scheduler ENDS = Scheduler.system();

  /** How long an opened watch remains available after its list is complete: 1 min. */
  static final Duration UNCLAIMED = Duration.ofMinutes(1);

  /** The fabric8 client's blocking calls. */
  interface Calls {

    Watch watch(Watcher<GenericKubernetesResource> watcher);

    GenericKubernetesResourceList list();
  }

  private final KubernetesSerialization serialization = new KubernetesSerialization();
  private final ResourceType type;
  private final WatchScope scope;
  private final String server;
  private final Calls calls;

  /** The watch that was opened before the last list; null after {@link #watch} has returned it. */
  private @Nullable Buffer opened;

  /**
   * Creates an instance that uses the given client.
   *
   * @param client the client, which the caller must close after the last stream has ended
   */
  DslListerWatcher(KubernetesClient client, ResourceType type, WatchScope scope) {
    this(type, scope, String.valueOf(client.getMasterUrl()), calls(client, type, scope));
  }

  DslListerWatcher(ResourceType type, WatchScope scope, String server, Calls calls) {
    this.type = type;
    this.scope = scope;
    this.server = server;
    this.calls = calls;
  }

  private static Calls calls(KubernetesClient client, ResourceType type, WatchScope scope) {
    // Reconnects are disabled, because each of them would replay all objects and hide the deletions
    // in between. This client shares the transport of the other client and is closed with it.
    // Closing
    // this client would close both.
    KubernetesClient derived =
        client
            .newClient(
                new RequestConfigBuilder()
                    .withWatchReconnectLimit(0)
                    .withRequestRetryBackoffLimit(0)
                    .build())
            .adapt(KubernetesClient.class);
    ListOptions options =
        new ListOptionsBuilder()
            .withLabelSelector(nullIfEmpty(scope.labelSelector()))
            .withFieldSelector(nullIfEmpty(scope.fieldSelector()))
            .build();
    return new Calls() {
      @Override
      public Watch watch(Watcher<GenericKubernetesResource> watcher) {
        return operation(derived, type, scope).watch(options, watcher);
      }

      @Override
      public GenericKubernetesResourceList list() {
        return operation(derived, type, scope).list(options);
      }
    };
  }

  private static @Nullable String nullIfEmpty(String selector) {
    return selector.isEmpty() ? null : selector;
  }

  @Override
  public FeedStream list(ListRequest request, Runnable wakeUp) {
    if (opened != null) {
      opened.close();
    }
    Buffer watch = new Buffer();
    Buffer list = new Buffer();
    list.follower = watch;
    opened = watch;
    list.onEvent(wakeUp);
    Thread caller = new Thread(() -> list(watch, list), "windlass-dsl-" + type.plural());
    caller.setDaemon(true);
    caller.start(); // fabric8's calls block, but the reflector must not block
    return list;
  }

  private void list(Buffer watch, Buffer list) {
    try {
      watch.attach(calls.watch(watch));
      GenericKubernetesResourceList found = calls.list();
      for (GenericKubernetesResource item : found.getItems()) {
        list.add(FeedEvent.listed(json(item)));
      }
      String version = found.getMetadata().getResourceVersion();
      watch.closeAfter(UNCLAIMED);
      list.add(new FeedEvent.ListEnd(version == null ? "" : version, ""));
    } catch (KubernetesClientException e) {
      watch.close();
      list.add(new FeedEvent.Failed(failure(e)));
    } catch (Throwable t) { // otherwise the reflector would wait silently for a minute
      watch.close();
      String why = "fabric8's client failed: " + t.getClass().getName();
      list.add(new FeedEvent.Failed(FeedFailure.of(FeedFailure.Reason.INTERNAL, why)));
    }
  }

  @Override
  public FeedStream watch(WatchRequest request, Runnable wakeUp) {
    Buffer watch = opened;
    opened = null;
    if (watch == null) {
      watch = new Buffer();
      watch.ended("this server can't resume a watch");
    }
    watch.onEvent(wakeUp);
    watch.add(new FeedEvent.Opened());
    watch.endAfter(request.timeout());
    return watch;
  }

  @Override
  public String describe() {
    return type.resource() + " in " + scope + " at " + server;
  }

  @Override
  public RequiredPermission access() {
    String namespace = type.namespaced() ? scope.namespace() : "";
    return new RequiredPermission(List.of("list", "watch"), type.plural(), type.group(), namespace);
  }

  private static AnyNamespaceOperation<
          GenericKubernetesResource,
          GenericKubernetesResourceList,
          Resource<GenericKubernetesResource>>
      operation(KubernetesClient client, ResourceType type, WatchScope scope) {
    var all =
        client.genericKubernetesResources(
            new ResourceDefinitionContext.Builder()
                .withGroup(type.group())
                .withVersion(type.version())
                .withKind(type.kind())
                .withPlural(type.plural())
                .withNamespaced(type.namespaced())
                .build());
    if (!type.namespaced() || scope.namespace().isEmpty()) {
      return all.inAnyNamespace();
    }
    return all.inNamespace(scope.namespace());
  }

  private FeedEvent.Json json(GenericKubernetesResource object) {
    return FeedEvent.Json.of(serialization.asJson(object));
  }

  private static FeedFailure failure(KubernetesClientException e) {
    return e.getCode() <= 0 // the client's only codes for "no response" are 0 and -1
        ? new FeedFailure(
            FeedFailure.Reason.UNREACHABLE,
            String.valueOf(e.getMessage()),
            Duration.ZERO,
            FailureAdvice.of(TransportFailure.of(e)))
        : FeedFailure.ofStatus(e.getCode(), String.valueOf(e.getMessage()), Duration.ZERO);
  }

  /**
   * Buffers the events of a list or watch until they are polled. When the server closes the watch,
   * the buffer reports an expired resourceVersion, and the informer lists the objects again.
   */
  private final class Buffer implements FeedStream, Watcher<GenericKubernetesResource> {

    private final ConcurrentLinkedQueue<FeedEvent> events = new ConcurrentLinkedQueue<>();
    private volatile Runnable wakeUp = () -> {};
    private volatile @Nullable Watch watch;
    private volatile Scheduler.@Nullable Alarm end;
    private volatile boolean closed;

    /**
     * The watch that was opened for this list. {@link #close} also closes this watch. Null if this
     * buffer is a watch, or if the list has been read completely.
     */
    private volatile @Nullable Buffer follower;

    void attach(Watch started) {
      watch = started;
      if (closed) {
        started.close();
      }
    }

    void onEvent(Runnable action) {
      wakeUp = action;
    }

    void endAfter(Duration timeout) {
      at(timeout, () -> add(new FeedEvent.Ended()));
    }

    void closeAfter(Duration timeout) {
      at(timeout, this::close);
    }

    private synchronized void at(Duration timeout, Runnable action) {
      Scheduler.Alarm before = end;
      if (before != null) {
        before.cancel();
      }
      end = closed ? null : ENDS.schedule(action, timeout);
    }

    void add(FeedEvent event) {
      if (!closed) {
        events.add(event);
        wakeUp.run();
      }
    }

    @Override
    public Optional<FeedEvent> poll() {
      FeedEvent event = events.poll();
      if (event instanceof FeedEvent.ListEnd) {
        follower = null;
      }
      return Optional.ofNullable(event);
    }

    @Override
    public void eventReceived(Action action, GenericKubernetesResource object) {
      switch (action) {
        case ADDED -> add(FeedEvent.added(json(object)));
        case MODIFIED -> add(FeedEvent.modified(json(object)));
        case DELETED -> add(FeedEvent.deleted(json(object)));
        case BOOKMARK -> {} // this server cannot resume a watch
        case ERROR -> ended("the server sent an error");
      }
    }

    @Override
    public void onClose(WatcherException cause) {
      ended(String.valueOf(cause.getMessage()));
    }

    @Override
    public void onClose() {
      ended("the server closed the watch");
    }

    private void ended(String why) {
      add(new FeedEvent.Failed(FeedFailure.of(FeedFailure.Reason.EXPIRED, why)));
    }

    @Override
    public synchronized void close() {
      closed = true;
      Scheduler.Alarm alarm = end;
      if (alarm != null) {
        alarm.cancel();
      }
      Watch started = watch;
      if (started != null) {
        started.close();
      }
      Buffer unread = follower;
      if (unread != null) {
        unread.close();
      }
    }
  }
}
