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

    Deployment deployment;
    try {
      deployment = deployment(client, foo, deploymentName);
    } catch (InvalidException e) {
      String message = "The API server rejected the Deployment; correct the Foo: " + e.getMessage();
      reports.stalled(client, foo, "InvalidDeployment", message, message);
      throw e;
    }
    boolean changed = reports.synced(client, foo, deployment);
    // A resync that changes nothing is no news: 10,000 Foos would have 10,000 lines.
    log.atLevel(changed ? Level.INFO : Level.DEBUG).log("Successfully synced '{}'", request);
    return Result.done();
  }

  /** Creates or updates the Deployment that the Foo requests, and returns it. */
  private Deployment deployment(Client client, Foo foo, String name) {
    Deployment deployment =
        client
            .get(Deployment.class, ObjectKey.of(foo.getMetadata().getNamespace(), name))
            .orElseGet(() -> client.create(FooDeployment.of(foo, name)));
    try {
      OwnerReferences.requireController(deployment, foo);
    } catch (NotControlledException e) {
      String message = "Resource \"%s\" already exists and is not managed by Foo".formatted(name);
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
