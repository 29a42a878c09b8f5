// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.types;

import static dev.windlass.testing.apiserver.embedded.types.ResourceType.Trait.CREATED_BY_UPDATE;
import static dev.windlass.testing.apiserver.embedded.types.ResourceType.Trait.GENERATION;
import static dev.windlass.testing.apiserver.embedded.types.ResourceType.Trait.ORPHANS_BY_DEFAULT;
import static dev.windlass.testing.apiserver.embedded.types.ResourceType.Trait.RETURNED_BY_DELETE;
import static dev.windlass.testing.apiserver.embedded.types.ResourceType.Trait.SCALE;
import static dev.windlass.testing.apiserver.embedded.types.ResourceType.Trait.VERSIONED_UPDATE;

import dev.windlass.testing.apiserver.embedded.objects.GroupResource;
import dev.windlass.testing.apiserver.embedded.types.ResourceType.Names;
import dev.windlass.testing.apiserver.embedded.types.ResourceType.Trait;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Endpoints;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplate;
import io.fabric8.kubernetes.api.model.ReplicationController;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicy;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBinding;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.certificates.v1.CertificateSigningRequest;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.flowcontrol.v1.FlowSchema;
import io.fabric8.kubernetes.api.model.flowcontrol.v1.PriorityLevelConfiguration;
import io.fabric8.kubernetes.api.model.networking.v1.IPAddress;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.IngressClass;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.ServiceCIDR;
import io.fabric8.kubernetes.api.model.node.v1.RuntimeClass;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.api.model.storage.CSIDriver;
import io.fabric8.kubernetes.api.model.storage.CSINode;
import io.fabric8.kubernetes.api.model.storage.CSIStorageCapacity;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.api.model.storage.VolumeAttachment;
import io.fabric8.kubernetes.api.model.storage.VolumeAttributesClass;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The resources that the server provides without a CustomResourceDefinition. These are all
 * resources of Kubernetes 1.34 whose objects users manage. The group, the version, the names, the
 * scope and the status subresource are derived from fabric8's classes. All other properties were
 * verified against a real server.
 */
public final class BuiltInTypes {
  public static final GroupResource NAMESPACES = new GroupResource("", "namespaces");
  public static final GroupResource DEPLOYMENTS = new GroupResource("apps", "deployments");
  public static final GroupResource CRDS =
      new GroupResource("apiextensions.k8s.io", "customresourcedefinitions");

  /** The types that {@code kubectl get all} lists. */
  private static final Set<Class<?>> ALL =
      Set.of(
          Pod.class,
          ReplicationController.class,
          Service.class,
          DaemonSet.class,
          Deployment.class,
          ReplicaSet.class,
          StatefulSet.class,
          HorizontalPodAutoscaler.class,
          Job.class,
          CronJob.class);

  private static final Set<Class<?>> API_EXTENSIONS =
      Set.of(
          CustomResourceDefinition.class,
          MutatingWebhookConfiguration.class,
          ValidatingWebhookConfiguration.class,
          ValidatingAdmissionPolicy.class,
          ValidatingAdmissionPolicyBinding.class);

  /**
   * The built-in types. All servers in the process share them, because fabric8 derives their names
   * with regular expressions, which takes time.
   */
  private static final List<ResourceType> TYPES =
      Stream.of(core(), workloads(), network(), policies(), cluster(), devices())
          .flatMap(List::stream)
          .toList();

  private BuiltInTypes() {}

  static List<ResourceType> all() {
    return TYPES;
  }

  private static List<ResourceType> core() {
    return List.of(
        type(ConfigMap.class, "cm"),
        type(Endpoints.class, Set.of(CREATED_BY_UPDATE), "ep"),
        type(io.fabric8.kubernetes.api.model.Event.class, "ev"),
        type(io.fabric8.kubernetes.api.model.events.v1.Event.class, "ev"),
        type(LimitRange.class, Set.of(CREATED_BY_UPDATE), "limits"),
        type(Namespace.class, "ns"),
        type(Node.class, "no"),
        type(PersistentVolume.class, Set.of(RETURNED_BY_DELETE), "pv"),
        type(PersistentVolumeClaim.class, Set.of(RETURNED_BY_DELETE), "pvc"),
        type(Pod.class, Set.of(GENERATION, RETURNED_BY_DELETE), "po"),
        type(PodTemplate.class, Set.of(GENERATION, RETURNED_BY_DELETE)),
        type(ReplicationController.class, Set.of(GENERATION, SCALE, ORPHANS_BY_DEFAULT), "rc"),
        type(ResourceQuota.class, Set.of(RETURNED_BY_DELETE), "quota"),
        type(Secret.class),
        type(Service.class, Set.of(CREATED_BY_UPDATE, RETURNED_BY_DELETE), "svc"),
        type(ServiceAccount.class, Set.of(RETURNED_BY_DELETE), "sa"));
  }

