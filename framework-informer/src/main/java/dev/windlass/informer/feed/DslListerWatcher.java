// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import dev.windlass.object.ResourceType;
import dev.windlass.time.Scheduler;
import dev.windlass.trouble.Access;
import dev.windlass.trouble.Advice;
import dev.windlass.trouble.NoAnswer;
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
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Lists and watches through fabric8's own calls: opens a watch, buffers what it says, lists, and
 * hands the buffer out as the watch that follows the list.
 *
 * <p>A watch is handed out once. Whoever asks for another one hears that its place has expired, so
 * that a list follows: this server can't resume.
 */
final class DslListerWatcher implements ListerWatcher {

  /** Ends the watches in time, which this server does not do. */
  private static final Scheduler ENDS = Scheduler.system();

  private final KubernetesClient client;
  private final KubernetesSerialization serialization;
  private final ResourceType type;
  private final WatchScope scope;

  /** The watch that was opened before the last list, until a watch request gets it. */
  private @Nullable Buffer opened;

  DslListerWatcher(KubernetesClient client, ResourceType type, WatchScope scope) {
    // Without reconnects: each of them would replay the world and hide the deletions between.
    this.client =
        client
            .newClient(
                new RequestConfigBuilder()
                    .withWatchReconnectLimit(0)
                    .withRequestRetryBackoffLimit(0)
                    .build())
            .adapt(KubernetesClient.class);
    this.serialization = new KubernetesSerialization();
    this.type = type;
    this.scope = scope;
  }

  @Override
  public FeedStream list(ListRequest request, Runnable wakeUp) {
    if (opened != null) {
      opened.close();
    }
    Buffer watch = new Buffer();
    Buffer list = new Buffer();
    opened = watch;
    list.onEvent(wakeUp);
    Thread caller = new Thread(() -> list(watch, list), "windlass-dsl-" + type.plural());
    caller.setDaemon(true);
    caller.start(); // fabric8's calls block, and the reflector must not
    return list;
  }

  private void list(Buffer watch, Buffer list) {
    try {
      ListOptions labels =
          new ListOptionsBuilder()
              .withLabelSelector(nullIfEmpty(scope.labelSelector()))
              .withFieldSelector(nullIfEmpty(scope.fieldSelector()))
              .build();
      watch.attach(operation().watch(labels, watch));
      GenericKubernetesResourceList found = operation().list(labels);
      for (GenericKubernetesResource item : found.getItems()) {
        list.add(new FeedEvent.Listed(json(item)));
      }
      String version = found.getMetadata().getResourceVersion();
      list.add(new FeedEvent.ListEnd(version == null ? "" : version, ""));
    } catch (KubernetesClientException e) {
      watch.close();
      list.add(new FeedEvent.Failed(failure(e)));
    }
  }

  private static @Nullable String nullIfEmpty(String selector) {
    return selector.isEmpty() ? null : selector;
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
    return type.resource() + " in " + scope + " at " + client.getMasterUrl();
  }

  @Override
  public Access access() {
    return scope.access(type);
  }

  private AnyNamespaceOperation<
          GenericKubernetesResource,
          GenericKubernetesResourceList,
          Resource<GenericKubernetesResource>>
      operation() {
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
    return e.getCode() <= 0 // the client has no code for "no answer" but 0 and -1
        ? new FeedFailure(
            FeedFailure.Reason.UNREACHABLE,
            String.valueOf(e.getMessage()),
            Duration.ZERO,
            Advice.of(NoAnswer.of(e)))
        : FeedFailure.ofStatus(e.getCode(), String.valueOf(e.getMessage()), Duration.ZERO);
  }

  /** Events that wait to be polled; the end of the watch is an expiry, so that a list follows. */
  private final class Buffer implements FeedStream, Watcher<GenericKubernetesResource> {

    private final ConcurrentLinkedQueue<FeedEvent> events = new ConcurrentLinkedQueue<>();
    private volatile Runnable wakeUp = () -> {};
    private volatile @Nullable Watch watch;
    private volatile Scheduler.@Nullable Alarm end;
    private volatile boolean closed;

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
      end = ENDS.schedule(() -> add(new FeedEvent.Ended()), timeout);
    }

    void add(FeedEvent event) {
      if (!closed) {
        events.add(event);
        wakeUp.run();
      }
    }

    @Override
    public Optional<FeedEvent> poll() {
      return Optional.ofNullable(events.poll());
    }

    @Override
    public void eventReceived(Action action, GenericKubernetesResource object) {
      switch (action) {
        case ADDED -> add(new FeedEvent.Added(json(object)));
        case MODIFIED -> add(new FeedEvent.Modified(json(object)));
        case DELETED -> add(new FeedEvent.Deleted(json(object)));
        case BOOKMARK -> {} // nothing to resume from on this server
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
    public void close() {
      closed = true;
      Scheduler.Alarm alarm = end;
      if (alarm != null) {
        alarm.cancel();
      }
      Watch started = watch;
      if (started != null) {
        started.close();
      }
    }
  }
}
