// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

/** The full names of the types of Windlass, fabric8 and the JDK to which converted code refers. */
final class Windlass {

  static final String CLIENT = "dev.windlass.client.Client";
  static final String OWNED = "dev.windlass.client.owned.Owned";
  static final String OWNER_REFERENCES = "dev.windlass.client.owned.OwnerReferences";
  static final String CONTROLLER_BUILDER = "dev.windlass.controller.ControllerBuilder";
  static final String EVENT_HANDLER = "dev.windlass.controller.enqueue.EventHandler";
  static final String EVENT_PREDICATE = "dev.windlass.controller.enqueue.EventPredicate";
  static final String RECONCILE_CONTEXT = "dev.windlass.controller.reconcile.ReconcileContext";
  static final String REQUEST = "dev.windlass.controller.reconcile.Request";
  static final String RESULT = "dev.windlass.controller.reconcile.Result";
  static final String TERMINAL_EXCEPTION = "dev.windlass.controller.reconcile.TerminalException";
  static final String INFORMER_SPEC = "dev.windlass.informer.InformerSpec";
  static final String WATCH_SCOPE = "dev.windlass.informer.reflector.WatchScope";
  static final String LEADER_ELECTION = "dev.windlass.leader.LeaderElectionOptions";
  static final String MANAGER = "dev.windlass.manager.Manager";
  static final String OBJECT_KEY = "dev.windlass.object.ObjectKey";

  static final String HAS_METADATA = "io.fabric8.kubernetes.api.model.HasMetadata";
  static final String KUBERNETES_CLIENT = "io.fabric8.kubernetes.client.KubernetesClient";
  static final String DURATION = "java.time.Duration";

  private Windlass() {}
}