  private static List<ResourceType> workloads() {
    return List.of(
        type(ControllerRevision.class),
        type(DaemonSet.class, Set.of(GENERATION), "ds"),
        type(Deployment.class, Set.of(GENERATION, SCALE), "deploy"),
        type(ReplicaSet.class, Set.of(GENERATION, SCALE), "rs"),
        type(StatefulSet.class, Set.of(GENERATION, SCALE), "sts"),
        type(HorizontalPodAutoscaler.class, "hpa"),
        type(Job.class, Set.of(GENERATION, ORPHANS_BY_DEFAULT)),
        type(CronJob.class, Set.of(GENERATION), "cj"),
        type(Lease.class, Set.of(VERSIONED_UPDATE, CREATED_BY_UPDATE)));
  }

  private static List<ResourceType> network() {
    return List.of(
        type(EndpointSlice.class, Set.of(GENERATION)),
        type(Ingress.class, Set.of(GENERATION), "ing"),
        type(IngressClass.class, Set.of(GENERATION)),
        type(IPAddress.class, "ip"),
        type(NetworkPolicy.class, Set.of(GENERATION), "netpol"),
        type(ServiceCIDR.class));
  }

  private static List<ResourceType> policies() {
    Set<Trait> strict = Set.of(GENERATION, VERSIONED_UPDATE);
    return List.of(
        type(PodDisruptionBudget.class, strict, "pdb"),
        type(ClusterRole.class, Set.of(CREATED_BY_UPDATE)),
        type(ClusterRoleBinding.class, Set.of(CREATED_BY_UPDATE)),
        type(Role.class, Set.of(CREATED_BY_UPDATE)),
        type(RoleBinding.class, Set.of(CREATED_BY_UPDATE)),
        type(MutatingWebhookConfiguration.class, strict),
        type(ValidatingWebhookConfiguration.class, strict),
        type(ValidatingAdmissionPolicy.class, strict),
        type(ValidatingAdmissionPolicyBinding.class, strict),
        type(CertificateSigningRequest.class, "csr"),
        type(FlowSchema.class, Set.of(GENERATION)),
        type(PriorityLevelConfiguration.class, Set.of(GENERATION)),
        type(PriorityClass.class, Set.of(GENERATION), "pc"));
  }

  private static List<ResourceType> cluster() {
    Set<Trait> versioned = Set.of(VERSIONED_UPDATE);
    return List.of(
        type(CustomResourceDefinition.class, Set.of(GENERATION, VERSIONED_UPDATE), "crd", "crds"),
        type(RuntimeClass.class, versioned),
        type(CSIDriver.class, versioned),
        type(CSINode.class, versioned),
        type(CSIStorageCapacity.class, versioned),
        type(StorageClass.class, "sc"),
        type(VolumeAttachment.class, versioned),
        type(VolumeAttributesClass.class, "vac"));
  }

  private static List<ResourceType> devices() {
    return List.of(
        type(DeviceClass.class, Set.of(GENERATION)),
        type(ResourceClaim.class),
        type(ResourceClaimTemplate.class),
        type(ResourceSlice.class, Set.of(GENERATION)));
  }

  private static ResourceType type(Class<? extends HasMetadata> model, String... shortNames) {
    return type(model, Set.of(), shortNames);
  }

  private static ResourceType type(
      Class<? extends HasMetadata> model, Set<Trait> more, String... shortNames) {
    Set<Trait> traits = EnumSet.noneOf(Trait.class);
    traits.addAll(more);
    if (Namespaced.class.isAssignableFrom(model)) {
      traits.add(Trait.NAMESPACED);
    }
    String kind = HasMetadata.getKind(model);
    if (BuiltInSchemas.hasStatus(HasMetadata.getApiVersion(model), kind)) {
      traits.add(Trait.STATUS);
    }
    return new ResourceType(
        new GroupResource(HasMetadata.getGroup(model), HasMetadata.getPlural(model)),
        HasMetadata.getVersion(model),
        new Names(
            kind,
            kind + "List",
            HasMetadata.getSingular(model),
            List.of(shortNames),
            categories(model)),
        traits,
        null,
        ResourceType.ScalePaths.BUILT_IN,
        null);
  }

  private static List<String> categories(Class<? extends HasMetadata> model) {
    return ALL.contains(model)
        ? List.of("all")
        : API_EXTENSIONS.contains(model) ? List.of("api-extensions") : List.of();
  }
}
