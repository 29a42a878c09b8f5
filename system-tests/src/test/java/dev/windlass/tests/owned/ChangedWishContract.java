// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.owned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.windlass.client.Client;
import dev.windlass.client.InvalidException;
import dev.windlass.client.owned.Owned;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.TestApiServer;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * What holds on each server if the desired state of an owned object changes: the object changes
 * once, to what a new object of that desired state would be, or the apply is refused and nothing is
 * stored. Covers the kinds that controllers own, the ways in which a desired state changes, and
 * what may have happened to the object before.
 */
abstract class ChangedWishContract {

  /** What has happened before the change. */
  private enum Before {
    /** The object was created, by the same process. */
    CREATED,
    /** Another change was applied. */
    CHANGED,
    /** The process was restarted. */
    RESTARTED,
    /** Somebody else has changed something else. */
    EDITED,
    /** The same field owner has created the object by a POST request. */
    POSTED
  }

  /**
   * A change of the desired state.
   *
   * @param refused whether the server refuses it, in each case
   */
  private record Change(String kind, String what, String from, String to, boolean refused) {
    GenericKubernetesResource from(String namespace, String name) {
      return object(from, namespace, name);
    }

    GenericKubernetesResource to(String namespace, String name) {
      return object(to, namespace, name);
    }

    private GenericKubernetesResource object(String content, String namespace, String name) {
      String at = kind.substring(0, kind.indexOf(' '));
      String yaml =
          "apiVersion: %s\nkind: %s\nmetadata: {namespace: %s, name: %s}\n%s\n"
              .formatted(at, kind.substring(at.length() + 1), namespace, name, content);
      return Serialization.unmarshal(yaml, GenericKubernetesResource.class);
    }
  }

  /** What the server chooses for each object. */
  private static final List<String> ALLOCATED =
      List.of("clusterIP", "clusterIPs", "nodePort", "uid", "controller-uid", "job-name");

  private final List<Change> changes = new ArrayList<>();

  @AutoClose OwnedFixture on;

  private TestApiServer server;

  /** Whether the server evaluates the rules of a definition. */
  abstract boolean hasRules();

  @BeforeEach
  void starts() {
    on = new OwnedFixture(server);
    server.install(union(hasRules()));
  }

  private void kind(String kind, String... rows) {
    for (int i = 0; i < rows.length; i += 3) {
      boolean refused = rows[i].endsWith("!");
      changes.add(new Change(kind, rows[i].replace("!", ""), rows[i + 1], rows[i + 2], refused));
    }
  }

  private static String pod(String container, String more) {
    return "template: {metadata: {labels: {a: b}}, spec: {%scontainers: [{name: c, image: i%s}]}}"
        .formatted(more, container.isEmpty() ? "" : ", " + container);
  }

  private static String pods(String more, String container) {
    return "spec: {selector: {matchLabels: {a: b}}, %s%s}".formatted(more, pod(container, ""));
  }

  private static String volume(String source) {
    return "spec: {selector: {matchLabels: {a: b}}, %s}"
        .formatted(pod("", "volumes: [{name: v%s}], ".formatted(source)));
  }

  private static String ports(String... ports) {
    return "spec: {selector: {a: b}, ports: [%s]}".formatted(String.join(", ", ports));
  }

  private void workload(String kind) {
    kind(
        kind,
        "a field is removed",
        pods("minReadySeconds: 3, ", ""),
        pods("", ""),
        "the container is renamed",
        pods("", ""),
        pods("", "").replace("name: c", "name: d"),
        "a value becomes a reference",
        pods("", "env: [{name: A, value: x}]"),
        pods("", "env: [{name: A, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]"),
        "a variable is renamed",
        pods("", "env: [{name: A, value: x}]"),
        pods("", "env: [{name: B, value: x}]"),
        "the kind of a probe is switched",
        pods("", "livenessProbe: {httpGet: {port: 80}}"),
        pods("", "livenessProbe: {exec: {command: [x]}}"),
        "a port gets another number",
        pods("", "ports: [{name: p, containerPort: 80}]"),
        pods("", "ports: [{name: p, containerPort: 81}]"),
        "the kind of a volume is switched",
        volume(", secret: {secretName: x}"),
        volume(", configMap: {name: x}"),
        "a volume that was empty by default gets content",
        volume(""),
        volume(", configMap: {name: x}"),
        "two variables have one name!",
        pods("", "env: [{name: A, value: x}]"),
        pods("", "env: [{name: A, value: x}, {name: A, value: y}]"),
        "the selector changes!",
        pods("", ""),
        pods("", "").replace("{a: b}", "{a: c}"));
  }

