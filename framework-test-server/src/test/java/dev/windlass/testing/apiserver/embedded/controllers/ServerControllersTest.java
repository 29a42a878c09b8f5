// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.controllers;

import static dev.windlass.testing.apiserver.embedded.probes.HttpProbe.CONFIG_MAPS;
import static dev.windlass.testing.apiserver.embedded.probes.HttpProbe.DEPLOYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe.Reply;
import dev.windlass.testing.apiserver.embedded.probes.WatchProbe;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The controllers inside of the server: garbage collection, namespaces, Deployments. */
class ServerControllersTest {
  private static final String SECRETS = "/api/v1/namespaces/default/secrets";
  private static final String NAMESPACES = "/api/v1/namespaces";

  @AutoClose private final EmbeddedApiServer server = EmbeddedApiServer.start();
  private final HttpProbe http = new HttpProbe(server);

  private static String ownedBy(String name, String... uids) {
    StringBuilder owners = new StringBuilder();
    for (String uid : uids) {
      owners.append(owners.length() == 0 ? "" : ",");
      owners.append(
          "{'apiVersion':'v1','kind':'ConfigMap','name':'o','uid':'%s','blockOwnerDeletion':true}"
              .formatted(uid));
    }
    return "{'metadata':{'name':'%s','ownerReferences':[%s]}}".formatted(name, owners);
  }

  private String owner(String name) {
    return http.configMap(name).at("/metadata/uid");
  }

  @Test
  void collectsDependentsOfTheDeletedAndTheirDependents() {
    String secret = http.post(SECRETS, ownedBy("d", owner("o"))).at("/metadata/uid");
    http.post(CONFIG_MAPS, ownedBy("dd", secret));
    try (WatchProbe watch = http.watch(CONFIG_MAPS + "?watch=true")) {
      watch.next();
      watch.next();
      http.delete(CONFIG_MAPS + "/o");
      assertThat(watch.next()).isEqualTo("DELETED o");
      assertThat(watch.next()).isEqualTo("DELETED dd");
    }
    assertThat(http.get(SECRETS + "/d").code()).isEqualTo(404);
  }

  @Test
  void keepsAnObjectWithAnOwnerLeft() {
    String first = owner("o1");
    String second = owner("o2");
    Reply dependent = http.post(SECRETS, ownedBy("d", first, second));
    try (WatchProbe watch =
        http.watch(SECRETS + "?watch=true&resourceVersion=" + dependent.version())) {
      http.delete(CONFIG_MAPS + "/o1");
      JsonNode event = watch.event();
      assertThat(WatchProbe.describe(event)).isEqualTo("MODIFIED d");
      assertThat(event.at("/object/metadata/ownerReferences").findValuesAsText("uid"))
          .containsExactly(second);
      http.delete(CONFIG_MAPS + "/o2");
      assertThat(watch.next()).isEqualTo("DELETED d");
    }
  }

  @Test
  void collectsAnObjectWhoseOwnerNeverWas() {
    try (WatchProbe watch = http.watch(SECRETS + "?watch=true")) {
      http.post(SECRETS, ownedBy("d", "00000000-0000-0000-0000-000000000000"));
      assertThat(watch.next()).isEqualTo("ADDED d");
      assertThat(watch.next()).isEqualTo("DELETED d");
    }
  }

  @Test
  void collectsAnObjectWhoseOwnerIsInAnotherNamespace() {
    String elsewhere =
        http.post("/api/v1/namespaces/kube-system/configmaps", "{'metadata':{'name':'o'}}")
            .at("/metadata/uid");
    try (WatchProbe watch = http.watch(SECRETS + "?watch=true")) {
      http.post(SECRETS, ownedBy("d", elsewhere));
      assertThat(watch.next()).isEqualTo("ADDED d");
      assertThat(watch.next()).isEqualTo("DELETED d");
    }
  }

