// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import dev.windlass.client.Client;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.events.EventRecorder;
import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the Deployment of a Foo what the Foo asks for. */
final class FooReconciler implements Reconciler {

  private static final Logger log = LoggerFactory.getLogger(FooReconciler.class);

  private final Client client;
  private final EventRecorder recorder;

  FooReconciler(Client client, EventRecorder recorder) {
    this.client = client;
    this.recorder = recorder;
  }

  @Override
  public Result reconcile(Request request, ReconcileContext context) {
    Optional<Foo> found = client.get(Foo.class, request.key());
    if (found.isEmpty()) {
      log.info("foo '{}' in work queue no longer exists", request); // its Deployment goes with it
      return Result.done();
    }
    Foo foo = found.get();
    String deploymentName = foo.getSpec().getDeploymentName();
    if (deploymentName == null || deploymentName.isEmpty()) {
      log.error("{}: deployment name must be specified", request);
      return Result.done(); // only a change of the Foo can cure it, and that comes as an event
    }

    Deployment deployment =
        client
            .get(Deployment.class, ObjectKey.of(request.namespace(), deploymentName))
            .orElseGet(() -> client.create(FooDeployment.of(foo, deploymentName)));
    if (!FooDeployment.isControlledBy(deployment, foo)) {
      String message =
          "Resource \"%s\" already exists and is not managed by Foo".formatted(deploymentName);
      recorder.warning(foo, "ErrResourceExists", message);
      throw new IllegalStateException(message);
    }

    Integer replicas = foo.getSpec().getReplicas();
    if (replicas != null && !replicas.equals(deployment.getSpec().getReplicas())) {
      log.debug(
          "Foo {} replicas: {}, deployment replicas: {}",
          request,
          replicas,
          deployment.getSpec().getReplicas());
      // A change of what was read: whatever else others have set on the Deployment stays.
      deployment.getSpec().setReplicas(replicas);
      deployment = client.update(deployment);
    }

    updateStatus(foo, deployment);
    recorder.normal(foo, "Synced", "Foo synced successfully");
    log.info("Successfully synced '{}'", request);
    return Result.done();
  }

  private void updateStatus(Foo foo, Deployment deployment) {
    Integer available =
        deployment.getStatus() == null ? null : deployment.getStatus().getAvailableReplicas();
    FooStatus seen = new FooStatus();
    seen.setAvailableReplicas(available == null ? 0 : available);
    if (!seen.isSameAs(foo.getStatus())) {
      foo.setStatus(seen);
      client.updateStatus(foo);
    }
  }
}
