// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.client;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

final class ReadYourWritesOnVertxIT extends ReadYourWritesContract {

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  @Override
  TestApiServer server() {
    return kubernetes.server();
  }

  @Override
  HttpClient.Factory transport() {
    return new VertxHttpClientFactory();
  }

  @Override
  int writes() {
    return 10_000;
  }
}