  private void changes() {
    workload("apps/v1 Deployment");
    workload("apps/v1 StatefulSet");
    workload("apps/v1 DaemonSet");
    kind(
        "apps/v1 Deployment",
        "the default of the strategy is forbidden",
        pods("", ""),
        pods("strategy: {type: Recreate}, ", ""),
        "the replicas are left to others",
        pods("replicas: 2, ", ""),
        pods("", ""));
    kind(
        "apps/v1 StatefulSet",
        "the default of the strategy is forbidden",
        pods("", ""),
        pods("updateStrategy: {type: OnDelete}, ", ""));
    kind(
        "apps/v1 DaemonSet",
        "the strategy is switched",
        pods("updateStrategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 2}}, ", ""),
        pods("updateStrategy: {type: OnDelete}, ", ""));
    String job = "restartPolicy: Never, ";
    kind(
        "batch/v1 Job",
        "a field is removed",
        "spec: {activeDeadlineSeconds: 9, %s}".formatted(pod("", job)),
        "spec: {%s}".formatted(pod("", job)),
        "the template changes!",
        "spec: {%s}".formatted(pod("", job)),
        "spec: {%s}".formatted(pod("args: [x]", job)));
    String cron = "spec: {schedule: '* * * * *', jobTemplate: {spec: {%s%s}}}";
    kind(
        "batch/v1 CronJob",
        "a field is removed",
        cron.formatted("activeDeadlineSeconds: 9, ", pod("", job)),
        cron.formatted("", pod("", job)),
        "the default of the replacement policy is forbidden",
        cron.formatted("", pod("", job)),
        cron.formatted(
            "podFailurePolicy: {rules: [{action: Ignore, onPodConditions: [{type: X, status: 'True'}]}]}, ",
            pod("", job)));
    kind(
        "v1 Service",
        "a field is removed",
        "spec: {sessionAffinity: None, selector: {a: b, c: d}, ports: [{port: 80}]}",
        ports("{port: 80}"),
        "a port gets another number",
        ports("{name: http, port: 80}"),
        ports("{name: http, port: 8080}"),
        "a port gets another name",
        ports("{name: http, port: 80}"),
        ports("{name: web, port: 80}"),
        "a port is added under the name of another",
        ports("{name: http, port: 80}"),
        ports("{name: http, port: 8080}", "{name: old, port: 80}"),
        "two ports have one number!",
        ports("{name: a, port: 80}"),
        ports("{name: a, port: 80}", "{name: b, port: 80}"),
        "it becomes external",
        ports("{port: 80}"),
        "spec: {type: ExternalName, externalName: example.com}");
    kind(
        "v1 ConfigMap",
        "a field is removed",
        "data: {a: x, b: y}",
        "data: {a: x}",
        "a key is renamed",
        "data: {old: x}",
        "data: {new: x}",
        "data becomes binary",
        "data: {a: x}",
        "binaryData: {a: eA==}",
        "a part becomes immutable!",
        "immutable: true\ndata: {a: x}",
        "immutable: true\ndata: {a: y}");
    kind(
        "v1 Secret",
        "a field is removed",
        "stringData: {a: x, b: y}",
        "stringData: {a: x}",
        "text becomes data",
        "stringData: {a: x}",
        "data: {b: eA==}",
        "the type changes!",
        "stringData: {a: x}",
        "type: other\nstringData: {a: x}");
    kind(
        "policy/v1 PodDisruptionBudget",
        "the union is switched",
        "spec: {selector: {matchLabels: {a: b}}, minAvailable: 1}",
        "spec: {selector: {matchLabels: {a: b}}, maxUnavailable: 1}",
        "both are set!",
        "spec: {selector: {matchLabels: {a: b}}, minAvailable: 1}",
        "spec: {selector: {matchLabels: {a: b}}, minAvailable: 1, maxUnavailable: 1}");
    kind(
        "networking.k8s.io/v1 Ingress",
        "the union is switched",
        "spec: {defaultBackend: {service: {name: a, port: {number: 80}}}}",
        "spec: {defaultBackend: {resource: {kind: A, name: a}}}",
        "the other half of a nested union",
        "spec: {defaultBackend: {service: {name: a, port: {number: 80}}}}",
        "spec: {defaultBackend: {service: {name: a, port: {name: x}}}}");
    kind(
        "networking.k8s.io/v1 NetworkPolicy",
        "a field is removed",
        "spec: {podSelector: {}, policyTypes: [Ingress], ingress: [{ports: [{port: 1}]}]}",
        "spec: {podSelector: {}, policyTypes: [Ingress]}",
        "the union is switched",
        "spec: {podSelector: {}, ingress: [{from: [{ipBlock: {cidr: 10.0.0.0/8}}]}]}",
        "spec: {podSelector: {}, ingress: [{from: [{podSelector: {}}]}]}");
    String scale =
        "spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: a}, maxReplicas: 3%s}";
    kind(
        "autoscaling/v2 HorizontalPodAutoscaler",
        "a field is removed",
        scale.formatted(", minReplicas: 2"),
        scale.formatted(""),
        "the union is switched",
        scale.formatted(
            ", metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 5}}}]"),
        scale.formatted(
            ", metrics: [{type: Pods, pods: {metric: {name: x}, target: {type: AverageValue, averageValue: 1}}}]"));
    kind(
        "v1 ServiceAccount",
        "a field is removed",
        "automountServiceAccountToken: false\nimagePullSecrets: [{name: a}, {name: b}]",
        "imagePullSecrets: [{name: b}]");
    kind(
        "rbac.authorization.k8s.io/v1 Role",
        "a field is removed",
        "rules: [{apiGroups: [''], resources: [pods], verbs: [get], resourceNames: [x]}]",
        "rules: [{apiGroups: [''], resources: [pods], verbs: [get]}]");
    kind(
        "rbac.authorization.k8s.io/v1 RoleBinding",
        "an entry is renamed",
        "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: r}\nsubjects: [{kind: ServiceAccount, name: a, namespace: n}]",
        "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: r}\nsubjects: [{kind: ServiceAccount, name: b, namespace: n}]",
        "the role changes!",
        "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: r}",
        "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: s}");
    kind(
        "v1 PersistentVolumeClaim",
        "the class changes!",
        "spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}",
        "spec: {accessModes: [ReadOnlyMany], resources: {requests: {storage: 1Gi}}}");
    kind(
        "v1 ResourceQuota",
        "an entry is renamed",
        "spec: {hard: {pods: 900}}",
        "spec: {hard: {services: 900}}");
    kind(
        "v1 LimitRange",
        "a field is removed",
        "spec: {limits: [{type: Pod, max: {cpu: 64, memory: 999Gi}}]}",
        "spec: {limits: [{type: Pod, max: {cpu: 64}}]}");
    kind(
        "coordination.k8s.io/v1 Lease",
        "a field is removed",
        "spec: {holderIdentity: a, leaseDurationSeconds: 9}",
        "spec: {holderIdentity: a}");
    kind(
        "discovery.k8s.io/v1 EndpointSlice",
        "an entry is renamed",
        "addressType: IPv4\nendpoints: [{addresses: [10.0.0.1]}]\nports: [{name: a, port: 1}]",
        "addressType: IPv4\nendpoints: [{addresses: [10.0.0.1]}]\nports: [{name: b, port: 1}]");
    String union = "owned.windlass.dev/v1 Union";
    kind(
        union,
        "the union is switched",
        "spec: {issuer: {selfSigned: {}}}",
        "spec: {issuer: {ca: {secret: x}}}",
        "an entry is renamed",
        "spec: {entries: [{key: a, value: x}]}",
        "spec: {entries: [{key: b, value: x}]}",
        "two entries have one key!",
        "spec: {entries: [{key: a, value: x}]}",
        "spec: {entries: [{key: a, value: x}, {key: a, value: y}]}");
    if (hasRules()) {
      kind(
          union,
          "the union of a rule is switched",
          "spec: {one: 1}",
          "spec: {two: 2}",
          "an entry is switched",
          "spec: {entries: [{key: a, value: x}]}",
          "spec: {entries: [{key: a, other: y}]}",
          "a rule is violated!",
          "spec: {one: 1}",
          "spec: {one: 1, two: 2}");
    }
  }

