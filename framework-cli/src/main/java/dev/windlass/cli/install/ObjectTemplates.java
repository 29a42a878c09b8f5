// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli.install;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceConversion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The templates of the objects that the program itself declares.
 *
 * @param name the name of the program and of the Service of its webhooks
 * @param objects the objects that the program adds to its manifests
 */
record ObjectTemplates(String name, List<HasMetadata> objects) {

  /**
   * The annotation with which Helm keeps a CRD at {@code helm uninstall}. Its deletion would delete
   * all objects of the type.
   */
  private static final Map<String, String> KEEP = Map.of("helm.sh/resource-policy", "keep");

  private static final String CRD = "CustomResourceDefinition";
  private static final String SERVICE = "Service";

  /** Returns the template of the CRDs, with their conversions; empty if there are none. */
  String crds(List<CustomResourceDefinition> definitions) {
    if (definitions.isEmpty()) {
      return "";
    }
    Map<String, CustomResourceConversion> conversions = conversions();
    StringBuilder text = new StringBuilder("{{- if .Values.crds }}\n");
    for (CustomResourceDefinition definition : definitions) {
      CustomResourceDefinition crd = Serialization.clone(definition);
      Map<String, String> annotations = new LinkedHashMap<>(KEEP);
      if (crd.getMetadata().getAnnotations() != null) {
        annotations.putAll(crd.getMetadata().getAnnotations());
      }
      crd.getMetadata().setAnnotations(annotations);
      CustomResourceConversion conversion = conversions.get(crd.getMetadata().getName());
      if (conversion != null) {
        crd.getSpec().setConversion(conversion);
      }
      text.append(InstallationNamespace.template(crd));
    }
    return text.append("{{- end }}\n").toString();
  }

  /** Returns the conversions that the program declares, keyed by the name of the CRD. */
  private Map<String, CustomResourceConversion> conversions() {
    return objects.stream()
        .filter(object -> object.getKind().equals(CRD))
        .map(ObjectTemplates::definition)
        .collect(
            Collectors.toMap(
                crd -> crd.getMetadata().getName(), crd -> crd.getSpec().getConversion()));
  }

  /** Returns a CRD that may be an object without a class of its own. */
  private static CustomResourceDefinition definition(HasMetadata object) {
    return Serialization.unmarshal(Serialization.asJson(object), CustomResourceDefinition.class);
  }

  /** Returns the template of the other objects, except those that the chart has anyway. */
  String others() {
    return objects.stream()
        .filter(object -> !object.getKind().equals(CRD))
        .filter(object -> !isServiceOfWebhooks(object))
        .map(InstallationNamespace::template)
        .collect(Collectors.joining());
  }

  private boolean isServiceOfWebhooks(HasMetadata object) {
    return object.getKind().equals(SERVICE) && object.getMetadata().getName().equals(name);
  }
}
