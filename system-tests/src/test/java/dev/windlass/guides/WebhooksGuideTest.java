// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.windlass.health.HealthCheck;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.junit.EmbeddedKubernetes;
import dev.windlass.tests.owned.Widget;
import dev.windlass.webhook.WebhookBuilder;
import dev.windlass.webhook.Webhooks;
import dev.windlass.webhook.admission.AdmissionRequest;
import dev.windlass.webhook.admission.AdmissionRule;
import dev.windlass.webhook.admission.FieldError;
import dev.windlass.webhook.admission.Operation;
import dev.windlass.webhook.admission.UserInfo;
import dev.windlass.webhook.admission.Verdict;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The code of {@code docs/guides/webhooks.md}. */
@Timeout(60)
@EmbeddedKubernetes
final class WebhooksGuideTest {

  private TestApiServer server;
  private KubernetesClient kubectl;
  private Manager manager;

  // sample: methods
  private static void setDefaults(AdmissionRequest<Widget> request) {
    Widget.Spec spec = request.object().getSpec();
    if (spec.getSize() == 0) {
      spec.setSize(1);
    }
  }

  private static Verdict validate(AdmissionRequest<Widget> request) {
    int size = request.object().getSpec().getSize();
    return size > 100
        ? Verdict.invalid(FieldError.invalid("spec.size", size, "must be at most 100"))
        : Verdict.allow();
  }

  // end

  static void register(Manager manager) {
    // sample: declare
    Webhooks.forService("widget-operator")
        .defaults(Widget.class, WebhooksGuideTest::setDefaults)
        .validate(Widget.class, WebhooksGuideTest::validate)
        .register(manager);
    // end
  }

  // sample: share
  /** Declares the webhooks for {@code main} and for tests, which use different addresses. */
  static WebhookBuilder declare(WebhookBuilder webhooks) {
    return webhooks
        .defaults(Widget.class, WebhooksGuideTest::setDefaults)
        .validate(Widget.class, WebhooksGuideTest::validate);
  }

  // end

  // sample: immutable
  private static Verdict keepParts(AdmissionRequest<Widget> request) {
    List<String> parts = request.object().getSpec().getParts();
    boolean changed =
        request.oldObject().filter(old -> !old.getSpec().getParts().equals(parts)).isPresent();
    return changed
        ? Verdict.invalid(FieldError.forbidden("spec.parts", "must not be changed"))
        : Verdict.allow();
  }

  // end

  static void registerWithRule(Manager manager) {
    // sample: rule
    AdmissionRule<Widget> rule =
        AdmissionRule.of(Widget.class)
            .on(Operation.UPDATE, Operation.DELETE)
            .onlyIf("not-by-admins", "!('system:masters' in request.userInfo.groups)")
            .timeout(Duration.ofSeconds(2));
    Webhooks.forService("widget-operator")
        .validate(rule, request -> protects(request.object()) ? deny(request) : Verdict.allow())
        .register(manager);
    // end
  }

  private static boolean protects(Widget widget) {
    return widget.getMetadata().getLabels().containsKey("protected");
  }

  private static Verdict deny(AdmissionRequest<Widget> request) {
    return Verdict.deny(request.name() + " is protected; only an administrator can change it");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private Widget widget(String name, int size) {
    Widget widget = Widget.of("default", name);
    widget.getSpec().setSize(size);
    return widget;
  }

  @Test
  void theWebhooksSetAndValidateTheSize() throws IOException {
    server.install(Widget.definition());
    int port = freePort();
    // sample: outside
    Webhooks webhooks =
        Webhooks.forAddress("widget-operator", URI.create("https://127.0.0.1:" + port))
            .bindAddress("127.0.0.1:" + port)
            .inNamespace("default") // of the Secret
            .defaults(Widget.class, WebhooksGuideTest::setDefaults)
            .validate(Widget.class, WebhooksGuideTest::validate)
            .drainTime(Duration.ZERO)
            .register(manager);
    // end
    webhooks.manifests().forEach(manifest -> kubectl.resource(manifest).serverSideApply());
    manager.start();

    await()
        .ignoreExceptions()
        .until(
            () -> kubectl.resource(widget("probe", 0)).dryRun().create().getSpec().getSize() == 1);
    assertThatThrownBy(() -> kubectl.resource(widget("large", 101)).create())
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining(
            "denied the request: Widget.owned.windlass.dev \"large\" is invalid: spec.size: Invalid"
                + " value: 101: must be at most 100");
    assertThat(kubectl.resource(widget("right", 7)).create().getSpec().getSize()).isEqualTo(7);
  }

  @Test
  void aTestSharesTheDeclarationAndWaitsForTheReadinessCheck() throws IOException {
    server.install(Widget.definition());
    int port = freePort();
    // sample: test
    Webhooks webhooks =
        declare(Webhooks.forAddress("widget-operator", URI.create("https://127.0.0.1:" + port)))
            .bindAddress("127.0.0.1:" + port)
            .inNamespace("default")
            .drainTime(Duration.ZERO)
            .register(manager);
    webhooks.manifests().forEach(manifest -> kubectl.resource(manifest).serverSideApply());
    manager.start();
    await()
        .until(() -> manager.endpoints().check(HealthCheck.Kind.READY).get("webhooks").isEmpty());
    // end
    await()
        .ignoreExceptions()
        .until(
            () -> kubectl.resource(widget("probe", 0)).dryRun().create().getSpec().getSize() == 1);
  }

  @Test
  void thePartsCanBeSetOnlyAtTheCreation() {
    Widget old = widget("a", 1);
    Widget changed = widget("a", 1);
    changed.getSpec().setParts(List.of("wheel"));
    assertThat(keepParts(request(changed, Optional.empty())).allowed()).isTrue();
    assertThat(keepParts(request(old, Optional.of(old))).allowed()).isTrue();
    assertThat(keepParts(request(changed, Optional.of(old))).allowed()).isFalse();
  }

  private static AdmissionRequest<Widget> request(Widget object, Optional<Widget> old) {
    return new AdmissionRequest<>(
        "1",
        old.isPresent() ? Operation.UPDATE : Operation.CREATE,
        "widgets",
        "",
        "default",
        "a",
        object,
        old,
        new UserInfo("admin", "", List.of(), Map.of()),
        false);
  }
}
