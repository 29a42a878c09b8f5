// SPDX-License-Identifier: Apache-2.0
package dev.windlass.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The configuration of a context is the one that fabric8 creates. */
final class ContextConfigTest {

  private static final String KUBECONFIG =
      """
      apiVersion: v1
      kind: Config
      current-context: %s
      contexts:
      - name: other
        context: {cluster: none, user: none}
      - name: incomplete
      - name: c
        context:
          cluster: k
          user: u
          namespace: shop
          extensions:
          - name: context_info
            extension: {provider: minikube.sigs.k8s.io, version: v1.37.0}
      clusters:
      - name: k
        cluster: {server: 'https://example.com:6443'%s}
      users:
      - name: u
        user: {%s}
      """;

  @TempDir private Path folder = Path.of("unset");

  private void assertThatBothAgreeOn(String kubeconfig) throws Exception {
    Path file = Files.writeString(folder.resolve("kubeconfig"), kubeconfig);
    Config ours = KubeconfigFiles.read(List.of(file)).config();
    assertThat(ours)
        .usingRecursiveComparison()
        .ignoringCollectionOrderInFields("contexts") // fabric8 keeps them in a hash map
        .ignoringFieldsMatchingRegexes(".*additionalProperties") // names of files
        .isEqualTo(Config.fromKubeconfig(kubeconfig));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "''                                                       | token: t",
        "insecure-skip-tls-verify: true                           | username: me, password: p",
        "certificate-authority-data: LS0tLS1CRUdJTiBY                         | client-certificate-data: LS0tLS1CRUdJTiBY",
        "certificate-authority: /ca                               | client-certificate: /c",
        "tls-server-name: inner, disable-compression: true        | username: ''",
        "''  | auth-provider: {name: oidc, config: {id-token: i}}",
        "''  | auth-provider: {name: oidc, config: {id-token: i, access-token: a}}",
        "''  | auth-provider: {name: oidc}",
        "''  | 'token: t, auth-provider: {name: oidc, config: {id-token: i}}'",
      })
  void forEachFieldOfTheContext(String cluster, String user) throws Exception {
    assertThatBothAgreeOn(KUBECONFIG.formatted("c", cluster.isEmpty() ? "" : ", " + cluster, user));
  }

  /** The algorithm of a key is in the key. */
  @ParameterizedTest
  @CsvSource({"RSA PRIVATE KEY", "EC PRIVATE KEY", "PRIVATE KEY"})
  void forEachKindOfKey(String kind) throws Exception {
    Path key =
        Files.writeString(
            folder.resolve("key"),
            "-----BEGIN %s-----\nLS0tLS1CRUdJTiBY\n-----END %1$s-----\n".formatted(kind));
    assertThatBothAgreeOn(KUBECONFIG.formatted("c", "", "client-key: " + key));
  }

  @ParameterizedTest
  @CsvSource({"other", "incomplete", "absent", "''"})
  void ifTheContextLacksEntries(String current) throws Exception {
    assertThatBothAgreeOn(KUBECONFIG.formatted(current, "", "token: t"));
  }

  @Test
  void ifThereIsNothing() throws Exception {
    assertThatBothAgreeOn("kind: Config");
  }
}
