// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe.Reply;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How an apply behaves that names the resourceVersion that it replaces; holds on each server. */
abstract class VersionedApplyContract {

  private static final String CONFIG_MAP =
      "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a'%s},'data':{'k':'%s'}}";

  private static final String POD_DISRUPTION_BUDGET =
      "{'apiVersion':'policy/v1','kind':'PodDisruptionBudget','metadata':{'name':'a'%s},"
          + "'status':{'currentHealthy':%s,'desiredHealthy':1,'disruptionsAllowed':0,"
          + "'expectedPods':1}}";

  private HttpProbe http;
  private String configMap;
  private String budget;

  abstract TestApiServer server();

  @BeforeEach
  void makesANamespace() {
    http = HttpProbe.on(server());
    String namespace = "versioned-" + UUID.randomUUID();
    http.post("/api/v1/namespaces", "{'metadata':{'name':'%s'}}".formatted(namespace));
    configMap = "/api/v1/namespaces/" + namespace + "/configmaps/a";
    budget = "/apis/policy/v1/namespaces/" + namespace + "/poddisruptionbudgets/a";
  }

  private Reply apply(String path, String manager, String body, String value, String precondition) {
    String sent = HttpProbe.quoted(body.formatted(precondition, value));
    return http.send(
        http.request(path + "?fieldManager=" + manager)
            .header("Content-Type", "application/apply-patch+yaml")
            .method("PATCH", BodyPublishers.ofString(sent)));
  }

  private Reply data(String value, String precondition) {
    return apply(configMap, "one", CONFIG_MAP, value, precondition);
  }

  private static String state(Reply reply) {
    return ",'resourceVersion':'%s'".formatted(reply.version());
  }

  private static String managedFields(Reply reply) {
    return reply.json().at("/metadata/managedFields").toString();
  }

  @Test
  void acceptsTheLatestVersionAndDoesNotOwnIt() {
    Reply first = data("1", "");
    Reply second = data("2", state(first));
    assertThat(second.code()).isEqualTo(200);
    assertThat(Long.parseLong(second.version())).isGreaterThan(Long.parseLong(first.version()));
    assertThat(managedFields(second)).doesNotContain("resourceVersion");
  }

  @Test
  void keepsTheVersionIfNothingChanges() {
    Reply first = data("1", "");
    Reply again = data("1", state(first));
    assertThat(again.code()).isEqualTo(200);
    assertThat(again.version()).isEqualTo(first.version());
    assertThat(managedFields(again)).isEqualTo(managedFields(first));
  }

  /** Even if the write would change nothing. */
  @ParameterizedTest
  @CsvSource({"1", "2", "3"})
  void refusesAnEarlierVersion(String value) {
    Reply first = data("1", "");
    Reply second = data("2", "");
    Reply stale = data(value, state(first));
    assertThat(stale.code()).isEqualTo(409);
    assertThat(stale.reason()).isEqualTo("Conflict");
    assertThat(stale.json().at("/details/causes").isMissingNode()).isTrue();
    assertThat(http.get(configMap).version()).isEqualTo(second.version());
  }

  /** An apply that names a version creates the object nevertheless. */
  @Test
  void createsAnObjectThatHasBeenDeleted() {
    Reply first = data("1", "");
    http.delete(configMap);
    Reply created = data("2", state(first));
    assertThat(created.code()).isEqualTo(201);
    assertThat(http.get(configMap).version()).isEqualTo(created.version());
  }

  @Test
  void refusesAnObjectThatHasReplacedTheEarlierOne() {
    Reply first = data("1", "");
    http.delete(configMap);
    Reply second = data("1", "");
    assertThat(data("2", state(first)).code()).isEqualTo(409);
    assertThat(http.get(configMap).version()).isEqualTo(second.version());
  }

  /** A conflict of fields names its causes, even if the version is outdated as well. */
  @Test
  void namesTheCausesOfAConflictOfFields() {
    Reply first = data("1", "");
    Reply other = apply(configMap, "two", CONFIG_MAP, "2", state(first));
    assertThat(other.code()).isEqualTo(409);
    assertThat(other.at("/details/causes/0/reason")).isEqualTo("FieldManagerConflict");
    data("3", "");
    Reply stale = apply(configMap, "two", CONFIG_MAP, "2", state(first));
    assertThat(stale.code()).isEqualTo(409);
    assertThat(stale.at("/details/causes/0/reason")).isEqualTo("FieldManagerConflict");
  }

  @Test
  void checksTheVersionOfAStatusAsWell() {
    Reply created =
        http.post(
            budget.substring(0, budget.length() - 2),
            "{'apiVersion':'policy/v1','kind':'PodDisruptionBudget','metadata':{'name':'a'},"
                + "'spec':{'minAvailable':1,'selector':{'matchLabels':{'a':'b'}}}}");
    Reply status = status("1", state(created));
    assertThat(status.code()).as(status.text()).isEqualTo(200);
    assertThat(status("2", state(created)).code()).isEqualTo(409);
    assertThat(status("1", state(status)).version()).isEqualTo(status.version());
    http.delete(budget);
    assertThat(status("2", state(status)).code()).isEqualTo(404);
  }

  private Reply status(String value, String precondition) {
    return apply(budget + "/status", "one&force=true", POD_DISRUPTION_BUDGET, value, precondition);
  }
}
