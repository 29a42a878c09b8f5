// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import java.util.List;

/**
 * The defaults of Pods and of the kinds that create Pods, as in the {@code defaults.go} of the
 * groups {@code apps}, {@code batch} and {@code core}. {@link NestedDefaults} contains those of
 * probes, volumes and other structures within a Pod.
 */
final class WorkloadDefaults {
  private static final String ROLLING = "RollingUpdate";
  private static final String HISTORY = "revisionHistoryLimit";
  private static final String SUSPEND = "suspend";
  private static final int REVISIONS = 10;
  private static final int BACKOFF_LIMIT = 6;

  private WorkloadDefaults() {}

  static void apply(String kind, ObjectNode object) {
    Defaults spec = new Defaults(object).in("spec");
    switch (kind) {
      case "Deployment" -> deployment(spec);
      case "StatefulSet" -> statefulSet(spec);
      case "ReplicaSet" -> spec.put("replicas", 1);
      case "DaemonSet" -> {
        daemonSet(spec);
        new Defaults(Meta.of(object).json())
            .in("annotations")
            .put("deprecated.daemonset.template.generation", "1");
      }
      case "Job" -> job(object, spec);
      case "CronJob" -> {
        cronJob(spec);
        spec.in("jobTemplate").in("metadata");
        template(spec.in("jobTemplate").in("spec"));
      }
      default -> {
        podSpec(spec);
        pod(spec);
      }
    }
    if (!kind.equals("Pod") && !kind.equals("CronJob")) {
      template(spec);
    }
  }

  private static void deployment(Defaults spec) {
    spec.put("replicas", 1).put(HISTORY, REVISIONS).put("progressDeadlineSeconds", 600);
    Defaults strategy = spec.in("strategy").put("type", ROLLING);
    if (strategy.text("type").equals(ROLLING)) {
      strategy.in("rollingUpdate").put("maxSurge", "25%").put("maxUnavailable", "25%");
    }
  }

  private static void statefulSet(Defaults spec) {
    spec.put("podManagementPolicy", "OrderedReady").put("replicas", 1).put(HISTORY, REVISIONS);
    Defaults strategy = spec.in("updateStrategy");
    if (!strategy.has("type")) {
      strategy.put("type", ROLLING).in("rollingUpdate");
    }
    if (strategy.text("type").equals(ROLLING) && strategy.has("rollingUpdate")) {
      strategy.in("rollingUpdate").put("partition", 0);
    }
    spec.in("persistentVolumeClaimRetentionPolicy")
        .put("whenDeleted", "Retain")
        .put("whenScaled", "Retain");
  }

  private static void daemonSet(Defaults spec) {
    spec.put(HISTORY, REVISIONS);
    Defaults strategy = spec.in("updateStrategy").put("type", ROLLING);
    if (strategy.text("type").equals(ROLLING)) {
      strategy.in("rollingUpdate").put("maxUnavailable", 1).put("maxSurge", 0);
    }
  }

  private static void job(ObjectNode job, Defaults spec) {
    if (!spec.has("parallelism")) {
      spec.put("completions", 1);
    }
    int limit = spec.has("backoffLimitPerIndex") ? Integer.MAX_VALUE : BACKOFF_LIMIT;
    spec.put("parallelism", 1)
        .put("backoffLimit", limit)
        .put("completionMode", "NonIndexed")
        .put(SUSPEND, false)
        .put(
            "podReplacementPolicy", spec.has("podFailurePolicy") ? "Failed" : "TerminatingOrFailed")
        .put("manualSelector", false);
    defaultLabels(job, spec.object());
  }

  /** Gives a Job the labels of its Pods if it has none of its own. */
  private static void defaultLabels(ObjectNode job, JsonNode spec) {
    JsonNode labels = spec.path("template").path("metadata").path("labels");
    ObjectNode metadata = Meta.of(job).json();
    if (!labels.isEmpty() && metadata.path("labels").isEmpty()) {
      metadata.set("labels", labels.deepCopy());
    }
  }

  private static void cronJob(Defaults spec) {
    spec.put("concurrencyPolicy", "Allow")
        .put(SUSPEND, false)
        .put("successfulJobsHistoryLimit", 3)
        .put("failedJobsHistoryLimit", 1);
  }

  /**
   * Sets the selector of a new Job and the labels of its Pods, unless the user selects the Pods.
   */
  static void selectOwnPods(ObjectNode job) {
    ObjectNode spec = job.withObject("/spec");
    if (spec.path("manualSelector").asBoolean()) {
      return;
    }
    Meta meta = Meta.of(job);
    ObjectNode labels = spec.withObject("/template/metadata").withObject("/labels");
    for (String prefix : List.of("", "batch.kubernetes.io/")) {
      labels.put(prefix + "job-name", meta.name());
      labels.put(prefix + "controller-uid", meta.text("uid"));
    }
    spec.withObject("/selector")
        .withObject("/matchLabels")
        .put("batch.kubernetes.io/controller-uid", meta.text("uid"));
    defaultLabels(job, spec);
  }

  private static void template(Defaults spec) {
    spec.in("template").in("metadata");
    podSpec(spec.in("template").in("spec"));
  }

  private static void podSpec(Defaults spec) {
    copy(spec, "serviceAccountName", "serviceAccount");
    copy(spec, "serviceAccount", "serviceAccountName");
    spec.put("restartPolicy", "Always")
        .put("dnsPolicy", "ClusterFirst")
        .put("schedulerName", "default-scheduler")
        .put("terminationGracePeriodSeconds", 30)
        .in("securityContext");
    for (String list : List.of("initContainers", "containers")) {
      for (JsonNode container : spec.object().path(list)) {
        if (container instanceof ObjectNode fields) {
          container(new Defaults(fields));
        }
      }
    }
  }

  /** Sets the defaults of a Pod that a Pod template does not get. */
  private static void pod(Defaults spec) {
    spec.put("enableServiceLinks", true);
    for (String list : List.of("initContainers", "containers")) {
      for (JsonNode container : spec.object().path(list)) {
        if (container.path("resources") instanceof ObjectNode resources) {
          for (var limit : resources.path("limits").properties()) {
            ObjectNode requests = resources.withObject("/requests");
            if (!requests.has(limit.getKey())) {
              requests.set(limit.getKey(), limit.getValue());
            }
          }
        }
      }
    }
  }

  private static void copy(Defaults object, String from, String to) {
    if (object.has(from)) {
      object.put(to, object.text(from));
    }
  }

  private static void container(Defaults container) {
    container
        .put("terminationMessagePath", "/dev/termination-log")
        .put("terminationMessagePolicy", "File")
        .in("resources");
    String image = container.text("image");
    String name = image.substring(image.lastIndexOf('/') + 1);
    boolean latest = !name.contains(":") || name.endsWith(":latest");
    container.put("imagePullPolicy", latest ? "Always" : "IfNotPresent");
  }
}
