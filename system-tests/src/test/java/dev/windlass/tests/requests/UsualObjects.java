// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.requests;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.stream.Stream;

/**
 * Objects as operators apply them: numbers of each size, quantities in each notation, each kind of
 * list, and fields with defaults in lists and structures that one manager owns as a whole.
 */
final class UsualObjects {

  private static final String PLAIN_DEPLOYMENT =
      """
      apiVersion: apps/v1
      kind: Deployment
      %s labels: {a: b}, annotations: {c: d}}
      spec:
        replicas: 2
        selector: {matchLabels: {app: x}}
        template:
          metadata: {labels: {app: x}}
          spec:
            terminationGracePeriodSeconds: 20
            securityContext: {runAsUser: 1000}
            containers:
            - name: one
              image: one:1
              args: ["-v", "2"]
              ports: [{containerPort: 80}, {containerPort: 81, protocol: UDP}]
              env: [{name: A, value: "1"}, {name: B, value: ""}]
              resources: {requests: {cpu: 100m}, limits: {memory: 64Mi}}
              readinessProbe: {httpGet: {path: /, port: 80}, periodSeconds: 5}
      """;

  private static final String STATEFUL_SET =
      """
      apiVersion: apps/v1
      kind: StatefulSet
      %s labels: {a: b}}
      spec:
        serviceName: x
        selector: {matchLabels: {app: x}}
        template:
          metadata: {labels: {app: x}}
          spec:
            volumes:
            - name: about
              downwardAPI: {items: [{path: p, fieldRef: {fieldPath: metadata.name}}]}
            - name: all
              projected:
                sources:
                - serviceAccountToken: {path: t}
                - configMap: {name: c, items: [{key: k, path: k}]}
                - downwardAPI:
                    items: [{path: c, resourceFieldRef: {containerName: one, resource: limits.cpu}}]
            - name: scratch
              emptyDir: {sizeLimit: 1024Mi}
            containers:
            - name: one
              image: one
              env:
              - {name: A, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
              - {name: B, valueFrom: {resourceFieldRef: {resource: limits.cpu}}}
              resources: {requests: {cpu: 1000m, memory: 1024Mi}, limits: {cpu: "1.5", memory: 1.5Gi}}
        volumeClaimTemplates:
        - metadata: {name: d}
          spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1024Mi}}}
        - apiVersion: v1
          kind: PersistentVolumeClaim
          metadata: {name: e}
          spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: "1.500"}}}
      """;

  private static final String JOB =
      """
      apiVersion: batch/v1
      kind: Job
      %s labels: {a: b}}
      spec:
        podFailurePolicy:
          rules: [{action: Ignore, onPodConditions: [{type: DisruptionTarget}]}]
        template:
          spec: {restartPolicy: Never, containers: [{name: c, image: i}]}
      """;

  private static final List<String> SMALL =
      List.of(
          """
          apiVersion: v1
          kind: Service
          %s finalizers: [example.com/a]}
          spec: {selector: {app: x}, ports: [{port: 80, targetPort: 8080}]}
          """,
          """
          apiVersion: v1
          kind: ConfigMap
          %s labels: {}}
          data: {a: "", b: c}
          """,
          """
          apiVersion: v1
          kind: Secret
          %s labels: {a: b}}
          data: {c: ZA==}
          stringData: {a: b, u: ß}
          """,
          """
          apiVersion: v1
          kind: PersistentVolumeClaim
          %s labels: {a: b}}
          spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1024Mi}}}
          """,
          """
          apiVersion: networking.k8s.io/v1
          kind: NetworkPolicy
          %s labels: {a: b}}
          spec: {podSelector: {}, ingress: [{ports: [{port: 5432}, {port: 53, protocol: UDP}]}]}
          """,
          """
          apiVersion: rbac.authorization.k8s.io/v1
          kind: RoleBinding
          %s labels: {a: b}}
          roleRef: {kind: Role, name: r}
          subjects: [{kind: User, name: u}, {kind: ServiceAccount, name: s, namespace: n}]
          """,
          """
          apiVersion: rbac.authorization.k8s.io/v1
          kind: ClusterRole
          metadata: {name: restarted, labels: {a: b}}
          rules: [{apiGroups: [""], resources: [pods], verbs: [get, list]}]
          """,
          """
          apiVersion: admissionregistration.k8s.io/v1
          kind: ValidatingWebhookConfiguration
          metadata: {name: restarted, labels: {a: b}}
          webhooks:
          - name: none.example.com
            sideEffects: None
            failurePolicy: Ignore
            admissionReviewVersions: [v1]
            clientConfig: {service: {namespace: n, name: s}}
            rules:
            - {apiGroups: [none.example.com], apiVersions: [v1], operations: [CREATE], resources: [x]}
          """);

  private UsualObjects() {}

  static List<HasMetadata> in(String namespace) {
    String metadata = "metadata: {name: restarted, namespace: %s, ".formatted(namespace);
    return Stream.concat(Stream.of(PLAIN_DEPLOYMENT, STATEFUL_SET, JOB), SMALL.stream())
        .map(yaml -> yaml.replace("%s", metadata))
        .map(yaml -> Serialization.unmarshal(yaml, HasMetadata.class))
        .toList();
  }
}
