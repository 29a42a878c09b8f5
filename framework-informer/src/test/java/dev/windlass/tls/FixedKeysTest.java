// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.testsupport.TestKey;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the JDK's TLS asks of a server's key manager. */
final class FixedKeysTest {

  private List<X509Certificate> chain;
  private PrivateKey key;
  private FixedKeys keys;

  @BeforeEach
  void creates() throws Exception {
    TestKey made = TestKey.ec("localhost");
    chain = Pem.certificates(made.certificate());
    key = Pem.privateKey(made.pkcs8());
    keys = new FixedKeys(chain, key);
  }

  @Test
  void presentsItsChainToClientsThatSupportItsTypeOfKey() {
    String alias = keys.chooseEngineServerAlias("EC", null, null);
    assertThat(keys.getServerAliases("EC", null)).containsExactly(alias);
    assertThat(keys.chooseServerAlias("EC", null, null)).isEqualTo(alias);
    assertThat(keys.getCertificateChain(alias)).containsExactlyElementsOf(chain);
    assertThat(keys.getPrivateKey(alias)).isEqualTo(key);
  }

  @Test
  void presentsNothingToOtherClients() {
    assertThat(keys.chooseEngineServerAlias("RSA", null, null)).isNull();
    assertThat(keys.chooseServerAlias("RSA", null, null)).isNull();
    assertThat(keys.getServerAliases("RSA", null)).isNull();
  }

  @Test
  void presentsNothingAsAClient() {
    assertThat(keys.chooseClientAlias(new String[] {"EC"}, null, null)).isNull();
    assertThat(keys.chooseEngineClientAlias(new String[] {"EC"}, null, null)).isNull();
    assertThat(keys.getClientAliases("EC", null)).isNull();
  }

  @Test
  void hasNothingUnderOtherAliases() {
    assertThat(keys.getCertificateChain("other")).isNull();
    assertThat(keys.getPrivateKey("other")).isNull();
  }
}
