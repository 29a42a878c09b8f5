// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli.install;

import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes a kustomize folder, which contains the objects of a chart with its default values. The
 * switches of the chart are components, in the folder {@code components}.
 */
public final class KustomizeFolder {

  private static final String TEMPLATES = "templates/";

  /**
   * A switch of the chart.
   *
   * @param component the name of its component
   * @param on the paths of the values that are true
   * @param before the paths of the values that are true without the switch, because another
   *     component sets them
   */
  private record Switch(String component, List<String> on, List<String> before) {

    /** Creates a switch that sets the last of these values; other components set the rest. */
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
          Switch.of("prometheus-rule", "metrics.prometheusRule"),
          Switch.of("dashboard", "metrics.dashboard"),
          Switch.of("network-policy", "networkPolicy.enabled"));

  private final Map<String, String> chart;
  private final String namespace;

  private KustomizeFolder(Map<String, String> chart, String namespace) {
    this.chart = chart;
    this.namespace = namespace;
  }

  /**
   * Returns the content of each file, keyed by its path in the folder.
   *
   * @param chart the files of the chart
   * @param namespace the namespace of the program
   */
  public static Map<String, String> files(Map<String, String> chart, String namespace) {
    return new KustomizeFolder(chart, namespace).files();
  }

  private Map<String, String> files() {
    Map<String, String> files = new LinkedHashMap<>();
    files.put("namespace.yaml", namespaceObject());
    files.putAll(rendered(List.of()));
    files.put("kustomization.yaml", base(List.copyOf(files.keySet())));
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
        .formatted(namespace);
  }

  private static String base(List<String> resources) {
    StringBuilder text =
        new StringBuilder(
            """
            # Change these objects by patches in an overlay, or uncomment components.
            apiVersion: kustomize.config.k8s.io/v1beta1
            kind: Kustomization
            resources:
            """);
    resources.forEach(file -> text.append("- ").append(file).append('\n'));
    text.append("# components:\n");
    SWITCHES.forEach(one -> text.append("# - components/" + one.component() + "\n"));
    return text.toString();
  }

  /** Returns the files of a component: objects that are new, and patches of those that differ. */
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
    files.put("components/" + one.component() + "/kustomization.yaml", text);
    return files;
  }

  /** Returns the rendered templates that are not empty, with some values set to true. */
  private Map<String, String> rendered(List<String> on) {
    Map<String, Object> values = values();
    on.forEach(path -> set(values, path));
    Map<String, String> rendered = new LinkedHashMap<>();
    chart.forEach(
        (file, template) -> {
          if (file.startsWith(TEMPLATES) && file.endsWith(".yaml")) {
            String text = ChartRenderer.render(template, values, namespace, chart).strip();
            if (!text.isEmpty()) {
              rendered.put(file.substring(TEMPLATES.length()), text + "\n");
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
