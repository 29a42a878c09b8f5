// SPDX-License-Identifier: Apache-2.0
package dev.windlass.kubeconfig;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.AuthProviderConfig;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Creates fabric8's configuration from the current context of a kubeconfig. The result is the same
 * as that of {@code Config.fromKubeconfig}, apart from the fields that {@link KubeconfigFields}
 * completes. This class does not use fabric8's method, because that method loads all classes of
 * fabric8's model (docs/performance.md).
 */
final class ContextConfig {

  private ContextConfig() {}

  /**
   * Returns a context's configuration.
   *
   * @param cluster the cluster of the context, or null if no file contains it
   * @param user the user of the context, or null if no file contains it
   */
  static Config of(NamedContext current, @Nullable Cluster cluster, @Nullable AuthInfo user) {
    Config config = Config.empty();
    config.setCurrentContext(current);
    config.setNamespace(current.getContext().getNamespace());
    if (cluster != null) {
      setCluster(config, cluster);
    }
    if (user != null) {
      setUser(config, user);
    }
    return config;
  }

  private static void setCluster(Config config, Cluster cluster) {
    boolean insecure = Boolean.TRUE.equals(cluster.getInsecureSkipTlsVerify());
    config.setMasterUrl(cluster.getServer());
    config.setTrustCerts(insecure);
    config.setDisableHostnameVerification(insecure);
    config.setCaCertFile(cluster.getCertificateAuthority());
    config.setCaCertData(
        EmbeddedPem.checked("certificate-authority-data", cluster.getCertificateAuthorityData()));
    config.setTlsServerName(cluster.getTlsServerName());
  }

  private static void setUser(Config config, AuthInfo user) {
    config.setClientCertFile(user.getClientCertificate());
    config.setClientCertData(
        EmbeddedPem.checked("client-certificate-data", user.getClientCertificateData()));
    config.setClientKeyFile(user.getClientKey());
    config.setClientKeyData(EmbeddedPem.checked("client-key-data", user.getClientKeyData()));
    config.setClientKeyAlgo(
        Config.getKeyAlgorithm(config.getClientKeyFile(), config.getClientKeyData()));
    config.setUsername(user.getUsername());
    config.setPassword(user.getPassword());
    config.setAutoOAuthToken(user.getToken());
    AuthProviderConfig provider = user.getAuthProvider();
    if (!isSet(user.getToken()) && provider != null && provider.getConfig() != null) {
      config.setAuthProvider(provider);
      Map<String, String> values = provider.getConfig();
      String token = values.get("access-token");
      config.setAutoOAuthToken(isSet(token) ? token : values.get("id-token"));
    }
  }

  private static boolean isSet(@Nullable String text) {
    return text != null && !text.isEmpty();
  }
}