  /** A type with a union by number, a union by a rule, and a list with keys. */
  private static CustomResourceDefinition union(boolean rules) {
    CustomResourceDefinition crd = Samples.crd("owned.windlass.dev", "Union");
    String schema =
        """
        type: object
        properties:
          spec:
            type: object
            x-kubernetes-validations:
            - {rule: "!(has(self.one) && has(self.two))", message: "one or two"}
            properties:
              one: {type: integer}
              two: {type: integer}
              issuer:
                type: object
                maxProperties: 1
                properties:
                  selfSigned: {type: object}
                  ca: {type: object, properties: {secret: {type: string}}}
              entries:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [key]
                maxItems: 9
                items:
                  type: object
                  required: [key]
                  x-kubernetes-validations:
                  - {rule: "has(self.value) != has(self.other)", message: "value or other"}
                  properties:
                    key: {type: string}
                    value: {type: string}
                    other: {type: string}
        """;
    crd.getSpec()
        .getVersions()
        .get(0)
        .getSchema()
        .setOpenAPIV3Schema(
            Serialization.unmarshal(
                rules ? schema : schema.replaceAll(" *x-kubernetes-validations:\\n *- .*\\n", ""),
                JSONSchemaProps.class));
    return crd;
  }

  @TestFactory
  Stream<DynamicTest> isOneChangeOrNone() {
    changes();
    List<DynamicTest> tests = new ArrayList<>();
    for (Change change : changes) {
      String kind = change.kind().substring(change.kind().indexOf(' ') + 1);
      for (Before before : Before.values()) {
        String name = "c" + tests.size();
        tests.add(
            DynamicTest.dynamicTest(
                "%s, %s: %s".formatted(kind, before.name().toLowerCase(Locale.ROOT), change.what()),
                () -> changes(change, before, name)));
      }
    }
    return tests.stream();
  }

