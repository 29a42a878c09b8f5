// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.client;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;

final class ReadYourWritesOnEmbeddedTest extends ReadYourWritesContract {

  @AutoClose private final EmbeddedApiServer server = EmbeddedApiServer.start();

  @Override
  TestApiServer server() {
    return server;
  }

  @Override
  Stream<Run> runs() {
    return Stream.of(new Run(HttpClientUtils.getHttpClientFactory(), 2_000));
  }
}
