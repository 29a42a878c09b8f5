// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.types;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.testing.apiserver.embedded.objects.GroupResource;
import dev.windlass.testing.apiserver.embedded.types.ResourceType.Names;
import dev.windlass.testing.apiserver.embedded.types.ResourceType.Trait;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The resources that the server provides without a CustomResourceDefinition: those of Kubernetes
 * whose objects users manage. The names, the scope and the subresources are in the generated
 * schemas. All other traits were verified against a real server.
 */
public final class BuiltInTypes {
  public static final GroupResource NAMESPACES = new GroupResource("", "namespaces");
  public static final GroupResource DEPLOYMENTS = new GroupResource("apps", "deployments");
  public static final GroupResource CRDS =
      new GroupResource("apiextensions.k8s.io", "customresourcedefinitions");

  /** The kinds with a trait that no real server publishes. */
  private static final Map<Trait, Set<String>> KINDS =
      Map.of(
          Trait.GENERATION,
          kinds(
              "Pod PodTemplate ReplicationController DaemonSet Deployment ReplicaSet StatefulSet"
                  + " Job CronJob EndpointSlice Ingress IngressClass NetworkPolicy"
                  + " PodDisruptionBudget MutatingWebhookConfiguration"
                  + " ValidatingWebhookConfiguration ValidatingAdmissionPolicy"
                  + " ValidatingAdmissionPolicyBinding FlowSchema PriorityLevelConfiguration"
                  + " PriorityClass CustomResourceDefinition DeviceClass ResourceSlice"),
          Trait.VERSIONED_UPDATE,
          kinds(
              "Lease PodDisruptionBudget MutatingWebhookConfiguration"
                  + " ValidatingWebhookConfiguration ValidatingAdmissionPolicy"
                  + " ValidatingAdmissionPolicyBinding CustomResourceDefinition RuntimeClass"
                  + " CSIDriver CSINode CSIStorageCapacity VolumeAttachment"),
          Trait.CREATED_BY_UPDATE,
          kinds(
              "Endpoints LimitRange Service Lease ClusterRole ClusterRoleBinding Role RoleBinding"),
          Trait.RETURNED_BY_DELETE,
          kinds(
              "PersistentVolume PersistentVolumeClaim Pod PodTemplate ResourceQuota Service"
                  + " ServiceAccount"),
          Trait.ORPHANS_BY_DEFAULT,
          kinds("ReplicationController Job"));

  /** The built-in types, which all servers in the process share. */
  private static final List<ResourceType> TYPES =
      BuiltInSchemas.kinds().stream().map(BuiltInTypes::type).toList();

  private BuiltInTypes() {}

  private static Set<String> kinds(String names) {
    return Set.of(names.split(" ", -1));
  }

  static List<ResourceType> all() {
    return TYPES;
  }

  /** Returns the type with the given {@code apiVersion/kind}. */
  private static ResourceType type(String name) {
    String[] parts = name.split("/", -1);
    String kind = parts[parts.length - 1];
    JsonNode schema = BuiltInSchemas.named(name);
    JsonNode resource = schema.path(BuiltInSchemas.RESOURCE);
    Set<Trait> traits = EnumSet.noneOf(Trait.class);
    KINDS.forEach(
        (trait, kinds) -> {
          if (kinds.contains(kind)) {
            traits.add(trait);
          }
        });
    if (resource.path("namespaced").asBoolean()) {
      traits.add(Trait.NAMESPACED);
    }
    if (resource.path("scale").asBoolean()) {
      traits.add(Trait.SCALE);
    }
    if (schema.path("properties").has("status")) {
      traits.add(Trait.STATUS);
    }
    return new ResourceType(
        new GroupResource(parts.length > 2 ? parts[0] : "", resource.path("name").asText()),
        parts[parts.length - 2],
        new Names(
            kind,
            kind + "List",
            resource.path("singularName").asText(),
            texts(resource.path("shortNames")),
            texts(resource.path("categories"))),
        traits,
        null,
        ResourceType.ScalePaths.BUILT_IN,
        null);
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(text -> texts.add(text.asText()));
    return texts;
  }
}