  private static Client newClient(KubernetesClient kubernetes) {
    return Manager.builder().client(kubernetes).fieldOwner("owned-test").build().client();
  }

  private void changes(Change change, Before before, String name) throws Exception {
    Client client = on.client;
    GenericKubernetesResource object = change.from(on.namespace, name);
    if (before == Before.POSTED) {
      GenericKubernetesResource posted = change.from(on.namespace, name);
      OwnerReferences.setController(posted, on.owner);
      client.create(posted);
    } else {
      Owned.apply(client, on.owner, object);
    }
    switch (before) {
      case CHANGED -> {
        GenericKubernetesResource other = change.from(on.namespace, name);
        other.getMetadata().setAnnotations(Map.of("example.com/other", "x"));
        Owned.apply(client, on.owner, other);
      }
      case RESTARTED -> client = newClient(on.kubectl);
      case EDITED ->
          on.kubectl
              .resource(object)
              .edit(
                  it -> {
                    it.getMetadata().setLabels(new TreeMap<>(Map.of("foreign", "x")));
                    return it;
                  });
      default -> {}
    }
    GenericKubernetesResource start = client.get(object).orElseThrow();
    GenericKubernetesResource wanted = change.to(on.namespace, name);
    boolean refused = false;
    try {
      Owned.apply(client, on.owner, wanted);
    } catch (InvalidException e) {
      refused = true;
      if (!change.refused()) {
        throw e;
      }
    }
    assertThat(refused).as("refused").isEqualTo(change.refused());
    List<String> contents = contents(start);
    assertThat(contents)
        .as("the contents of %s, which is now %s", change, client.get(start))
        .hasSize(refused ? 1 : 2);
    if (!refused) {
      GenericKubernetesResource twin = change.to(on.namespace, name + "-new");
      Owned.apply(client, on.owner, twin);
      assertThat(contents.get(1)).isEqualTo(content(client.get(twin).orElseThrow()));
    }
  }

