// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.client;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import org.junit.jupiter.api.AutoClose;

final class ReadYourWritesOnEmbeddedTest extends ReadYourWritesContract {

  @AutoClose private final EmbeddedApiServer server = EmbeddedApiServer.start();

  @Override
  TestApiServer server() {
    return server;
  }

  @Override
  HttpClient.Factory transport() {
    return HttpClientUtils.getHttpClientFactory();
  }

  @Override
  int writes() {
    return 2_000;
  }
}
