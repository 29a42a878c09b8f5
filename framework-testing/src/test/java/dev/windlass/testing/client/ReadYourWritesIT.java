// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.client;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;

final class ReadYourWritesIT extends ReadYourWritesContract {

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  @Override
  TestApiServer server() {
    return kubernetes.server();
  }

  @Override
  Stream<Run> runs() {
    return Stream.of(
        new Run(new JdkHttpClientFactory(), 4_000), new Run(new VertxHttpClientFactory(), 10_000));
  }
}
