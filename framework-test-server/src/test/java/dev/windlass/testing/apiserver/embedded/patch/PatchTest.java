// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.patch;

import static dev.windlass.testing.apiserver.embedded.probes.HttpProbe.CONFIG_MAPS;
import static dev.windlass.testing.apiserver.embedded.probes.HttpProbe.DEPLOYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe.Reply;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class PatchTest {
  @AutoClose
  private final EmbeddedApiServer server =
      EmbeddedApiServer.builder().deploymentController(false).start();

  private final HttpProbe http = new HttpProbe(server);

  @Test
  void replacesListsAndRemovesNullsInAMergePatch() {
    http.post(
        CONFIG_MAPS,
        "{'metadata':{'name':'a','finalizers':['x/1','x/2']},'data':{'p':'1','q':'2'}}");

    Reply patched =
        http.patch(
            CONFIG_MAPS + "/a",
            "merge",
            "{'metadata':{'finalizers':['x/1','x/3']},'data':{'p':null,'r':'3'}}");

    assertThat(patched.json().at("/metadata/finalizers")).hasToString("[\"x/1\",\"x/3\"]");
    assertThat(patched.json().path("data")).hasToString("{\"q\":\"2\",\"r\":\"3\"}");
  }

  @Test
  void appliesAJsonPatchOrNothing() {
    http.post(CONFIG_MAPS, "{'metadata':{'name':'a'},'data':{'p':'1'}}");

    Reply failing =
        http.patch(
            CONFIG_MAPS + "/a",
            "json",
            "[{'op':'add','path':'/data/q','value':'2'},"
                + "{'op':'test','path':'/data/p','value':'7'}]");
    assertThat(failing.code()).isEqualTo(422);
    assertThat(failing.reason()).isEqualTo("Invalid");
    assertThat(failing.message())
        .isEqualTo("the server rejected our request due to an error in our request");
    assertThat(http.patch(CONFIG_MAPS + "/a", "json", "[{'op':'remove','path':'/no'}]").code())
        .isEqualTo(422);
    assertThat(http.patch(CONFIG_MAPS + "/a", "json", "{}").code()).isEqualTo(400);

    Reply patched =
        http.patch(
            CONFIG_MAPS + "/a",
            "json",
            "[{'op':'test','path':'/data/p','value':'1'},"
                + "{'op':'replace','path':'/data/p','value':'2'}]");
    assertThat(patched.json().path("data")).hasToString("{\"p\":\"2\"}");
  }

  @Test
  void mergesListsByKeyInAStrategicMergePatch() {
    http.post(DEPLOYMENTS, HttpProbe.deployment(1));

    Reply patched =
        http.patch(
            DEPLOYMENTS + "/web",
            "strategic-merge",
            "{'metadata':{'finalizers':['x/1']},'spec':{'template':{'spec':{'containers':["
                + "{'name':'web','image':'nginx:2'},{'name':'log','image':'log:1'}]}}}}");

    JsonNode containers = patched.json().at("/spec/template/spec/containers");
    assertThat(containers).hasSize(2);
    assertThat(containers.at("/0/image").asText()).isEqualTo("nginx:2");
    Reply removed =
        http.patch(
            DEPLOYMENTS + "/web",
            "strategic-merge",
            "{'metadata':{'$deleteFromPrimitiveList/finalizers':['x/1']},'spec':{'template':"
                + "{'spec':{'containers':[{'name':'log','$patch':'delete'}]}}}}");
    assertThat(removed.json().at("/spec/template/spec/containers")).hasSize(1);
    assertThat(removed.json().at("/metadata").has("finalizers")).isFalse();
  }
}
