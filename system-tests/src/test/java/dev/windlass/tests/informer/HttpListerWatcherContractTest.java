// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.informer;

import dev.windlass.informer.reflector.ListerWatcher;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.informer.reflector.http.HttpListerWatcher;
import dev.windlass.object.ObjectCodec;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.contract.ListerWatcherContract;
import dev.windlass.tests.owned.Samples;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.AutoClose;

final class HttpListerWatcherContractTest extends ListerWatcherContract {

  @AutoClose private final EmbeddedApiServer server = EmbeddedApiServer.start();
  @AutoClose private final KubernetesClient client = server.newClient();

  @Override
  protected ListerWatcher listerWatcher() {
    return new HttpListerWatcher(client, ObjectCodec.of(ConfigMap.class).type(), WatchScope.ALL);
  }

  @Override
  protected void put(String name, String data) {
    client
        .resource(
            new ConfigMapBuilder(Samples.map("default", name)).addToData("data", data).build())
        .createOr(existing -> existing.update());
  }

  @Override
  protected void delete(String name) {
    client.configMaps().inNamespace("default").withName(name).delete();
  }

  @Override
  protected void expireVersions() {
    server.compact();
  }
}
