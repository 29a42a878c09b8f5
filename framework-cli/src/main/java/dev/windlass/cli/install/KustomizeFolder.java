// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli.install;

import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Generates a kustomize folder. It contains the objects of a chart, rendered with the chart's
 * default values. The folder {@code operator} contains the objects that {@code helm uninstall}
 * would delete, and the folder {@code crds} contains the CRDs. For each optional part of the chart,
 * there is a component in the folder {@code components}.
 */
public final class KustomizeFolder {

  private static final String TEMPLATES = "templates/";
  private static final String KUSTOMIZATION = "kustomization.yaml";
  private static final String CRDS = "crds.yaml";

  /**
   * Matches a line with the label {@code helm.sh/chart}, whose value is the name and version of the
   * chart.
   */
  private static final String CHART_LABEL = "(?m)^ *helm\\.sh/chart: .*\\R";

  /**
   * A switch that enables an optional part of the chart.
   *
   * @param component the name of the component that represents the switch
   * @param on the paths of the boolean values that must be true
   * @param before those paths in {@code on} whose values are set by other components
   */
  private record Switch(String component, List<String> on, List<String> before) {

    /**
     * Creates a switch. Its component sets the last of the given values to true, and other
     * components set the values before it.
     */
    static Switch of(String component, String... values) {
      List<String> on = List.of(values);
      return new Switch(component, on, on.subList(0, on.size() - 1));
    }
  }

  private static final String METRICS = "metrics.enabled";
  private static final String AUTHENTICATION = "metrics.authentication";
  private static final String SERVICE_MONITOR = "metrics.serviceMonitor";

  private static final List<Switch> SWITCHES =
      List.of(
          Switch.of("metrics", METRICS),
          Switch.of("metrics-authentication", METRICS, AUTHENTICATION),
          Switch.of("pod-monitor", METRICS, "metrics.podMonitor"),
          Switch.of("service-monitor", METRICS, SERVICE_MONITOR),
          Switch.of("service-monitor-authenticated", METRICS, AUTHENTICATION, SERVICE_MONITOR),
          Switch.of("prometheus-rule", METRICS, "metrics.prometheusRule"),
          Switch.of("dashboard", "metrics.dashboard"),
          Switch.of("network-policy", "networkPolicy.enabled"));

  private final Map<String, String> chart;
  private final ObjectKey release;

  private KustomizeFolder(Map<String, String> chart, ObjectKey release) {
    this.chart = chart;
    this.release = release;
  }

  /**
   * Returns the content of each file, keyed by its path in the folder.
   *
   * @param chart the files of the chart
   * @param program the namespace and the name of the program
   */
  public static Map<String, String> files(Map<String, String> chart, ObjectKey program) {
    return new KustomizeFolder(chart, program).files();
  }

  private Map<String, String> files() {
    Map<String, String> objects = rendered(List.of());
    String crds = objects.remove(CRDS);
    Map<String, String> files = new LinkedHashMap<>();
    files.put("namespace.yaml", namespaceObject());
    List<String> parts = new ArrayList<>(List.of("namespace.yaml"));
    if (crds != null) {
      files.put("crds/" + CRDS, crds);
      files.put("crds/" + KUSTOMIZATION, list(List.of(CRDS)));
      parts.add("crds");
    }
    objects.forEach((file, text) -> files.put("operator/" + file, text));
    files.put("operator/" + KUSTOMIZATION, list(List.copyOf(objects.keySet())));
    parts.add("operator");
    files.put(KUSTOMIZATION, base(parts));
    SWITCHES.forEach(one -> files.putAll(component(one)));
    return files;
  }

  private String namespaceObject() {
    return """
    apiVersion: v1
    kind: Namespace
    metadata:
      name: "%s"
      labels:
        pod-security.kubernetes.io/enforce: restricted
    """
        .formatted(release.namespace());
  }

  private static String list(List<String> resources) {
    return "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n- "
        + String.join("\n- ", resources)
        + "\n";
  }

  private static String base(List<String> resources) {
    StringBuilder text =
        new StringBuilder(
            """
            # Change these objects by patches in an overlay, or uncomment components.
            # `kubectl delete -k operator` uninstalls the program. `kubectl delete -k .` would also
            # delete the namespace, and the CRDs with all objects of their types.
            """);
    text.append(list(resources)).append("# components:\n");
    SWITCHES.forEach(one -> text.append("# - components/" + one.component() + "\n"));
    return text.toString();
  }

  /**
   * Returns the files of a component. They contain the objects that the component adds, and patches
   * for the existing objects that it changes.
   */
  private Map<String, String> component(Switch one) {
    Map<String, String> before = rendered(one.before());
    Map<String, String> files = new LinkedHashMap<>();
    List<String> resources = new ArrayList<>();
    List<String> patches = new ArrayList<>();
    rendered(one.on())
        .forEach(
            (file, text) -> {
              if (!text.equals(before.get(file))) {
                boolean isNew = !before.containsKey(file);
                files.put("components/" + one.component() + "/" + file, text);
                (isNew ? resources : patches).add((isNew ? "- " : "- path: ") + file + "\n");
              }
            });
    String text =
        "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n"
            + (resources.isEmpty() ? "" : "resources:\n" + String.join("", resources))
            + (patches.isEmpty() ? "" : "patches:\n" + String.join("", patches));
    files.put("components/" + one.component() + "/" + KUSTOMIZATION, text);
    return files;
  }

  /**
   * Renders the chart's templates with the values at the given paths set to true. Omits templates
   * whose result is empty.
   */
  private Map<String, String> rendered(List<String> on) {
    Map<String, Object> values = values();
    on.forEach(path -> set(values, path));
    Map<String, String> rendered = new LinkedHashMap<>();
    chart.forEach(
        (file, template) -> {
          if (file.startsWith(TEMPLATES) && file.endsWith(".yaml")) {
            String text = ChartRenderer.render(template, values, release, chart).strip();
            if (!text.isEmpty()) {
              rendered.put(
                  file.substring(TEMPLATES.length()), (text + "\n").replaceAll(CHART_LABEL, ""));
            }
          }
        });
    return rendered;
  }

  @SuppressWarnings("unchecked") // the keys of a YAML file are strings
  private Map<String, Object> values() {
    return Serialization.unmarshal(chart.getOrDefault("values.yaml", "{}"), Map.class);
  }

  /** Sets the value at a path such as {@code metrics.enabled} to true. */
  @SuppressWarnings("unchecked") // the keys of a YAML file are strings
  private static void set(Map<String, Object> values, String path) {
    String[] names = path.split("\\.", -1);
    Map<String, Object> group = (Map<String, Object>) values.get(names[0]);
    if (group == null || !group.containsKey(names[1])) {
      throw new IllegalStateException("values.yaml has no value " + path);
    }
    group.put(names[1], true);
  }
}
