// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.controllers;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.GroupResource;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.objects.ObjectKey;
import dev.windlass.testing.apiserver.embedded.storage.Change;
import dev.windlass.testing.apiserver.embedded.storage.ChangeListener;
import dev.windlass.testing.apiserver.embedded.threads.Background;
import dev.windlass.testing.apiserver.embedded.types.BuiltInTypes;
import dev.windlass.testing.apiserver.embedded.types.ResourceTypes;
import dev.windlass.testing.apiserver.embedded.writes.ObjectWrites;
import java.time.Duration;

/**
 * Sets the status of each Deployment to available shortly after its spec has changed. Does not
 * create ReplicaSets or Pods.
 */
public final class DeploymentController implements ChangeListener {
  private final ResourceTypes types;
  private final ObjectWrites writes;
  private final Background background;
  private final Duration delay;

  public DeploymentController(
      ResourceTypes types, ObjectWrites writes, Background background, Duration delay) {
    this.types = types;
    this.writes = writes;
    this.background = background;
    this.delay = delay;
  }

  @Override
  public void changed(GroupResource resource, Change change) {
    if (resource.equals(BuiltInTypes.DEPLOYMENTS)
        && change.type() != Change.Type.DELETED
        && behind(change.object())) {
      ObjectKey key = change.meta().key();
      background.after(delay, () -> report(key));
    }
  }

  private static boolean behind(ObjectNode deployment) {
    long observed = deployment.path("status").path("observedGeneration").asLong();
    return observed < Meta.of(deployment).generation();
  }

  private void report(ObjectKey key) {
    writes.tryUpdate(
        types.get(BuiltInTypes.DEPLOYMENTS),
        key,
        "status",
        copy -> {
          // An earlier report may have covered this change, if the specification changed twice in
          // succession.
          if (!behind(copy)) {
            return null;
          }
          copy.set("status", status(copy));
          return copy;
        });
  }

  private ObjectNode status(ObjectNode deployment) {
    ObjectNode status = Json.object();
    status.put("observedGeneration", Meta.of(deployment).generation());
    int replicas = deployment.path("spec").path("replicas").asInt();
    if (replicas > 0) {
      status.put("replicas", replicas).put("updatedReplicas", replicas);
      status.put("readyReplicas", replicas).put("availableReplicas", replicas);
    }
    String name = Meta.of(deployment).name();
    ArrayNode conditions = status.putArray("conditions");
    condition(
        conditions,
        "Available",
        "MinimumReplicasAvailable",
        "Deployment has minimum availability.");
    condition(
        conditions,
        "Progressing",
        "NewReplicaSetAvailable",
        "Deployment \"%s\" has successfully progressed.".formatted(name));
    return status;
  }

  private void condition(ArrayNode conditions, String type, String reason, String message) {
    String now = writes.now();
    conditions
        .addObject()
        .put("type", type)
        .put("status", "True")
        .put("lastUpdateTime", now)
        .put("lastTransitionTime", now)
        .put("reason", reason)
        .put("message", message);
  }
}
