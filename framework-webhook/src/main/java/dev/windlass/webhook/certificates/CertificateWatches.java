// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import dev.windlass.controller.Controller;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.enqueue.EventPredicate;
import dev.windlass.controller.enqueue.PrioritySink;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.Projection;
import dev.windlass.webhook.registration.RegisteredObject;
import dev.windlass.workqueue.RateLimiter;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Sets up the controller that makes the API server trust the webhooks.
 *
 * <p>The controller runs on every replica, without leader election, and does not wait until its
 * watches have synced. A list that fills a cache may require a call to the program's conversion
 * webhook, and the caches are filled before a leader is elected. Therefore, the API server must
 * trust the webhooks before then.
 *
 * <p>The reconciler reads all objects from the server; an event only triggers another run. Each
 * watch covers a single object and only its metadata. Therefore, no cache contains a private key,
 * and the program needs permissions only for these objects.
 */
final class CertificateWatches {

  /** The controller's name. */
  static final String CONTROLLER = "webhook-certificates";

  /**
   * The maximum time between two attempts: 1 min. No event reports that a mounted file or the clock
   * of a node has been corrected.
   */
  private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(1);

  private CertificateWatches() {}

  /**
   * Adds the controller to a manager.
   *
   * @param secret the key of the Secret to watch; empty if there is none
   */
  static void register(
      Manager manager,
      Reconciler reconciler,
      List<RegisteredObject> objects,
      Optional<ObjectKey> secret) {
    Request request = new Request(secret.orElse(ObjectKey.of("", CONTROLLER)));
    Controller controller =
        ControllerBuilder.withoutType(CONTROLLER)
            .onEveryReplica()
            .watches(new InitialRequest(request))
            .rateLimiter(RateLimiter.exponential(Duration.ofMillis(5), LONGEST_BACKOFF))
            .reconciler(reconciler)
            .register(manager);
    // Reconciles wait for the sources of the builder, but not for those that are added later.
    secret.ifPresent(
        key ->
            watch(
                manager,
                controller,
                InformerSpec.of(Secret.class)
                    .in(WatchScope.namespace(key.namespace()).named(key.name())),
                request));
    for (RegisteredObject object : objects) {
      watch(
          manager,
          controller,
          InformerSpec.of(object.type()).in(WatchScope.ALL.named(object.name())),
          request);
    }
  }

  private static <T> void watch(
      Manager manager, Controller controller, InformerSpec<T> spec, Request request) {
    var unused =
        controller.watch(
            Source.informer(
                manager.informers(),
                spec.with(Projection.METADATA),
                EventPredicate.always(),
                (event, sink) -> sink.add(request),
                Duration.ZERO));
  }

  /**
   * Adds one request when the controller starts. If the Secret does not exist, there is no event
   * that would trigger its creation.
   *
   * @param request the request to add
   */
  private record InitialRequest(Request request) implements Source {

    @Override
    public Running start(PrioritySink sink) {
      sink.add(request);
      return new Running() {
        @Override
        public boolean hasSynced() {
          return true;
        }

        @Override
        public void stop() {
          // This source has no threads or resources.
        }
      };
    }

    @Override
    public String toString() {
      return "the certificates and configurations of the webhooks";
    }
  }
}