  @Test
  void freesDependentsOfTheOrphanPolicy() {
    Reply dependent = http.post(SECRETS, ownedBy("d", owner("o")));
    try (WatchProbe watch =
            http.watch(SECRETS + "?watch=true&resourceVersion=" + dependent.version());
        WatchProbe owners = http.watch(CONFIG_MAPS + "?watch=true")) {
      http.delete(CONFIG_MAPS + "/o", "{'propagationPolicy':'Orphan'}");
      owners.await("DELETED");
      JsonNode event = watch.event();
      assertThat(WatchProbe.describe(event)).isEqualTo("MODIFIED d");
      assertThat(event.at("/object/metadata").has("ownerReferences")).isFalse();
    }
    assertThat(http.get(SECRETS + "/d").code()).isEqualTo(200);
  }

  @Test
  void deletesDependentsFirstInTheForeground() {
    http.post(SECRETS, ownedBy("d", owner("o")));
    http.patch(SECRETS + "/d", "merge", "{'metadata':{'finalizers':['x/1']}}");
    try (WatchProbe watch = http.watch(SECRETS + "?watch=true");
        WatchProbe owners = http.watch(CONFIG_MAPS + "?watch=true")) {
      Reply marked = http.delete(CONFIG_MAPS + "/o", "{'propagationPolicy':'Foreground'}");
      assertThat(marked.at("/metadata/finalizers/0")).isEqualTo("foregroundDeletion");
      watch.await("MODIFIED");
      assertThat(http.get(CONFIG_MAPS + "/o").code()).isEqualTo(200);
      http.patch(SECRETS + "/d", "merge", "{'metadata':{'finalizers':null}}");
      watch.await("DELETED");
      owners.await("DELETED");
    }
  }

  @Test
  void emptiesANamespaceAndRemovesIt() {
    http.post(NAMESPACES, "{'metadata':{'name':'x'}}");
    assertThat(http.get(NAMESPACES + "/x").at("/status/phase")).isEqualTo("Active");
    String inside = NAMESPACES + "/x/configmaps";
    http.post(inside, "{'metadata':{'name':'a','finalizers':['x/1']}}");
    http.post(inside, "{'metadata':{'name':'b'}}");
    try (WatchProbe watch =
            http.watch(NAMESPACES + "?watch=true&labelSelector=kubernetes.io%2Fmetadata.name%3Dx");
        WatchProbe contents = http.watch(inside + "?watch=true")) {
      watch.await("ADDED");
      assertThat(http.delete(NAMESPACES + "/x").at("/status/phase")).isEqualTo("Terminating");
      contents.await("DELETED");

      Reply late = http.post(inside, "{'metadata':{'name':'c'}}");
      assertThat(late.code()).isEqualTo(403);
      assertThat(late.message())
          .isEqualTo(
              "configmaps \"c\" is forbidden: unable to create new content in namespace x because"
                  + " it is being terminated");

      assertThat(watch.next()).isEqualTo("MODIFIED x");
      http.patch(inside + "/a", "merge", "{'metadata':{'finalizers':null}}");
      assertThat(watch.next()).isEqualTo("DELETED x");
    }
    assertThat(http.get(NAMESPACES + "/x").code()).isEqualTo(404);
    assertThat(http.delete(NAMESPACES + "/default").code()).isEqualTo(403);
    assertThat(http.get(NAMESPACES + "/kube-system").code()).isEqualTo(200);
  }

  @Test
  void makesDeploymentsAvailable() {
    Reply created = http.post(DEPLOYMENTS, HttpProbe.deployment(3));
    try (WatchProbe watch =
        http.watch(DEPLOYMENTS + "?watch=true&resourceVersion=" + created.version())) {
      JsonNode status = watch.event().at("/object/status");
      assertThat(status.path("observedGeneration").asInt()).isEqualTo(1);
      for (String field : new String[] {"", "updated", "ready", "available"}) {
        String replicas = field.isEmpty() ? "replicas" : field + "Replicas";
        assertThat(status.path(replicas).asInt()).as(replicas).isEqualTo(3);
      }
      assertThat(status.at("/conditions/0/type").asText()).isEqualTo("Available");
      assertThat(status.at("/conditions/0/status").asText()).isEqualTo("True");

      http.patch(DEPLOYMENTS + "/web", "merge", "{'spec':{'replicas':0}}");
      watch.await("MODIFIED");
      JsonNode scaled = watch.event().at("/object/status");
      assertThat(scaled.path("observedGeneration").asInt()).isEqualTo(2);
      assertThat(scaled.has("availableReplicas")).isFalse();
    }
  }
}
