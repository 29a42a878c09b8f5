// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.cli.Operator;
import dev.windlass.cli.Program;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.manager.Manager;
import dev.windlass.manager.ManagerBuilder;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The code of {@code docs/guides/command-line.md}. */
final class CommandLineGuideTest {

  // sample: program
  @Command(description = "Keeps a ConfigMap for each Widget.")
  static final class WidgetOperator extends Operator {

    WidgetOperator() {
      super(Program.named("widget-operator").workers(4).probes(":8081"));
    }

    @Override
    protected void registerWith(Manager manager) {
      ControllerBuilder.forType(Widget.class)
          .owns(ConfigMap.class)
          .objectReconciler((widget, context) -> Result.done())
          .maxConcurrentReconciles(workers()) // --workers, or 4
          .register(manager);
    }

    public static void main(String[] args) {
      System.exit(new WidgetOperator().run(args));
    }
  }

  // end

  @Command(description = "Keeps a ConfigMap for each Widget.")
  static final class ColouredWidgetOperator extends Operator {

    ColouredWidgetOperator() {
      super(Program.named("widget-operator"));
    }

    // sample: option
    @Option(
        names = "--colour",
        paramLabel = "NAME",
        description = "Colour of a Widget whose spec has none. Default: blue.")
    private String colour = "blue";

    // end

    // sample: configure
    @Override
    protected void configure(ManagerBuilder builder) {
      builder.stopTimeout(Duration.ofSeconds(50)).metricsAuthentication(true);
    }

    // end

    @Override
    protected void registerWith(Manager manager) {
      ControllerBuilder.forType(Widget.class)
          .objectReconciler(
              (widget, context) -> {
                assertThat(colour).isNotBlank();
                return Result.done();
              })
          .register(manager);
    }
  }

  private static String printed(Operator operator, String... arguments) {
    StringWriter printed = new StringWriter();
    CommandLine line = operator.commandLine().setOut(new PrintWriter(printed, true));
    assertThat(line.execute(arguments)).isZero();
    return printed.toString();
  }

  // sample: test
  @Test
  void needsConfigMapsAndWidgets() {
    StringWriter printed = new StringWriter();
    CommandLine line = new WidgetOperator().commandLine().setOut(new PrintWriter(printed));
    assertThat(line.execute("--print-rbac")).isZero();
    assertThat(printed.toString()).contains("name: \"widget-operator\"", "\"configmaps\"");
  }

  // end

  @Test
  void helpListsTheOptionsOfTheProgram() {
    assertThat(printed(new ColouredWidgetOperator(), "--help"))
        .startsWith("Usage: widget-operator [OPTIONS]")
        .containsSubsequence("This operator:", "--colour=NAME", "Endpoints:");
    assertThat(printed(new WidgetOperator(), "--help"))
        .contains("Default: 4.", "Default: :8081.", "Lease widget-operator.");
  }

  @Test
  void versionNamesWindlass() {
    assertThat(printed(new WidgetOperator(), "--version")).contains(", with Windlass ");
  }

  @Test
  void printsPermissionsWithItsOwnConfiguration() {
    assertThat(printed(new ColouredWidgetOperator(), "--print-rbac", "--colour=red"))
        .contains("\"widgets\"");
  }
}
