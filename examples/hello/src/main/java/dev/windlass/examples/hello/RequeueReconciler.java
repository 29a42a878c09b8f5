// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import dev.windlass.client.Client;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;

/**
 * Updates the phase of a Hello as its Pod progresses. This reconciler polls to check whether the
 * Pod has finished, first after 5 ms, then with twice the previous delay each time. Therefore, if a
 * Pod runs for time t, the reconciler may not detect the end until about 2 t.
 */
final class RequeueReconciler implements Reconciler {

  private final HelloReports reports;

  RequeueReconciler(HelloReports reports) {
    this.reports = reports;
  }

  @Override
  public Result reconcile(Request request, ReconcileContext context) {
    HelloLog log = HelloLog.of(request);
    log.received();
    Client client = context.client();
    HelloPods pods = new HelloPods(client);
    HelloStore store = new HelloStore(client);
    Optional<Hello> found = client.get(Hello.class, request.key());
    if (found.isEmpty()) {
      return Result.done(); // the garbage collector deletes its Pod
    }
    Hello hello = found.get();
    HelloPhase phase = log.checked(hello.getStatus().getPhase());
    if (phase == HelloPhase.PENDING && reports.stalls(store, hello)) {
      return Result.done(); // the next reconcile follows a change of the Hello
    }
    boolean requeue = false;
    switch (phase) {
      case PENDING -> {
        start(pods, hello, log);
        phase = HelloPhase.RUNNING;
      }
      case RUNNING -> {
        Optional<HelloPhase> outcome =
            log.step("Fail to get pod", () -> outcome(pods, store, hello));
        requeue = outcome.isEmpty();
        phase = outcome.orElse(phase);
      }
      case FAILED -> {
        log.step("Fail to delete pod", () -> pods.delete(hello));
        phase = HelloPhase.PENDING;
      }
      case SUCCEEDED -> {
        log.done();
        return Result.done();
      }
    }
    hello.getStatus().setPhase(phase.toString());
    log.step("Fail to update hello status", () -> store.updateStatus(hello));
    return requeue ? Result.requeueWithBackoff() : Result.done();
  }

  private void start(HelloPods pods, Hello hello, HelloLog log) {
    Pod pod = HelloPods.wanted(hello);
    log.step("Fail to set controller reference", () -> OwnerReferences.setController(pod, hello));
    log.step("Fail to create pod", () -> pods.start(hello, pod));
  }

  private Optional<HelloPhase> outcome(HelloPods pods, HelloStore store, Hello hello) {
    Optional<Pod> pod = pods.find(hello);
    if (pod.isEmpty() && !store.isGone(hello)) {
      throw new IllegalStateException("the Pod was deleted and is not created again");
    }
    return pod.flatMap(HelloPods::outcome);
  }
}
