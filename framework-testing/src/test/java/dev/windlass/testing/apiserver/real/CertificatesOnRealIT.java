// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real;

import dev.windlass.testing.apiserver.TestApiServer;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import javax.net.SocketFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

final class CertificatesOnRealIT extends CertificatesContract {

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  @Override
  TestApiServer server() {
    return kubernetes.server();
  }

  /** The front is the administrator. */
  @Override
  SocketFactory backend() {
    try {
      return SSLUtils.sslContext(kubernetes.server().clientConfig()).getSocketFactory();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
