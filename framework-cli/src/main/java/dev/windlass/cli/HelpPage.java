// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import dev.windlass.manager.Setting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.event.Level;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * The list of options in {@code --help}. It groups the options by topic. It shows each option under
 * its main name, with its default and its aliases. This record is immutable.
 *
 * @param defaults the defaults of the options, keyed by their main names. The main name of an
 *     option is its first name
 * @param footer the lines that describe the environment variables
 */
record HelpPage(Map<String, String> defaults, List<String> footer) {

  private static final String OWN = "This operator";

  private static final int WIDTH = 100;

  private static final Map<String, List<String>> GROUPS = groups();

  /**
   * The description of the environment variables for logging, in lines. It is the same for every
   * program.
   */
  private static final List<String> OF_THE_LOG =
      List.of(
          "",
          "Environment variables for logging:",
          "  WINDLASS_LOG_LEVEL=DEBUG    does the same as --log-level=DEBUG",
          "  WINDLASS_LOG_TRACES=full    logs full stack traces",
          "  NO_COLOR=1                  disables colours; CLICOLOR_FORCE=1 always enables them");

  private static Map<String, List<String>> groups() {
    Map<String, List<String>> groups = new LinkedHashMap<>();
    groups.put("Cluster", List.of("--kubeconfig", "--master", "--namespace", "--install-crds"));
    groups.put(OWN, List.of());
    groups.put(
        "Concurrency and leader election",
        List.of("--workers", "--leader-elect", "--leader-election-namespace", "--shards"));
    groups.put("Endpoints", List.of("--metrics-bind-address", "--health-probe-bind-address"));
    groups.put(
        "Installation",
        List.of("--write-helm", "--write-manifests", "--write-image", "--write-namespace"));
    groups.put(
        "Output",
        List.of("--log-level", "--log-format", "--print-rbac", "--print-manifests", "-h", "-V"));
    return groups;
  }

  /** The settings for which there is an option, which takes precedence. */
  private static final Map<Setting, String> OPTIONS =
      Map.of(
          Setting.KUBECONFIG, "--kubeconfig",
          Setting.MASTER, "--master",
          Setting.NAMESPACE, "--namespace",
          Setting.LEADER_ELECTION, "--leader-elect",
          Setting.LEASE_NAMESPACE, "--leader-election-namespace",
          Setting.SHARDS, "--shards",
          Setting.METRICS_ADDRESS, "--metrics-bind-address",
          Setting.PROBE_ADDRESS, "--health-probe-bind-address");

  /**
   * Returns the footer, which describes the environment variables that the framework reads.
   * Command-line options take precedence over these variables.
   */
  private static List<String> footer(Program program) {
    List<String> lines = new ArrayList<>(OF_THE_LOG);
    lines.add("");
    lines.add("Environment variables that do the same as an option, which takes precedence:");
    OPTIONS.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            each -> {
              lines.add("  " + each.getKey().variable());
              lines.add("        as " + each.getValue());
            });
    lines.add("");
    lines.add("Environment variables for settings without an option:");
    for (Setting setting : Setting.values()) {
      if (!OPTIONS.containsKey(setting)) {
        String accepted = setting.accepted().replace("`", "");
        String standard =
            setting == Setting.LEASE_NAME ? program.lease() : setting.byDefault().replace("`", "");
        lines.add("  " + setting.variable());
        lines.add("        " + accepted + ". Default: " + standard + ".");
      }
    }
    return lines;
  }

  /** Creates the help page of an operator. */
  static HelpPage of(Program program) {
    return new HelpPage(
        Map.of(
            "--workers", String.valueOf(program.workers()),
            "--metrics-bind-address", program.metrics(),
            "--health-probe-bind-address", program.probes(),
            "--leader-elect", "false, Lease " + program.lease(),
            "--shards", "the program's own number, or 1",
            "--log-level", Level.INFO.toString(),
            "--log-format", LogFormat.TEXT.toString()),
        footer(program));
  }

  void addTo(CommandLine line) {
    line.setUsageHelpWidth(WIDTH);
    UsageMessageSpec usage = line.getCommandSpec().usageMessage();
    usage.customSynopsis(line.getCommandName() + " [OPTIONS]");
    usage.footer(footer.toArray(String[]::new));
    line.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, this::list);
  }

  private String list(Help help) {
    Map<String, List<OptionSpec>> grouped = new LinkedHashMap<>();
    GROUPS.keySet().forEach(title -> grouped.put(title, new ArrayList<>()));
    GROUPS.forEach(
        (title, names) ->
            names.forEach(
                name ->
                    help.commandSpec().options().stream()
                        .filter(option -> firstName(option).equals(name))
                        .forEach(option -> at(grouped, title).add(shown(option)))));
    List<String> known = GROUPS.values().stream().flatMap(List::stream).toList();
    help.commandSpec().options().stream()
        .filter(option -> !known.contains(firstName(option)))
        .forEach(option -> at(grouped, OWN).add(shown(option)));
    List<OptionSpec> all = grouped.values().stream().flatMap(List::stream).toList();
    return grouped.entrySet().stream()
        .filter(group -> !group.getValue().isEmpty())
        .map(group -> section(help, group.getKey(), group.getValue(), all))
        .collect(Collectors.joining());
  }

  private static List<OptionSpec> at(Map<String, List<OptionSpec>> grouped, String title) {
    return grouped.computeIfAbsent(title, key -> new ArrayList<>());
  }

  private static String section(
      Help help, String title, List<OptionSpec> options, List<OptionSpec> all) {
    Help.Layout layout = help.createDefaultLayout(all, List.of(), help.colorScheme());
    layout.addOptions(options, help.createDefaultParamLabelRenderer());
    return String.format("%n%s:%n", title) + layout;
  }

  private static String firstName(OptionSpec option) {
    return option.names()[0];
  }

  /** Returns a copy of an option, as it is shown on the help page. */
  private OptionSpec shown(OptionSpec option) {
    String name = firstName(option);
    boolean standard = name.length() == 2;
    List<String> others =
        standard ? List.of() : List.of(option.names()).subList(1, option.names().length);
    String standing =
        Stream.of(
                defaults.containsKey(name) ? "Default: " + defaults.get(name) + "." : "",
                others.isEmpty() ? "" : "Also " + String.join(", ", others) + ".")
            .filter(part -> !part.isEmpty())
            .collect(Collectors.joining(" "));
    List<String> lines = new ArrayList<>(List.of(option.description()));
    if (!standing.isEmpty()) {
      lines.add(standing);
    }
    OptionSpec.Builder copy =
        OptionSpec.builder(option)
            .names(standard ? option.names() : new String[] {name})
            .description(lines.toArray(String[]::new));
    if (option.type() == boolean.class) {
      copy.arity("0");
    }
    return copy.build();
  }
}
