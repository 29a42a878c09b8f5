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
import org.jspecify.annotations.Nullable;

/**
 * The templates of the objects that the program itself declares.
 *
 * @param name the name of the program and of its webhooks' Service
 * @param labels each object's labels
 * @param everywhere the objects of a program that watches all namespaces
 * @param inOneNamespace the objects of a program that watches one namespace
 */
record ObjectTemplates(
    String name,
    Map<String, String> labels,
    List<HasMetadata> everywhere,
    List<HasMetadata> inOneNamespace) {

  /**
   * The annotation that makes {@code helm uninstall} keep a CRD. Deleting the CRD would delete all
   * objects of the type.
   */
  private static final Map<String, String> KEEP = Map.of("helm.sh/resource-policy", "keep");

  private static final String CRD = "CustomResourceDefinition";
  private static final String SERVICE = "Service";

  /**
   * Returns the template of the CRDs, including their conversions. The result is empty if there are
   * no CRDs.
   */
  String crds(List<CustomResourceDefinition> definitions) {
    if (definitions.isEmpty()) {
      return "";
    }
    Map<String, CustomResourceConversion> conversions = conversions();
    StringBuilder text = new StringBuilder("{{- if .Values.crds }}\n");
    for (CustomResourceDefinition definition : definitions) {
      CustomResourceDefinition crd = labelled(definition);
      crd.getMetadata().setAnnotations(joined(KEEP, crd.getMetadata().getAnnotations()));
      CustomResourceConversion conversion = conversions.get(crd.getMetadata().getName());
      if (conversion != null) {
        crd.getSpec().setConversion(conversion);
      }
      text.append(InstallationValue.template(crd));
    }
    return text.append("{{- end }}\n").toString();
  }

  /** Returns the conversions that the program declares, keyed by the names of the CRDs. */
  private Map<String, CustomResourceConversion> conversions() {
    return everywhere.stream()
        .filter(object -> object.getKind().equals(CRD))
        .map(ObjectTemplates::definition)
        .collect(
            Collectors.toMap(
                crd -> crd.getMetadata().getName(), crd -> crd.getSpec().getConversion()));
  }

  /**
   * Converts a CRD to an instance of {@link CustomResourceDefinition}. The given object can be an
   * instance of another class, such as a generic one.
   */
  private static CustomResourceDefinition definition(HasMetadata object) {
    return Serialization.unmarshal(Serialization.asJson(object), CustomResourceDefinition.class);
  }

  /**
   * Returns the template of all declared objects, except CRDs and the Service of the webhooks,
   * which have separate templates. The result is empty if there are no other objects.
   */
  String others() {
    List<String> ofAll = templates(everywhere);
    List<String> ofOne = templates(inOneNamespace);
    String common = text(ofAll.stream().filter(ofOne::contains).toList());
    if (ofAll.equals(ofOne)) {
      return common;
    }
    return common
        + "{{- if .Values.watchNamespace }}\n"
        + text(ofOne.stream().filter(one -> !ofAll.contains(one)).toList())
        + "{{- else }}\n"
        + text(ofAll.stream().filter(one -> !ofOne.contains(one)).toList())
        + "{{- end }}\n";
  }

  private static String text(List<String> templates) {
    return String.join("", templates);
  }

  private List<String> templates(List<HasMetadata> objects) {
    return objects.stream()
        .filter(object -> !object.getKind().equals(CRD))
        .filter(object -> !isServiceOfWebhooks(object))
        .map(object -> InstallationValue.template(labelled(object)))
        .toList();
  }

  private boolean isServiceOfWebhooks(HasMetadata object) {
    return object.getKind().equals(SERVICE) && object.getMetadata().getName().equals(name);
  }

  private <T extends HasMetadata> T labelled(T object) {
    T copy = Serialization.clone(object);
    copy.getMetadata().setLabels(joined(labels, copy.getMetadata().getLabels()));
    return copy;
  }

  private static Map<String, String> joined(
      Map<String, String> some, @Nullable Map<String, String> others) {
    Map<String, String> all = new LinkedHashMap<>(some);
    if (others != null) {
      all.putAll(others);
    }
    return all;
  }
}
