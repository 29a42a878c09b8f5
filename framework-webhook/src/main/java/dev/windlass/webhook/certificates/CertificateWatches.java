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
import dev.windlass.webhook.registration.WebhookRegistration;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The controller that ensures that the API server trusts the webhooks.
 *
 * <p>It runs on every replica, without leader election: an API server may have to call the webhooks
 * before a list can fill a cache, and caches are filled before there is a leader. For the same
 * reason, the controller does not wait for its watches. Its reconciler reads all objects from the
 * server; a watch only triggers another run. The watches cover single objects and only their
 * metadata, so no cache contains a private key, and the program needs permissions only for these
 * objects.
 */
final class CertificateWatches {

  /** The controller's name. */
  static final String CONTROLLER = "webhook-certificates";

  private CertificateWatches() {}

  /**
   * Returns the objects to watch.
   *
   * @param applied whether the program also removes webhooks that it no longer declares. The result
   *     then includes their configurations, because a replica of an earlier version can write such
   *     webhooks again before it stops
   */
  static List<RegisteredObject> objects(WebhookRegistration registration, boolean applied) {
    List<RegisteredObject> objects = new ArrayList<>(registration.objects());
    if (applied) {
      objects.addAll(registration.undeclaredObjects());
    }
    return objects;
  }

  /**
   * Adds the controller to a manager.
   *
   * @param secret the Secret to watch, if there is one
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
   * Adds one request when the controller starts. Without this request, no event would trigger the
   * creation of a missing Secret.
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
