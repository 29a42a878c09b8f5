// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli.install;

import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Generates the Helm chart of a program. */
public final class HelmChart {

  /**
   * The templates that are generated from resource files for every program, with or without
   * webhooks.
   */
  private static final List<String> TEMPLATES =
      List.of(
          "serviceaccount.yaml",
          "deployment.yaml",
          "poddisruptionbudget.yaml",
          "networkpolicy.yaml",
          "lease.yaml",
          "metrics-service.yaml",
          "metrics-authentication.yaml",
          "podmonitor.yaml",
          "servicemonitor.yaml",
          "prometheusrule.yaml",
          "dashboard.yaml",
          "NOTES.txt");

  /**
   * The number of seconds by which the Pod's grace period is longer than the manager's shutdown
   * time-out. In this time, the JVM can write its last log lines and exit.
   */
  private static final int GRACE_SECONDS = 15;

  /** The maximum length of a label value. */
  private static final int LONGEST_LABEL = 63;

  private static final Pattern NUMBERS =
      Pattern.compile("(\\d+)(?:\\.(\\d+))?(?:\\.(\\d+))?([-+][-+.0-9A-Za-z]+)?");

  private HelmChart() {}

  /**
   * Returns the content of each chart file, keyed by its path in the chart's folder. A file that
   * the program does not need has empty content, so that a file from an earlier version is deleted.
   */
  public static Map<String, String> files(Installation installation) {
    String name = installation.identity().name();
    Map<String, String> labels = labels(installation.identity());
    Installation.Needs everywhere = installation.everywhere();
    Installation.Needs inOne = installation.inOneNamespace();
    ChartSource source = source(installation, labels);
    Map<String, String> files = new LinkedHashMap<>();
    for (String file : List.of("Chart.yaml", "values.yaml")) {
      files.put(file, source.read("chart/" + file));
    }
    files.put("values.schema.json", ChartSource.text("chart/values.schema.json"));
    for (String template : TEMPLATES) {
      files.put("templates/" + template, source.read("chart/templates/" + template));
    }
    if (installation.lease().isEmpty()) {
      files.put("templates/lease.yaml", "");
    }
    files.put(
        "templates/service.yaml",
        source.webhooks() ? source.read("chart/templates/service.yaml") : "");
    files.put(
        "templates/rbac.yaml",
        new RoleTemplates(name, labels).of(everywhere.permissions(), inOne.permissions()));
    ObjectTemplates objects =
        new ObjectTemplates(name, labels, everywhere.objects(), inOne.objects());
    files.put("templates/crds.yaml", objects.crds(installation.crds()));
    files.put("templates/objects.yaml", objects.others());
    files.put("files/windlass.json", ChartSource.text("windlass.json"));
    return files;
  }

  /**
   * Returns the labels that every object in the chart has. The label {@code app} selects the Pods.
   */
  private static Map<String, String> labels(Installation.Identity identity) {
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put("app", identity.name());
    labels.put("app.kubernetes.io/name", identity.name());
    labels.put("app.kubernetes.io/instance", InstallationValue.RELEASE.placeholder());
    labels.put("app.kubernetes.io/version", InstallationValue.TAG.placeholder());
    String chart = identity.name() + "-" + chartVersion(identity.version()).replace('+', '_');
    labels.put("helm.sh/chart", chart.substring(0, Math.min(chart.length(), LONGEST_LABEL)));
    return labels;
  }

  private static ChartSource source(Installation installation, Map<String, String> labels) {
    Installation.Identity identity = installation.identity();
    Installation.Endpoints endpoints = installation.endpoints();
    long stop = installation.stopTimeout().toSeconds();
    Map<String, String> values = new LinkedHashMap<>();
    values.put("name", identity.name());
    values.put("description", quoted(identity.description()));
    values.put("version", identity.version());
    values.put("chartVersion", chartVersion(identity.version()));
    values.put("repository", identity.image().repository());
    values.put("tag", identity.image().tag());
    values.put("digest", identity.image().digest());
    values.put("watchNamespace", installation.defaults().watchNamespace());
    values.put("logLevel", installation.defaults().logLevel());
    values.put("logFormat", installation.defaults().logFormat());
    values.put("metrics", String.valueOf(installation.defaults().metrics()));
    values.put("lease", installation.lease());
    values.put("probePort", String.valueOf(endpoints.probePort()));
    values.put("metricsPort", String.valueOf(endpoints.metricsPort()));
    boolean webhooks = endpoints.webhookPort().isPresent();
    values.put("webhookPort", String.valueOf(endpoints.webhookPort().orElse(0)));
    // The API server may need a conversion webhook to respond to the list requests of the caches;
    // see health.md.
    values.put("readiness", webhooks ? "/readyz/webhooks" : "/readyz");
    values.put("stopTimeout", String.valueOf(stop));
    values.put("gracePeriod", String.valueOf(stop + GRACE_SECONDS));
    Map<String, List<String>> blocks =
        Map.of(
            "labels",
            labels.entrySet().stream()
                .map(label -> label.getKey() + ": " + quoted(label.getValue()))
                .map(InstallationValue::template)
                .toList(),
            "arguments",
            installation.arguments().stream()
                .map(argument -> "- " + ChartSource.literal(quoted(argument)))
                .toList());
    return new ChartSource(values, blocks, webhooks);
  }

  private static String quoted(String text) {
    return Serialization.asJson(text);
  }

  /**
   * Converts a version to the form that Helm requires, which has three numbers. Returns 0.1.0 if
   * the version cannot be converted.
   */
  private static String chartVersion(String version) {
    Matcher numbers = NUMBERS.matcher(version);
    if (!numbers.matches()) {
      return "0.1.0";
    }
    List<String> parts = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      parts.add(numbers.group(i) == null ? "0" : numbers.group(i));
    }
    String rest = numbers.group(4) == null ? "" : numbers.group(4);
    return String.join(".", parts) + rest;
  }
}
