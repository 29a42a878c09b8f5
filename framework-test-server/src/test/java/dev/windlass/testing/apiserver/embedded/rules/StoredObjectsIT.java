// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe.Reply;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * Both servers store the same for an object of a built-in kind: the same defaults, the same
 * notation of quantities, the same first status and the same owners of fields. They also reject the
 * same changes.
 */
final class StoredObjectsIT {

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  @AutoClose private static final EmbeddedApiServer server = EmbeddedApiServer.start();

  private static final ObjectMapper JSON = new ObjectMapper();

  /** An object: the path of its collection, and what it has beside its metadata, as YAML. */
  private record Sample(String what, String path, String fields) {
    String object(String name) {
      String text = "{metadata: {name: %s}, %s}".formatted(name, fields);
      try {
        return JSON.writeValueAsString(
            new Load(LoadSettings.builder().build()).loadFromString(text));
      } catch (JsonProcessingException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public String toString() {
      return what;
    }
  }

  private static final String POD =
      "template: {metadata: {labels: {a: b}}, spec: {%s containers: [{name: c, image: i %s}]}}";

  private static Sample workload(String what, String resource, String spec) {
    return new Sample(
        what,
        "/apis/apps/v1/namespaces/default/" + resource,
        "spec: {selector: {matchLabels: {a: b}}, %s}".formatted(spec));
  }

  private static Sample deployment(String what, String ofPod, String ofContainer) {
    return workload(what, "deployments", POD.formatted(ofPod, ofContainer));
  }

  private static Sample job(String what, String spec) {
    return new Sample(
        what,
        "/apis/batch/v1/namespaces/default/jobs",
        "spec: {%s template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}"
            .formatted(spec));
  }

  private static Sample claim(String what, String spec) {
    return new Sample(
        what,
        "/api/v1/namespaces/default/persistentvolumeclaims",
        "spec: {accessModes: [ReadWriteOnce], %s}".formatted(spec));
  }

  private static Sample policy(String what, String spec) {
    return new Sample(
        what, "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies", "spec: " + spec);
  }

  private static Sample autoscaler(String what, String spec) {
    return new Sample(
        what,
        "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers",
        "spec: {maxReplicas: 3, scaleTargetRef: {kind: Deployment, apiVersion: apps/v1, name: y} %s}"
            .formatted(spec));
  }

  private static final Sample STATEFUL_SET =
      workload(
          "StatefulSet",
          "statefulsets",
          "serviceName: x, volumeClaimTemplates: [{metadata: {name: d}, spec: {accessModes:"
              + " [ReadWriteOnce], resources: {requests: {storage: 1024Mi}}}}], "
              + POD.formatted("", ""));
  private static final Sample DAEMON_SET =
      workload("DaemonSet", "daemonsets", POD.formatted("", ""));
  private static final Sample REPLICA_SET =
      workload("ReplicaSet", "replicasets", POD.formatted("", ""));
  private static final Sample JOB = job("Job", "");
  private static final Sample CLAIM = claim("claim", "resources: {requests: {storage: 1024Mi}}");
  private static final Sample ROLE_BINDING =
      new Sample(
          "RoleBinding",
          "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings",
          "roleRef: {kind: Role, name: r}, subjects: [{kind: User, name: u}, {kind:"
              + " ServiceAccount, name: s, namespace: n}]");

  static final List<Sample> SAMPLES =
      List.of(
          deployment("plain Deployment", "", ""),
          deployment("cpu 1000m", "", ", resources: {requests: {cpu: 1000m, memory: 1024Mi}}"),
          deployment(
              "cpu 0.5", "", ", resources: {requests: {cpu: '0.5'}, limits: {cpu: 1.500, x/y: 1}}"),
          deployment("empty variable", "", ", env: [{name: A, value: ''}]"),
          deployment(
              "downward API",
              "volumes: [{name: v, downwardAPI: {items: [{path: p, fieldRef: {fieldPath:"
                  + " metadata.name}}, {path: q, resourceFieldRef: {resource: limits.cpu,"
                  + " containerName: c}}]}}],",
              ""),
          deployment(
              "projected volume",
              "volumes: [{name: v, projected: {sources: [{serviceAccountToken: {path: t}}]}}],",
              ""),
          deployment(
              "volumes",
              "volumes: [{name: a, secret: {secretName: s}}, {name: b, configMap: {name: c}}, {name:"
                  + " c, emptyDir: {sizeLimit: 2048Mi}}, {name: d}, {name: e, hostPath: {path: /}},"
                  + " {name: f, ephemeral: {volumeClaimTemplate: {spec: {accessModes:"
                  + " [ReadWriteOnce], resources: {requests: {storage: 1G}}}}}}],",
              ""),
          deployment(
              "variables",
              "",
              ", env: [{name: A, valueFrom: {fieldRef: {fieldPath: metadata.name}}}, {name: B,"
                  + " valueFrom: {resourceFieldRef: {resource: limits.cpu}}}]"),
          deployment(
              "probes",
              "",
              ", livenessProbe: {httpGet: {port: 80}}, readinessProbe: {tcpSocket: {port: 80},"
                  + " periodSeconds: 3}, startupProbe: {grpc: {port: 80}}, lifecycle: {preStop:"
                  + " {httpGet: {port: 80}}}"),
          deployment("ports", "", ", ports: [{containerPort: 80}]"),
          STATEFUL_SET,
          workload(
              "StatefulSet on delete",
              "statefulsets",
              "serviceName: x, updateStrategy: {type: OnDelete}, " + POD.formatted("", "")),
          DAEMON_SET,
          REPLICA_SET,
          JOB,
          job("indexed Job", "completions: 2, completionMode: Indexed, backoffLimitPerIndex: 1,"),
          job(
              "Job with a failure policy",
              "podFailurePolicy: {rules: [{action: Ignore, onPodConditions: [{type: X}]}]},"),
          new Sample(
              "CronJob",
              "/apis/batch/v1/namespaces/default/cronjobs",
              "spec: {schedule: '* * * * *', jobTemplate: {spec: {template: {spec: {restartPolicy:"
                  + " Never, containers: [{name: c, image: i}]}}}}}"),
          CLAIM,
          policy("ingress policy", "{podSelector: {}, ingress: [{ports: [{port: 5432}]}]}"),
          policy(
              "egress policy",
              "{podSelector: {matchLabels: {a: b}}, egress: [{to: [{podSelector: {}}]}]}"),
          new Sample(
              "Ingress",
              "/apis/networking.k8s.io/v1/namespaces/default/ingresses",
              "spec: {rules: [{host: a.b, http: {paths: [{path: /, pathType: Prefix, backend:"
                  + " {service: {name: s, port: {number: 80}}}}]}}]}"),
          autoscaler(
              "autoscaler",
              ", metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization,"
                  + " averageUtilization: 50}}}]"),
          autoscaler(
              "autoscaler with a behaviour",
              ", behavior: {scaleDown: {stabilizationWindowSeconds: 3}}"),
          new Sample("Secret", "/api/v1/namespaces/default/secrets", "stringData: {a: b}"),
          ROLE_BINDING,
          new Sample(
              "Role",
              "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles",
              "rules: [{apiGroups: [''], resources: [pods], verbs: [get]}]"),
          new Sample(
              "PodDisruptionBudget",
              "/apis/policy/v1/namespaces/default/poddisruptionbudgets",
              "spec: {minAvailable: 1, selector: {matchLabels: {a: b}}}"),
          new Sample(
              "ResourceQuota",
              "/api/v1/namespaces/default/resourcequotas",
              "spec: {hard: {cpu: 2000m, memory: 1024Mi}}"),
          new Sample(
              "StorageClass",
              "/apis/storage.k8s.io/v1/storageclasses",
              "provisioner: example.com/p"),
          new Sample("PriorityClass", "/apis/scheduling.k8s.io/v1/priorityclasses", "value: 1"));

  @ParameterizedTest
  @FieldSource("SAMPLES")
  void areTheSame(Sample sample) {
    assertThat(stored(HttpProbe.on(server), sample))
        .isEqualTo(stored(HttpProbe.on(kubernetes.server()), sample));
  }

  /** Only controllers, which are not running, remove the finalizers of claims and Jobs. */
  private static void delete(HttpProbe http, String object) {
    http.delete(object + "?propagationPolicy=Background");
    http.patch(object, "merge", "{'metadata':{'finalizers':null}}");
  }

  private static String stored(HttpProbe http, Sample sample) {
    Reply reply = http.post(sample.path() + "?fieldManager=me", sample.object("stored"));
    delete(http, sample.path() + "/stored");
    ObjectNode object = (ObjectNode) reply.json();
    ObjectNode metadata = object.withObject("/metadata");
    String uid = metadata.path("uid").asText("none");
    metadata.remove(List.of("uid", "resourceVersion", "creationTimestamp", "finalizers"));
    for (JsonNode entry : metadata.path("managedFields")) {
      ((ObjectNode) entry).remove("time");
    }
    return sorted(object).replace(uid, "UID");
  }

  private static String sorted(JsonNode json) {
    try {
      Object tree = JSON.treeToValue(json, Object.class);
      return JSON.copy()
          .configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true)
          .writerWithDefaultPrettyPrinter()
          .writeValueAsString(tree);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A change, as a merge patch. */
  private record Change(Sample sample, String patch) {}

  static Stream<Change> changes() {
    String image = "{'spec':{'template':{'spec':{'containers':[{'name':'c','image':'j'}]}}}}";
    return Stream.of(
        new Change(STATEFUL_SET, "{'spec':{'serviceName':'other'}}"),
        new Change(STATEFUL_SET, "{'spec':{'volumeClaimTemplates':null}}"),
        new Change(STATEFUL_SET, "{'spec':{'podManagementPolicy':'Parallel'}}"),
        new Change(STATEFUL_SET, "{'spec':{'replicas':3,'minReadySeconds':4}}"),
        new Change(STATEFUL_SET, image),
        new Change(
            DAEMON_SET,
            "{'spec':{'selector':{'matchLabels':{'c':'d'}},'template':"
                + "{'metadata':{'labels':{'c':'d'}}}}}"),
        new Change(DAEMON_SET, image),
        new Change(REPLICA_SET, "{'spec':{'replicas':2}}"),
        new Change(JOB, image),
        new Change(JOB, "{'spec':{'completions':3}}"),
        new Change(JOB, "{'spec':{'parallelism':3,'backoffLimit':2}}"),
        new Change(JOB, "{'spec':{'completionMode':'Indexed'}}"),
        new Change(CLAIM, "{'spec':{'resources':{'requests':{'storage':'2Gi'}}}}"),
        new Change(CLAIM, "{'spec':{'resources':{'requests':{'storage':'1024Mi'}}}}"),
        new Change(CLAIM, "{'spec':{'accessModes':['ReadWriteMany']}}"),
        new Change(CLAIM, "{'spec':{'volumeName':'v'}}"),
        new Change(ROLE_BINDING, "{'roleRef':{'name':'other'}}"),
        new Change(ROLE_BINDING, "{'subjects':null}"));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void areChangedByTheSame(Change change) {
    assertThat(answer(HttpProbe.on(server), change))
        .isEqualTo(answer(HttpProbe.on(kubernetes.server()), change));
  }

  /** The status code and the fields in question. Messages contain the Go types of some values. */
  private static String answer(HttpProbe http, Change change) {
    Sample sample = change.sample();
    String object = sample.path() + "/changed";
    http.post(sample.path(), sample.object("changed"));
    Reply reply = http.patch(object, "merge", change.patch());
    delete(http, object);
    StringBuilder answer = new StringBuilder().append(reply.code());
    for (JsonNode cause : reply.json().path("details").path("causes")) {
      answer
          .append('\n')
          .append(cause.path("reason").asText())
          .append(' ')
          .append(cause.path("field").asText())
          .append(' ')
          .append(
              cause
                  .path("message")
                  .asText()
                  .replaceAll("(?s)\n.*", "")
                  .replaceAll("(?s)Invalid value: .*: ", ""));
    }
    return answer.toString();
  }
}
