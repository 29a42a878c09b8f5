// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.manager.Manager;
import dev.windlass.tests.owned.Widget;
import dev.windlass.webhook.Webhooks;
import dev.windlass.webhook.admission.Verdict;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The code of {@code docs/guides/certificates.md}. */
@Timeout(60)
final class CertificatesGuideTest {

  private static Manager manager() {
    Config nowhere = new ConfigBuilder(Config.empty()).withNamespace("operators").build();
    return Manager.builder().config(nowhere).build();
  }

  @Test
  void keepsItsCertificatesInTheSecretOfThatName() {
    try (Manager manager = manager()) {
      // sample: managed
      Webhooks.forService("widget-operator")
          .validate(Widget.class, request -> Verdict.allow())
          .certificateSecret("widget-operator-certificates")
          .certificateValidity(Duration.ofDays(365), Duration.ofDays(30))
          .register(manager);
      // end
      assertThat(manager.permissions().yaml("x"))
          .contains("resourceNames:\n  - \"widget-operator-certificates\"");
    }
  }

  @Test
  @SuppressWarnings("SystemOut") // the guide prints
  void printsWhatIsToBeApplied() {
    PrintStream terminal = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try (Manager manager = manager()) {
      // sample: manifests
      Webhooks webhooks =
          Webhooks.forService("widget-operator")
              .inNamespace("operators")
              .podLabels(Map.of("app", "widget-operator"))
              .validate(Widget.class, request -> Verdict.allow())
              .register(manager);
      for (HasMetadata manifest : webhooks.manifests()) {
        System.out.print(Serialization.asYaml(manifest));
      }
      System.out.print(manager.permissions().yaml("widget-operator"));
      // end
    } finally {
      System.setOut(terminal);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8))
        .contains(
            List.of(
                "kind: \"Service\"",
                "kind: \"ValidatingWebhookConfiguration\"",
                "name: \"operators-widget-operator\"",
                "kind: \"Role\"",
                "kind: \"ClusterRole\""));
  }

  @Test
  void readsTheCertificatesOfADirectory() {
    try (Manager manager = manager()) {
      // sample: mounted
      Webhooks.forService("widget-operator")
          .validate(Widget.class, request -> Verdict.allow())
          .certificatesIn(Path.of("/etc/webhook-certificates"))
          .injectAuthority()
          .register(manager);
      // end
      assertThat(manager.permissions().yaml("x"))
          .contains("validatingwebhookconfigurations")
          .doesNotContain("secrets");
    }
  }
}
