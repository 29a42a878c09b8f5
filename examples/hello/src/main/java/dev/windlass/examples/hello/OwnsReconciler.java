// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import dev.windlass.client.Client;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.controller.enqueue.EventPredicate;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.notify.ResourceEvent;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;

/**
 * Updates the phase of a Hello as its Pod progresses. The controller receives an event when a Pod
 * finishes or is deleted, so this reconciler need not poll. If the Pod was deleted before it
 * finished, the reconciler creates another one.
 */
final class OwnsReconciler implements Reconciler {

  private final HelloReports reports;

  OwnsReconciler(HelloReports reports) {
    this.reports = reports;
  }

  /**
   * Returns a predicate that accepts the events of Pods that have finished or have been deleted.
   */
  static EventPredicate<Pod> ends() {
    return event ->
        event.type() == ResourceEvent.Type.DELETED
            || HelloPods.outcome(event.object().readOnly()).isPresent();
  }

  @Override
  public Result reconcile(Request request, ReconcileContext context) {
    HelloLog log = HelloLog.of(request);
    log.received();
    Client client = context.client();
    HelloPods pods = new HelloPods(client);
    HelloStore store = new HelloStore(client);
    Optional<Hello> found = client.get(Hello.class, request.key());
    if (found.isPresent()) {
      Hello hello = found.get();
      HelloPhase phase = log.checked(hello.getStatus().getPhase());
      if (phase == HelloPhase.PENDING && reports.stalls(store, hello)) {
        return Result.done(); // the next reconcile follows a change of the Hello
      }
      HelloPhase next = next(pods, hello, phase);
      if (next == HelloPhase.SUCCEEDED && next == phase) {
        log.done();
      }
      hello.getStatus().setPhase(next.toString());
      store.updateStatus(hello);
    }
    return Result.done();
  }

  private HelloPhase next(HelloPods pods, Hello hello, HelloPhase phase) {
    return switch (phase) {
      case PENDING -> start(pods, hello) ? HelloPhase.RUNNING : phase;
      case RUNNING ->
          mine(pods, hello)
              .map(pod -> HelloPods.outcome(pod).orElse(phase))
              .orElse(HelloPhase.PENDING);
      case FAILED -> {
        pods.delete(hello);
        yield HelloPhase.PENDING;
      }
      case SUCCEEDED -> phase;
    };
  }

  private Optional<Pod> mine(HelloPods pods, Hello hello) {
    return pods.find(hello).filter(pod -> HelloPods.isOf(hello, pod));
  }

  /**
   * Creates the Pod, unless the previous Pod is still terminating. In that case, the deletion of
   * the previous Pod triggers another reconcile.
   *
   * @return whether the Pod exists now
   */
  private boolean start(HelloPods pods, Hello hello) {
    if (mine(pods, hello).filter(HelloPods::isEnding).isPresent()) {
      return false;
    }
    Pod pod = HelloPods.wanted(hello);
    OwnerReferences.setController(pod, hello);
    pods.start(hello, pod);
    return true;
  }
}
