// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A server without the optional dependencies, dev.cel and JUnit. */
final class OptionalDependenciesTest {

  @Test
  void namesTheDependencyWithItsVersion() {
    assertThat(CelDependency.MISSING).containsPattern("add dev\\.cel:cel:[0-9]+(\\.[0-9]+)+ to ");
  }

  @Test
  void rejectsExpressionsOnly() throws Exception {
    List<URL> others = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (!entry.contains(Path.of("dev", "cel").toString()) && !entry.contains("junit")) {
        others.add(Path.of(entry).toUri().toURL());
      }
    }
    URL[] classPath = others.toArray(URL[]::new);
    try (var loader = new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader())) {
      Supplier<?> answers =
          (Supplier<?>)
              Class.forName(Creations.class.getName(), true, loader)
                  .getDeclaredConstructor()
                  .newInstance();

      assertThat(((List<?>) answers.get()).stream().map(String::valueOf))
          .satisfiesExactly(
              answer -> assertThat(answer).isEqualTo("created"),
              answer -> assertThat(answer).contains(CelDependency.MISSING),
              answer -> assertThat(answer).isEqualTo("created"),
              answer -> assertThat(answer).contains(CelDependency.MISSING),
              answer -> assertThat(answer).isEqualTo("created"));
    }
  }

  /**
   * Creates a CRD and a webhook configuration, each without an expression and with one, and an
   * object that the webhook would be asked about, on a server of its own. It runs in a class loader
   * without dev.cel and JUnit.
   */
  public static final class Creations implements Supplier<List<String>> {
    private static final String CRD =
        """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: %1$ss.example.com}
        spec:
          group: example.com
          scope: Namespaced
          names: {plural: %1$ss, kind: %1$s}
          versions:
          - name: v1
            served: true
            storage: true
            schema: {openAPIV3Schema: {type: object%2$s}}
        """;
    private static final String WEBHOOK =
        """
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingWebhookConfiguration
        metadata: {name: %1$s}
        webhooks:
        - name: %1$s.example.com
          clientConfig: {url: "https://127.0.0.1:1/"}
          failurePolicy: Ignore
          timeoutSeconds: 1
          rules: [{apiGroups: [""], apiVersions: [v1], operations: ["*"], resources: [configmaps]}]
          admissionReviewVersions: [v1]
          sideEffects: None
          %2$s
        """;

    @Override
    public List<String> get() {
      Thread thread = Thread.currentThread();
      ClassLoader before = thread.getContextClassLoader();
      thread.setContextClassLoader(
          getClass().getClassLoader()); // fabric8 finds its transport by it
      try (EmbeddedApiServer server = EmbeddedApiServer.start();
          KubernetesClient client = server.newClient()) {
        return List.of(
            created(client, CRD.formatted("plain", "")),
            created(
                client,
                CRD.formatted("ruled", ", x-kubernetes-validations: [{rule: 'has(self.spec)'}]")),
            created(client, WEBHOOK.formatted("plain", "")),
            created(
                client,
                WEBHOOK.formatted("ruled", "matchConditions: [{name: a, expression: 'true'}]")),
            created(
                client,
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default}"));
      } finally {
        thread.setContextClassLoader(before);
      }
    }

    private static String created(KubernetesClient client, String yaml) {
      try {
        client.resource(yaml).create();
        return "created";
      } catch (KubernetesClientException e) {
        return String.valueOf(e.getMessage());
      }
    }
  }
}