  /** The contents of an object since a version, each of which differs from the one before. */
  @SuppressWarnings("try") // the watch delivers by itself
  private List<String> contents(GenericKubernetesResource start) throws Exception {
    BlockingQueue<GenericKubernetesResource> seen = new LinkedBlockingQueue<>();
    List<String> contents = new ArrayList<>(List.of(content(start)));
    String end = "{\"metadata\":{\"annotations\":{\"example.com/end\":\"x\"}}}";
    var resource =
        on.kubectl
            .genericKubernetesResources(start.getApiVersion(), start.getKind())
            .inNamespace(on.namespace)
            .withName(start.getMetadata().getName());
    try (Watch ignored =
        resource.watch(
            new ListOptionsBuilder()
                .withResourceVersion(start.getMetadata().getResourceVersion())
                .build(),
            new Watcher<>() {
              @Override
              public void eventReceived(Action action, GenericKubernetesResource object) {
                seen.add(object);
              }

              @Override
              public void onClose(@Nullable WatcherException cause) {}
            })) {
      resource.patch(PatchContext.of(PatchType.JSON_MERGE), end);
      while (true) {
        GenericKubernetesResource next = seen.poll(20, TimeUnit.SECONDS);
        assertThat(next).as("the end of the changes").isNotNull();
        Map<String, String> annotations = next.getMetadata().getAnnotations();
        if (annotations != null && annotations.containsKey("example.com/end")) {
          return contents;
        }
        String content = content(next);
        if (!content.equals(contents.get(contents.size() - 1))) {
          contents.add(content);
        }
      }
    }
  }

  /** What a user sees of an object, without its name and what the server chooses. */
  private static String content(GenericKubernetesResource object) {
    Map<String, Object> content = new TreeMap<>(object.getAdditionalProperties());
    content.remove("status");
    Map<String, String> annotations = object.getMetadata().getAnnotations();
    if (annotations != null) {
      Map<String, String> kept = new TreeMap<>(annotations);
      kept.keySet().removeIf(key -> key.startsWith("deprecated.daemonset"));
      if (!kept.isEmpty()) {
        content.put("annotations", kept);
      }
    }
    return Serialization.asJson(withoutAllocated(content));
  }

  private static Object withoutAllocated(Object value) {
    if (value instanceof Map<?, ?> map) {
      Map<Object, Object> kept = new TreeMap<>();
      map.forEach(
          (field, below) -> {
            String name = field.toString();
            if (below != null && !ALLOCATED.contains(name.substring(name.lastIndexOf('/') + 1))) {
              kept.put(field, withoutAllocated(below));
            }
          });
      return kept;
    }
    return value instanceof List<?> list
        ? list.stream().map(ChangedWishContract::withoutAllocated).toList()
        : value;
  }

  /** Nothing is stored of what apply cannot express. */
  @Test
  void refusesAtCreationWhatItCannotChange() {
    changes();
    for (Change change : changes) {
      if (change.what().startsWith("two ")) {
        GenericKubernetesResource wanted = change.to(on.namespace, "refused");
        assertThat(catchThrowable(() -> Owned.apply(on.client, on.owner, wanted)))
            .as(change.kind())
            .isInstanceOf(InvalidException.class)
            .hasMessageContaining("duplicate entries for key");
        assertThat(on.client.get(wanted)).as(change.kind()).isEmpty();
      }
    }
  }
}
