// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.requests;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.Client;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import dev.windlass.tests.owned.Samples;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

final class UnknownFieldsOnEmbeddedTest extends UnknownFieldsContract {

  @AutoClose private static final EmbeddedApiServer server = EmbeddedApiServer.start();

  @Override
  TestApiServer server() {
    return server;
  }

  /** The base comes from the cache or from this program's last write. */
  @Test
  void costNoRequestIfTheObjectIsCached() {
    server.install(Samples.crd("older.windlass.dev", "Shop"));
    try (Manager manager =
        Manager.builder().config(server.clientConfig()).checkPermissions(false).build()) {
      var cache = manager.cache(Shop.class);
      manager.start();
      eventually().until(cache::hasSynced);
      Client client = manager.client();
      Shop shop = new Shop();
      shop.setMetadata(
          new ObjectMetaBuilder().withNamespace("default").withName("counted").build());
      shop.setSpec(new Spec());
      shop = client.create(shop);
      server.clearRequests();
      shop.getSpec().size = 1;
      shop = client.update(shop);
      shop.setStatus(new State());
      shop.getStatus().ready = 1;
      shop = client.updateStatus(shop);
      client.update(shop);
      client.updateStatus(shop);
      assertThat(requests("shops")).containsExactly(Verb.UPDATE, Verb.UPDATE);
      shop.getSpec().size = 2;
      client.uncached().update(shop);
      assertThat(requests("shops"))
          .containsExactly(Verb.UPDATE, Verb.UPDATE, Verb.GET, Verb.UPDATE);
    }
  }

  /** fabric8's classes of built-in types keep what they do not declare. */
  @Test
  void costNoRequestIfTheClassKeepsThem() {
    try (Manager manager =
        Manager.builder().config(server.clientConfig()).checkPermissions(false).build()) {
      Client client = manager.client().uncached();
      ConfigMap map = client.create(Samples.map("default", "counted"));
      server.clearRequests();
      map.setData(Map.of("a", "b"));
      client.update(map);
      var generic = client.get(ResourceType.of(ConfigMap.class), ObjectKey.of(map)).orElseThrow();
      client.update(generic);
      assertThat(requests("configmaps")).containsExactly(Verb.UPDATE, Verb.GET, Verb.UPDATE);
    }
  }

  private static List<Verb> requests(String resource) {
    return server.requests().stream()
        .filter(request -> request.resource().startsWith(resource))
        .map(RecordedRequest::verb)
        .filter(verb -> verb != Verb.WATCH && verb != Verb.LIST)
        .toList();
  }
}
