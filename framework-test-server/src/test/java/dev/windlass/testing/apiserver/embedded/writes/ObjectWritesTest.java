// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.writes;

import static dev.windlass.testing.apiserver.embedded.probes.HttpProbe.CONFIG_MAPS;
import static dev.windlass.testing.apiserver.embedded.probes.HttpProbe.DEPLOYMENTS;
import static dev.windlass.testing.apiserver.embedded.probes.HttpProbe.deployment;
import static dev.windlass.testing.apiserver.embedded.probes.HttpProbe.quoted;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe.Reply;
import dev.windlass.testing.apiserver.embedded.probes.WatchProbe;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class ObjectWritesTest {
  private static final Instant NOW = Instant.parse("2030-01-02T03:04:05.678Z");

  @AutoClose
  private final EmbeddedApiServer server =
      EmbeddedApiServer.builder()
          .clock(Clock.fixed(NOW, ZoneOffset.UTC))
          .deploymentController(false)
          .start();

  private final HttpProbe http = new HttpProbe(server);

  @Test
  void givesANewObjectItsSystemMetadata() {
    Reply created =
        http.post(
            CONFIG_MAPS,
            "{'metadata':{'name':'a','uid':'mine','creationTimestamp':'2001-01-01T00:00:00Z',"
                + "'deletionTimestamp':'2001-01-01T00:00:00Z','generation':7}}");

    assertThat(created.code()).isEqualTo(201);
    JsonNode metadata = created.json().path("metadata");
    assertThat(metadata.path("uid").asText()).hasSize(36).isNotEqualTo("mine");
    assertThat(metadata.path("creationTimestamp").asText()).isEqualTo("2030-01-02T03:04:05Z");
    assertThat(metadata.path("namespace").asText()).isEqualTo("default");
    assertThat(metadata.path("resourceVersion").asLong()).isPositive();
    assertThat(metadata.has("deletionTimestamp")).isFalse();
    assertThat(metadata.path("generation").asInt()).as("nobody counts it").isEqualTo(7);
    assertThat(http.get(CONFIG_MAPS + "/a").json()).isEqualTo(created.json());
  }

  @Test
  void countsOneResourceVersionForAllResources() {
    long first = Long.parseLong(http.configMap("a").version());
    Reply secret = http.post("/api/v1/namespaces/default/secrets", "{'metadata':{'name':'a'}}");

    assertThat(Long.parseLong(secret.version())).isEqualTo(first + 1);
  }

  @Test
  void generatesNames() {
    Reply one = http.post(CONFIG_MAPS, "{'metadata':{'generateName':'web-'}}");
    Reply two = http.post(CONFIG_MAPS, "{'metadata':{'generateName':'web-'}}");

    assertThat(one.at("/metadata/name")).matches("web-[bcdfghjklmnpqrstvwxz2456789]{5}");
    assertThat(two.at("/metadata/name")).isNotEqualTo(one.at("/metadata/name"));
  }

  @Test
  void refusesWhatIsNotThereOrThereTwice() {
    http.configMap("a");
    http.post(DEPLOYMENTS, deployment(1));

    Reply missing = http.get(DEPLOYMENTS + "/x");
    assertThat(missing.code()).isEqualTo(404);
    assertThat(missing.reason()).isEqualTo("NotFound");
    assertThat(missing.message()).isEqualTo("deployments.apps \"x\" not found");
    assertThat(missing.at("/details/kind")).isEqualTo("deployments");

    Reply twice = http.configMap("a");
    assertThat(twice.code()).isEqualTo(409);
    assertThat(twice.reason()).isEqualTo("AlreadyExists");
    assertThat(twice.message()).isEqualTo("configmaps \"a\" already exists");

    Reply homeless = http.post("/api/v1/namespaces/x/configmaps", "{'metadata':{'name':'a'}}");
    assertThat(homeless.code()).isEqualTo(404);
    assertThat(homeless.message()).isEqualTo("namespaces \"x\" not found");
  }

  @Test
  void refusesMalformedRequests() {
    assertThat(http.post(CONFIG_MAPS, "{").code()).isEqualTo(400);
    assertThat(http.post(CONFIG_MAPS, "[]").reason()).isEqualTo("BadRequest");
    assertThat(http.post(CONFIG_MAPS, "{'kind':'Secret','metadata':{'name':'a'}}").code())
        .isEqualTo(400);
    assertThat(http.post(CONFIG_MAPS, "{'metadata':{'name':'A'}}").code()).isEqualTo(422);
    assertThat(http.post(CONFIG_MAPS, "{'metadata':{}}").message())
        .isEqualTo(
            "ConfigMap \"\" is invalid: metadata.name: Required value: name or generateName is"
                + " required");
    Reply method = http.put(CONFIG_MAPS, "{}");
    assertThat(method.code()).isEqualTo(405);
    assertThat(method.reason()).isEqualTo("MethodNotAllowed");
    Reply apply = http.patch(CONFIG_MAPS + "/a", "apply", "{}");
    assertThat(apply.code()).isEqualTo(415);
    assertThat(apply.reason()).isEqualTo("UnsupportedMediaType");
    assertThat(http.get("/apis/nothing/v1/things").text()).isEqualTo("404 page not found\n");
    assertThat(http.get("/apis/nothing/v1/things").code()).isEqualTo(404);
  }

  @Test
  void refusesAStaleUpdate() {
    String stale = http.configMap("a").text();
    http.patch(CONFIG_MAPS + "/a", "merge", "{'data':{'x':'1'}}");

    Reply reply = http.put(CONFIG_MAPS + "/a", stale);

    assertThat(reply.code()).isEqualTo(409);
    assertThat(reply.reason()).isEqualTo("Conflict");
    assertThat(reply.message())
        .isEqualTo(
            "Operation cannot be fulfilled on configmaps \"a\": the object has been modified;"
                + " please apply your changes to the latest version and try again");
    Reply patch = http.patch(CONFIG_MAPS + "/a", "merge", "{'metadata':{'resourceVersion':'1'}}");
    assertThat(patch.code()).isEqualTo(409);
  }

  @Test
  void updatesBuiltInsUnconditionallyWithoutAResourceVersion() {
    Reply created = http.configMap("a");

    Reply updated = http.put(CONFIG_MAPS + "/a", "{'metadata':{'name':'a'},'data':{'x':'1'}}");

    assertThat(updated.code()).isEqualTo(200);
    assertThat(updated.at("/metadata/uid")).isEqualTo(created.at("/metadata/uid"));
    assertThat(updated.at("/data/x")).isEqualTo("1");
  }

  @Test
  void demandsAResourceVersionForLeases() {
    String leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
    http.post(leases, "{'metadata':{'name':'a'}}");

    Reply reply = http.put(leases + "/a", "{'metadata':{'name':'a'}}");

    assertThat(reply.code()).isEqualTo(422);
    assertThat(reply.message())
        .endsWith("metadata.resourceVersion: Invalid value: 0: must be specified for an update");
  }

  @Test
  void keepsUidAndTimestampsFromClients() {
    http.configMap("a");

    assertThat(http.patch(CONFIG_MAPS + "/a", "merge", "{'metadata':{'uid':'x'}}").code())
        .as("a patch has no precondition, unlike a PUT: its validation refuses the uid")
        .isEqualTo(422);
    Reply created =
        http.patch(
            CONFIG_MAPS + "/a",
            "merge",
            "{'metadata':{'creationTimestamp':'2001-01-01T00:00:00Z'}}");
    assertThat(created.at("/metadata/creationTimestamp")).isEqualTo("2030-01-02T03:04:05Z");
    assertThat(
            http.patch(
                    CONFIG_MAPS + "/a",
                    "merge",
                    "{'metadata':{'deletionTimestamp':'2001-01-01T00:00:00Z'}}")
                .code())
        .isEqualTo(422);
  }

  @Test
  void ignoresAnUpdateThatChangesNothing() {
    Reply created = http.post(DEPLOYMENTS, deployment(1));
    try (WatchProbe watch =
        http.watch(DEPLOYMENTS + "?watch=true&resourceVersion=" + created.version())) {
      Reply same = http.put(DEPLOYMENTS + "/web", created.text());
      Reply patched =
          http.patch(
              DEPLOYMENTS + "/web",
              "merge",
              "{'metadata':{'labels':{},'annotations':null},'spec':{'replicas':1}}");
      Reply changed = http.patch(DEPLOYMENTS + "/web", "merge", "{'spec':{'replicas':2}}");

      assertThat(same.version()).isEqualTo(created.version());
      assertThat(patched.version()).isEqualTo(created.version());
      assertThat(watch.event().at("/object/metadata/resourceVersion").asText())
          .isEqualTo(changed.version());
    }
  }

  @Test
  void bumpsTheGenerationOnlyForSpecChanges() {
    assertThat(http.post(DEPLOYMENTS, deployment(1)).at("/metadata/generation")).isEqualTo("1");

    Reply labelled = http.patch(DEPLOYMENTS + "/web", "merge", "{'metadata':{'labels':{'a':'b'}}}");
    Reply status =
        http.patch(DEPLOYMENTS + "/web/status", "merge", "{'status':{'observedGeneration':1}}");
    Reply scaled = http.patch(DEPLOYMENTS + "/web", "merge", "{'spec':{'replicas':2}}");

    assertThat(labelled.at("/metadata/generation")).isEqualTo("1");
    assertThat(status.at("/metadata/generation")).isEqualTo("1");
    assertThat(scaled.at("/metadata/generation")).isEqualTo("2");
  }

  @Test
  void writesStatusThroughItsOwnPathOnly() {
    ObjectNode body = (ObjectNode) HttpProbe.parse(quoted(deployment(1)));
    body.putObject("status").put("readyReplicas", 5);
    Reply created = http.post(DEPLOYMENTS, body.toString());
    assertThat(created.json().path("status").isEmpty()).isTrue();

    Reply main = http.patch(DEPLOYMENTS + "/web", "merge", "{'status':{'readyReplicas':4}}");
    assertThat(main.version()).isEqualTo(created.version());

    Reply status =
        http.patch(
            DEPLOYMENTS + "/web/status",
            "merge",
            "{'metadata':{'labels':{'a':'b'}},'spec':{'replicas':9},"
                + "'status':{'replicas':3,'readyReplicas':3}}");
    assertThat(status.at("/status/readyReplicas")).isEqualTo("3");
    assertThat(status.at("/spec/replicas")).isEqualTo("1");
    assertThat(http.put(DEPLOYMENTS + "/web/status", created.text()).code()).isEqualTo(409);
    assertThat(http.get(CONFIG_MAPS + "/a/status").message())
        .isEqualTo("the server could not find the requested resource");
  }

  @Test
  void fillsInTheDefaultsOfDeployments() {
    Reply created = http.post(DEPLOYMENTS, deployment(-1));

    assertThat(created.at("/spec/replicas")).isEqualTo("1");
    assertThat(created.at("/spec/strategy/type")).isEqualTo("RollingUpdate");
    assertThat(created.at("/spec/template/spec/restartPolicy")).isEqualTo("Always");
    assertThat(created.at("/spec/template/spec/containers/0/imagePullPolicy")).isEqualTo("Always");
  }

  @Test
  void readsAndWritesTheScale() {
    http.post(DEPLOYMENTS, deployment(1));

    Reply scale = http.patch(DEPLOYMENTS + "/web/scale", "merge", "{'spec':{'replicas':4}}");

    assertThat(scale.at("/kind")).isEqualTo("Scale");
    assertThat(http.get(DEPLOYMENTS + "/web/scale").at("/spec/replicas")).isEqualTo("4");
    assertThat(http.get(DEPLOYMENTS + "/web").at("/metadata/generation")).isEqualTo("2");
  }

  @Test
  void storesNothingInADryRun() {
    Reply reply = http.post(CONFIG_MAPS + "?dryRun=All", "{'metadata':{'name':'a'}}");

    assertThat(reply.code()).isEqualTo(201);
    assertThat(http.get(CONFIG_MAPS + "/a").code()).isEqualTo(404);
  }

  @Test
  void refusesTwoControllersAndOwnersWithoutUid() {
    String owner =
        "{'apiVersion':'v1','kind':'ConfigMap','name':'%s','uid':'%s','controller':true}";
    String owners = "[" + owner.formatted("a", "1") + "," + owner.formatted("b", "2") + "]";

    Reply two =
        http.post(CONFIG_MAPS, "{'metadata':{'name':'x','ownerReferences':" + owners + "}}");
    Reply none =
        http.post(
            CONFIG_MAPS,
            "{'metadata':{'name':'x','ownerReferences':[" + owner.formatted("a", "") + "]}}");

    assertThat(two.code()).isEqualTo(422);
    assertThat(two.message()).contains("only one reference can have controller set to true");
    assertThat(none.message()).contains("metadata.ownerReferences.uid");
  }
}
