// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli.install;

import dev.windlass.cli.install.Installation.Identity;
import dev.windlass.leader.ShardOptions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The text of an installation's objects, in one of two forms: as templates of a Helm chart, or as
 * the plain YAML of {@code install.yaml}, in which every value is settled.
 *
 * <p>The resource files of this package are the templates, with these additions:
 *
 * <ul>
 *   <li>{@code @name@} is replaced with a value.
 *   <li>A line that consists of {@code @name@} only, where {@code name} is the name of a block, is
 *       replaced with the lines of the block, each with the indentation of the replaced line.
 *   <li>A line that starts with {@code @helm@} is only in the chart, as is a line with an
 *       expression of Helm. A line that starts with {@code @plain@} is only in {@code
 *       install.yaml}.
 *   <li>A line that starts with {@code @webhooks@} is omitted if the program has no webhooks, and
 *       one with {@code @metrics@} or {@code @shards@} if the default in {@code install.yaml} is
 *       not to serve metrics or to elect one leader.
 * </ul>
 */
final class ManifestSource {

  private static final Pattern NAME = Pattern.compile("@(\\w+)@");
  private static final Pattern LINE = Pattern.compile("( *)@(\\w+)@(.*)");

  /**
   * The number of seconds by which the Pod's grace period is longer than the manager's shutdown
   * time-out. In this time, the JVM can write its last log lines and exit.
   */
  private static final int GRACE_SECONDS = 15;

  /** The maximum length of a label value. */
  private static final int LONGEST_LABEL = 63;

  private static final Pattern VERSION =
      Pattern.compile("(\\d+)(?:\\.(\\d+))?(?:\\.(\\d+))?([-+][-+.0-9A-Za-z]+)?");

  private final boolean helm;
  private final Map<InstallationValue, String> chosen;
  private final Map<String, String> labels = new LinkedHashMap<>();
  private final Map<String, String> values = new LinkedHashMap<>();
  private final Map<String, List<String>> blocks;

  /** Whether lines with these marks are part of the text. */
  private final Map<String, Boolean> marks;

  private ManifestSource(
      Installation installation, boolean helm, Map<InstallationValue, String> chosen) {
    this.helm = helm;
    this.chosen = chosen;
    Installation.Defaults defaults = installation.defaults();
    boolean webhooks = installation.endpoints().webhookPort().isPresent();
    setLabels(installation.identity());
    setValues(installation, webhooks);
    List<String> arguments = new ArrayList<>();
    if (!helm && !defaults.watchNamespace().isEmpty()) {
      arguments.add("--namespace=" + defaults.watchNamespace());
    }
    if (!helm && defaults.shards() > 0) {
      arguments.add("--shards=" + defaults.shards());
    }
    arguments.addAll(installation.arguments());
    blocks =
        Map.of(
            "labels",
            labels.entrySet().stream()
                .map(label -> settled(label.getKey() + ": " + quoted(label.getValue())))
                .toList(),
            "shardLeases",
            helm ? List.of() : shardLeases(installation),
            "arguments",
            arguments.stream().map(argument -> "- " + literal(quoted(argument))).toList());
    marks =
        Map.of(
            "helm",
            helm,
            "plain",
            !helm,
            "webhooks",
            webhooks,
            "metrics",
            helm || defaults.metrics(),
            "shards",
            helm || installation.shards() > 1);
  }

  /** Returns the source of a chart's templates. */
  static ManifestSource ofChart(Installation installation) {
    Map<InstallationValue, String> expressions =
        Arrays.stream(InstallationValue.values())
            .collect(Collectors.toMap(value -> value, InstallationValue::expression));
    return new ManifestSource(installation, true, expressions);
  }

  /** Returns the source of the objects of a program that runs in the given namespace. */
  static ManifestSource plain(Installation installation, String namespace) {
    Identity identity = installation.identity();
    return new ManifestSource(
        installation,
        false,
        Map.of(
            InstallationValue.NAMESPACE, namespace,
            InstallationValue.WATCHED_NAMESPACE, installation.defaults().watchNamespace(),
            InstallationValue.RELEASE, identity.name(),
            InstallationValue.TAG, label(identity.image().tag()),
            InstallationValue.SERVICE_ACCOUNT, identity.name()));
  }

  private void setLabels(Identity identity) {
    labels.put("app", identity.name());
    labels.put("app.kubernetes.io/name", identity.name());
    labels.put("app.kubernetes.io/instance", InstallationValue.RELEASE.placeholder());
    labels.put("app.kubernetes.io/version", InstallationValue.TAG.placeholder());
    if (helm) {
      String chart = identity.name() + "-" + chartVersion(identity.version()).replace('+', '_');
      labels.put("helm.sh/chart", label(chart));
    }
  }

