package ${package};

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** The custom resource. The build generates its CRD from this class. */
@Group("${group}")
@Version("v1")
@AdditionalPrinterColumn(
    name = "Ready",
    jsonPath = ".status.conditions[?(@.type=='Ready')].status")
@AdditionalPrinterColumn(
    name = "Age",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
public final class ${kind} extends CustomResource<${kind}Spec, ${kind}Status> implements Namespaced {

  private static final long serialVersionUID = 1L;

  /** Returns the desired state. The API server rejects a ${kind} without it. */
  @Required
  @Override
  public ${kind}Spec getSpec() {
    return super.getSpec();
  }

  @Override
  protected ${kind}Spec initSpec() {
    return new ${kind}Spec();
  }

  @Override
  protected ${kind}Status initStatus() {
    return new ${kind}Status();
  }
}
