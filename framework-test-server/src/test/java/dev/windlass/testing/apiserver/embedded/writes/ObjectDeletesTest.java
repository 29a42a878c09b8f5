// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.writes;

import static dev.windlass.testing.apiserver.embedded.probes.HttpProbe.CONFIG_MAPS;
import static dev.windlass.testing.apiserver.embedded.probes.HttpProbe.DEPLOYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe.Reply;
import dev.windlass.testing.apiserver.embedded.probes.WatchProbe;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class ObjectDeletesTest extends DeletesContract {
  @AutoClose
  private final EmbeddedApiServer server =
      EmbeddedApiServer.builder().deploymentController(false).garbageCollection(false).start();

  private final HttpProbe http = new HttpProbe(server);

  @Override
  TestApiServer server() {
    return server;
  }

  @Test
  void checksThePreconditionsOfADelete() {
    Reply created = http.configMap("a");

    Reply uid = http.delete(CONFIG_MAPS + "/a", "{'preconditions':{'uid':'x'}}");
    Reply version = http.delete(CONFIG_MAPS + "/a", "{'preconditions':{'resourceVersion':'1'}}");
    Reply deleted =
        http.delete(
            CONFIG_MAPS + "/a",
            "{'preconditions':{'uid':'%s'}}".formatted(created.at("/metadata/uid")));

    assertThat(uid.code()).isEqualTo(409);
    assertThat(uid.message()).contains("the UID in the precondition (x) does not match");
    assertThat(version.code()).isEqualTo(409);
    assertThat(version.message()).contains("the ResourceVersion in the precondition (1)");
    assertThat(deleted.code()).isEqualTo(200);
    assertThat(deleted.at("/status")).isEqualTo("Success");
    assertThat(deleted.at("/details/uid")).isEqualTo(created.at("/metadata/uid"));
    assertThat(http.delete(CONFIG_MAPS + "/a").code()).isEqualTo(404);
  }

  @Test
  void waitsForFinalizersBeforeItDeletes() {
    Reply created = http.post(DEPLOYMENTS, HttpProbe.deployment(1));
    http.patch(DEPLOYMENTS + "/web", "merge", "{'metadata':{'finalizers':['x/1','x/2']}}");
    try (WatchProbe watch =
        http.watch(DEPLOYMENTS + "?watch=true&resourceVersion=" + created.version())) {
      watch.await("MODIFIED");

      Reply marked = http.delete(DEPLOYMENTS + "/web");
      assertThat(marked.at("/kind")).isEqualTo("Deployment");
      assertThat(marked.at("/metadata/deletionTimestamp")).isNotEmpty();
      assertThat(marked.at("/metadata/deletionGracePeriodSeconds")).isEqualTo("0");
      assertThat(marked.at("/metadata/generation")).isEqualTo("2");
      assertThat(watch.event().at("/object/metadata/resourceVersion").asText())
          .isEqualTo(marked.version());
      assertThat(http.delete(DEPLOYMENTS + "/web").version()).isEqualTo(marked.version());

      Reply more = http.patch(DEPLOYMENTS + "/web", "merge", "{'metadata':{'finalizers':['x/3']}}");
      assertThat(more.code()).isEqualTo(422);
      assertThat(more.message()).contains("metadata.finalizers: Forbidden: ", "x/3");

      // A client that leaves the timestamp out does not undelete.
      Reply one =
          http.patch(
              DEPLOYMENTS + "/web",
              "merge",
              "{'metadata':{'deletionTimestamp':null,'finalizers':['x/2']}}");
      assertThat(one.at("/metadata/deletionTimestamp")).isNotEmpty();
      assertThat(http.get(DEPLOYMENTS + "/web").code()).isEqualTo(200);
      watch.await("MODIFIED");

      Reply none = http.patch(DEPLOYMENTS + "/web", "merge", "{'metadata':{'finalizers':[]}}");
      assertThat(none.code()).isEqualTo(200);
      assertThat(http.get(DEPLOYMENTS + "/web").code()).isEqualTo(404);
      JsonNode deleted = watch.event();
      assertThat(WatchProbe.describe(deleted)).isEqualTo("DELETED web");
      assertThat(deleted.at("/object/metadata/resourceVersion").asLong())
          .isGreaterThan(Long.parseLong(one.version()));
    }
  }

  @Test
  void deletesACollectionBySelector() {
    http.post(CONFIG_MAPS, "{'metadata':{'name':'a','labels':{'app':'x'}}}");
    http.post(CONFIG_MAPS, "{'metadata':{'name':'b'}}");

    assertThat(http.delete(CONFIG_MAPS + "?labelSelector=app%3Dx").code()).isEqualTo(200);

    assertThat(http.get(CONFIG_MAPS + "/a").code()).isEqualTo(404);
    assertThat(http.get(CONFIG_MAPS + "/b").code()).isEqualTo(200);
  }
}
