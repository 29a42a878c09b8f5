// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli.install;

import dev.windlass.cli.install.Installation.Needs;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Generates the Helm chart of a program. */
public final class HelmChart {

  /**
   * The templates that are generated from resource files for every program, with or without
   * webhooks.
   */
  private static final List<String> TEMPLATES =
      List.of(
          "serviceaccount.yaml",
          "shards.yaml",
          "deployment.yaml",
          "poddisruptionbudget.yaml",
          "networkpolicy.yaml",
          "metrics-service.yaml",
          "metrics-authentication.yaml",
          "podmonitor.yaml",
          "servicemonitor.yaml",
          "prometheusrule.yaml",
          "dashboard.yaml",
          "NOTES.txt");

  private final Installation installation;
  private final ManifestSource source;

  private HelmChart(Installation installation) {
    this.installation = installation;
    source = ManifestSource.ofChart(installation);
  }

  /**
   * Returns the content of each chart file, keyed by its path in the chart's folder. A file that
   * the program does not need has empty content, so that a file from an earlier version is deleted.
   */
  public static Map<String, String> files(Installation installation) {
    return new HelmChart(installation).files();
  }

  private Map<String, String> files() {
    InstalledObjects objects =
        new InstalledObjects(installation.identity().name(), source.labels());
    Map<String, String> files = new LinkedHashMap<>();
    for (String file : List.of("Chart.yaml", "values.yaml")) {
      files.put(file, source.read("chart/" + file));
    }
    files.put("values.schema.json", ManifestSource.resource("chart/values.schema.json"));
    TEMPLATES.forEach(file -> files.put("templates/" + file, template(file, true)));
    boolean webhooks = installation.endpoints().webhookPort().isPresent();
    files.put("templates/service.yaml", template("service.yaml", webhooks));
    files.put("templates/lease.yaml", template("lease.yaml", installation.leases().isAtHome()));
    files.put("templates/rbac.yaml", byNamespace(needs -> objects.roles(needs.permissions())));
    files.put("templates/objects.yaml", byNamespace(needs -> objects.others(needs.objects())));
    files.put("templates/crds.yaml", crds(objects.crds(installation)));
    files.put("files/windlass.json", ManifestSource.resource("windlass.json"));
    return files;
  }

  private String template(String file, boolean wanted) {
    return wanted ? source.read("chart/templates/" + file) : "";
  }

  /** Returns the template of the CRDs. {@code helm uninstall} keeps them. */
  private String crds(List<CustomResourceDefinition> crds) {
    for (CustomResourceDefinition crd : crds) {
      Map<String, String> annotations = new TreeMap<>(Map.of("helm.sh/resource-policy", "keep"));
      if (crd.getMetadata().getAnnotations() != null) {
        annotations.putAll(crd.getMetadata().getAnnotations());
      }
      crd.getMetadata().setAnnotations(annotations);
    }
    return crds.isEmpty()
        ? ""
        : crds.stream()
            .map(source::text)
            .collect(Collectors.joining("", "{{- if .Values.crds }}\n", "{{- end }}\n"));
  }

  /**
   * Returns the template of objects that depend on the namespaces that the program watches. The
   * result is empty if there are no such objects.
   */
  private String byNamespace(Function<Needs, List<HasMetadata>> objects) {
    List<String> ofAll =
        objects.apply(installation.everywhere()).stream().map(source::text).toList();
    List<String> ofOne =
        objects.apply(installation.inOneNamespace()).stream().map(source::text).toList();
    String common = joined(ofAll, ofOne::contains);
    return ofAll.equals(ofOne)
        ? common
        : common
            + "{{- if .Values.watchNamespace }}\n"
            + joined(ofOne, one -> !ofAll.contains(one))
            + "{{- else }}\n"
            + joined(ofAll, one -> !ofOne.contains(one))
            + "{{- end }}\n";
  }

  private static String joined(List<String> texts, Predicate<String> which) {
    return texts.stream().filter(which).collect(Collectors.joining());
  }
}
