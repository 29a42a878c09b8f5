// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.cli.Operator;
import dev.windlass.cli.Program;
import dev.windlass.cli.WebhookOptions;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.manager.Manager;
import dev.windlass.tests.owned.Widget;
import dev.windlass.webhook.admission.AdmissionRequest;
import dev.windlass.webhook.admission.FieldError;
import dev.windlass.webhook.admission.Verdict;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The code of {@code docs/guides/webhook-operator.md}. */
final class WebhookOperatorGuideTest {

  // sample: program
  @Command(description = "Keeps a ConfigMap for each Widget, and validates Widgets.")
  static final class WidgetOperator extends Operator {

    @Mixin private final WebhookOptions options = new WebhookOptions();

    WidgetOperator() {
      super(Program.named("widget-operator").probes(":8081"));
    }

    @Override
    protected void registerWith(Manager manager) {
      options
          .webhooks("widget-operator")
          .ifPresent(
              webhooks ->
                  webhooks.validate(Widget.class, WidgetOperator::validate).register(manager));
      ControllerBuilder.forType(Widget.class)
          .owns(ConfigMap.class)
          .objectReconciler((widget, context) -> Result.done())
          .maxConcurrentReconciles(workers())
          .register(manager);
    }

    private static Verdict validate(AdmissionRequest<Widget> request) {
      int size = request.object().getSpec().getSize();
      return size > 100
          ? Verdict.invalid(FieldError.invalid("spec.size", size, "must be at most 100"))
          : Verdict.allow();
    }

    public static void main(String[] args) {
      System.exit(new WidgetOperator().run(args));
    }
  }

  // end

  // sample: test
  @Test
  void registersItsWebhook() {
    StringWriter printed = new StringWriter();
    CommandLine line = new WidgetOperator().commandLine().setOut(new PrintWriter(printed));
    assertThat(line.execute("--print-manifests", "--webhook-service=w", "--webhook-namespace=n"))
        .isZero();
    assertThat(printed.toString())
        .contains(
            "kind: \"ValidatingWebhookConfiguration\"", "name: \"vwidget.owned.windlass.dev\"");
  }
  // end
}