  private void setValues(Installation installation, boolean webhooks) {
    Identity identity = installation.identity();
    Installation.Endpoints endpoints = installation.endpoints();
    Installation.Defaults defaults = installation.defaults();
    long stop = installation.stopTimeout().toSeconds();
    values.put("namespace", settled(InstallationValue.NAMESPACE.placeholder()));
    values.put("serviceAccount", settled(InstallationValue.SERVICE_ACCOUNT.placeholder()));
    values.put("name", identity.name());
    values.put("description", quoted(identity.description()));
    values.put("version", identity.version());
    values.put("chartVersion", chartVersion(identity.version()));
    values.put("image", identity.image().toString());
    values.put("repository", identity.image().repository());
    values.put("tag", identity.image().tag());
    values.put("digest", identity.image().digest());
    values.put("watchNamespace", defaults.watchNamespace());
    values.put("logLevel", defaults.logLevel());
    values.put("logFormat", defaults.logFormat());
    values.put("metricsEnabled", String.valueOf(defaults.metrics()));
    values.put("metricsHost", defaults.metrics() ? "" : "127.0.0.1");
    Installation.Leases leases = installation.leases();
    values.put("lease", leases.name());
    values.put("leaseNamespace", settled(leases.namespace()));
    values.put(
        "shardsRole",
        settled(InstalledObjects.roleName(identity.name(), leases.namespace())) + "-shards");
    values.put("shards", String.valueOf(defaults.shards()));
    values.put("ownShards", String.valueOf(leases.ownShards()));
    values.put("defaultShards", String.valueOf(installation.shards()));
    values.put("replicas", installation.shards() > 1 ? "3" : "2");
    values.put("probePort", String.valueOf(endpoints.probePort()));
    values.put("metricsPort", String.valueOf(endpoints.metricsPort()));
    values.put("webhookPort", String.valueOf(endpoints.webhookPort().orElse(0)));
    // The API server may need a conversion webhook to respond to the list requests of the caches;
    // see health.md.
    values.put("readiness", webhooks ? "/readyz/webhooks" : "/readyz");
    values.put("stopTimeout", String.valueOf(stop));
    values.put("gracePeriod", String.valueOf(stop + GRACE_SECONDS));
  }

  /** Returns list entries with the names of the Leases by which replicas divide the shards. */
  private static List<String> shardLeases(Installation installation) {
    ShardOptions options =
        ShardOptions.of(installation.leases().name()).withShards(installation.shards());
    return IntStream.range(0, options.number())
        .boxed()
        .flatMap(index -> Stream.of(options.shard(index), options.member(index)))
        .map(lease -> "- " + lease.name())
        .toList();
  }

  /** Returns the labels of each object. */
  Map<String, String> labels() {
    return labels;
  }

  /** Returns the text of a resource file, such as {@code chart/values.yaml}. */
  String read(String file) {
    return resource(file).lines().flatMap(this::expand).collect(Collectors.joining("\n", "", "\n"));
  }

  /** Returns the text of an object that the program declares. */
  String text(HasMetadata object) {
    return settled(literal(Serialization.asYaml(object)));
  }

  /** Returns a resource file unchanged. */
  static String resource(String file) {
    try (InputStream in = ManifestSource.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("there is no resource " + file);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Stream<String> expand(String line) {
    Matcher marked = LINE.matcher(line);
    if (!helm && line.contains("{{")) {
      return Stream.empty();
    }
    if (!marked.matches()) {
      return Stream.of(filled(line));
    }
    String indent = marked.group(1);
    String name = marked.group(2);
    String rest = marked.group(3);
    if (marks.containsKey(name) && !rest.isEmpty()) {
      return Boolean.TRUE.equals(marks.get(name)) ? expand(indent + rest) : Stream.empty();
    }
    return blocks.containsKey(name) && rest.isEmpty()
        ? blocks.get(name).stream().map(text -> indent + text)
        : Stream.of(filled(line));
  }

  private String filled(String line) {
    return NAME.matcher(line)
        .replaceAll(
            match -> {
              String value = values.get(match.group(1));
              if (value == null) {
                throw new IllegalStateException("no value for " + match.group() + " in: " + line);
              }
              return Matcher.quoteReplacement(value);
            });
  }

  /** Replaces the placeholders of {@link InstallationValue}s. */
  private String settled(String text) {
    String result = text;
    for (Map.Entry<InstallationValue, String> value : chosen.entrySet()) {
      result = result.replace(value.getKey().placeholder(), value.getValue());
    }
    return result;
  }

  /** Protects braces in a text from Helm. */
  private String literal(String text) {
    return helm ? text.replace("{{", "{{ \"{{\" }}") : text;
  }

  private static String quoted(String text) {
    return Serialization.asJson(text);
  }

  private static String label(String text) {
    return text.substring(0, Math.min(text.length(), LONGEST_LABEL));
  }

  /**
   * Converts a version to the form that Helm requires, which has three numbers. Returns 0.1.0 if
   * the version cannot be converted.
   */
  private static String chartVersion(String version) {
    Matcher numbers = VERSION.matcher(version);
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
