// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;

class UserAccessTest {

  private final CertificateAuthority authority = CertificateAuthority.create(Clock.systemUTC());
  private final UserAccess access =
      new UserAccess(
          "https://127.0.0.1:20443",
          authority.self().certificate(),
          authority.client("jane", List.of()));

  @Test
  void saysTheSameAsConfigAndAsKubeconfig() {
    Config direct = access.config();
    Config read = Config.fromKubeconfig(access.kubeconfig());

    assertThat(read.getMasterUrl()).isEqualTo(direct.getMasterUrl());
    assertThat(read.getClientKeyAlgo()).isEqualTo(direct.getClientKeyAlgo()).isEqualTo("EC");
    assertThat(read.getClientKeyData()).isEqualTo(direct.getClientKeyData());
    assertThat(read.getClientCertData()).isEqualTo(direct.getClientCertData());
    assertThat(read.getCaCertData()).isEqualTo(direct.getCaCertData());
  }

  @Test
  void takesNothingFromTheMachine() {
    Config config = access.config();

    assertThat(config.getHttpsProxy()).isNull();
    assertThat(config.getOauthToken()).isNull();
    assertThat(config.getContexts()).isNullOrEmpty();
  }
}
