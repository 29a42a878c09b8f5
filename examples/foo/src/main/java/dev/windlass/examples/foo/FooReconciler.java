// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import dev.windlass.client.Client;
import dev.windlass.client.InvalidException;
import dev.windlass.client.owned.NotControlledException;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Drives the Deployment of a Foo towards the state that the Foo requests. */
final class FooReconciler implements Reconciler {

  private static final Logger log = LoggerFactory.getLogger(FooReconciler.class);

  /**
   * The maximum length of a Deployment's name. The reconciler checks the length itself because the
   * server's error message quotes the whole name.
   */
  private static final int LONGEST_NAME = 253;

  private final FooReports reports;

  FooReconciler(FooReports reports) {
    this.reports = reports;
  }

  @Override
  public Result reconcile(Request request, ReconcileContext context) {
    Client client = context.client();
    Optional<Foo> found = client.get(Foo.class, request.key());
    if (found.isEmpty()) {
      log.info("foo '{}' in work queue no longer exists", request); // its Deployment goes with it
      return Result.done();
    }
    Foo foo = found.get();
    String deploymentName = foo.getSpec().getDeploymentName();
    if (deploymentName == null || deploymentName.isEmpty()) {
      log.error("{}: deployment name must be specified", request);
      reports.unnamed(client, foo);
      return Result.done(); // only a change of the Foo can fix this
    }
    if (deploymentName.length() > LONGEST_NAME) {
      String message =
          "spec.deploymentName has %d characters: use %d at most"
              .formatted(deploymentName.length(), LONGEST_NAME);
      reports.stalled(client, foo, "DeploymentNameTooLong", message, message);
      return Result.done();
    }

    ObjectKey key = ObjectKey.of(foo.getMetadata().getNamespace(), deploymentName);
    Optional<Deployment> known = client.get(Deployment.class, key);
    Deployment deployment;
    try {
      deployment = known.orElseGet(() -> client.create(FooDeployment.of(foo, deploymentName)));
      deployment = scaled(client, foo, deployment);
    } catch (InvalidException e) {
      // The cause can be a value in the Foo or a policy of the cluster; the message states it.
      String message = "The API server rejected the Deployment: " + e.getMessage();
      reports.stalled(client, foo, "DeploymentRejected", message, message);
      throw e;
    }
    boolean reported = reports.synced(client, foo, deployment);
    // A resync that changes nothing is no news: 10,000 Foos would have 10,000 lines.
    boolean changed = reported || !known.equals(Optional.of(deployment));
    log.atLevel(changed ? Level.INFO : Level.DEBUG).log("Successfully synced '{}'", request);
    return Result.done();
  }

  /** Returns the Deployment with the number of replicas that the Foo requests. */
  private Deployment scaled(Client client, Foo foo, Deployment deployment) {
    try {
      OwnerReferences.requireController(deployment, foo);
    } catch (NotControlledException e) {
      String message =
          "Resource \"%s\" already exists and is not managed by Foo"
              .formatted(deployment.getMetadata().getName());
      reports.stalled(
          client,
          foo,
          "ErrResourceExists",
          message,
          message + ": choose another spec.deploymentName, or delete the Deployment");
      throw new IllegalStateException(message, e);
    }

    Integer replicas = foo.getSpec().getReplicas();
    if (replicas == null || replicas.equals(deployment.getSpec().getReplicas())) {
      return deployment;
    }
    log.debug(
        "Foo {} replicas: {}, deployment replicas: {}",
        ObjectKey.of(foo),
        replicas,
        deployment.getSpec().getReplicas());
    // Changing the object that was read preserves the fields that other clients have set.
    deployment.getSpec().setReplicas(replicas);
    return client.update(deployment);
  }
}
