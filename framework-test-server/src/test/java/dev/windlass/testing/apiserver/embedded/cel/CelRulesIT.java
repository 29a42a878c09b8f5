// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.embedded.cel.CelCases.Case;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe.Reply;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Compares the responses of the embedded and the real server to rules in CEL. */
final class CelRulesIT {

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  @AutoClose private final EmbeddedApiServer embedded = EmbeddedApiServer.start();
  private List<HttpProbe> servers;

  @BeforeEach
  void connect() {
    servers = List.of(HttpProbe.on(kubernetes.server()), HttpProbe.on(embedded));
  }

  private void define(String group, List<Case> cases) {
    for (HttpProbe http : servers) {
      Reply reply = http.post(HttpProbe.CRDS, CelCases.definition(group, cases));
      assertThat(reply.code()).as(reply.text()).isEqualTo(201);
      eventually().atMost(Duration.ofSeconds(20)).until(() -> http.get(path(group)).code() == 200);
    }
  }

  private static String path(String group) {
    return "/apis/" + group + "/v1/namespaces/default/rules";
  }

  private static String object(String group, String name, int property, String value) {
    return "{'apiVersion':'%s/v1','kind':'Rule','metadata':{'name':'%s'},'spec':{'p%d':%s}}"
        .formatted(group, name, property, value);
  }

  /** Returns the code, the reason, and the fields with their causes; the words may differ. */
  private static String shown(Reply reply) {
    List<String> causes = new ArrayList<>();
    for (JsonNode cause : reply.json().at("/details/causes")) {
      causes.add(cause.path("field").asText() + " " + cause.path("reason").asText());
    }
    return reply.code() < 300
        ? Integer.toString(reply.code())
        : reply.code() + " " + reply.reason() + " " + causes;
  }

  @Test
  void rejectTheSameObjects() {
    String group = "valid.cel.example.com";
    define(group, CelCases.VALID);
    SoftAssertions softly = new SoftAssertions();
    for (int i = 0; i < CelCases.VALID.size(); i++) {
      for (String value : CelCases.VALID.get(i).values()) {
        String object = object(group, "a", i, value);
        String real = shown(servers.get(0).post(path(group) + "?dryRun=All", object));
        String ours = shown(servers.get(1).post(path(group) + "?dryRun=All", object));
        softly.assertThat(ours).as(CelCases.VALID.get(i) + " of " + value).isEqualTo(real);
      }
    }
    softly.assertAll();
  }

  @Test
  void rejectTheSameTransitions() {
    String group = "transitions.cel.example.com";
    define(group, CelCases.TRANSITIONS);
    SoftAssertions softly = new SoftAssertions();
    for (int i = 0; i < CelCases.TRANSITIONS.size(); i++) {
      Case rule = CelCases.TRANSITIONS.get(i);
      String name = "a" + i;
      String patch = "{'spec':{'p%d':%s}}".formatted(i, rule.values().get(1));
      StringBuilder[] answers = {new StringBuilder(), new StringBuilder()};
      for (int server = 0; server < 2; server++) {
        HttpProbe http = servers.get(server);
        answers[server]
            .append(shown(http.post(path(group), object(group, name, i, rule.values().get(0)))))
            .append(shown(http.patch(path(group) + "/" + name, "merge", patch)));
      }
      softly.assertThat(answers[1].toString()).as("%s", rule).isEqualTo(answers[0].toString());
    }
    softly.assertAll();
  }

  @Test
  void rejectTheSameDefinitions() {
    SoftAssertions softly = new SoftAssertions();
    for (Case rule : CelCases.INVALID) {
      String definition = CelCases.definition("invalid.cel.example.com", List.of(rule));
      String real = shown(servers.get(0).post(HttpProbe.CRDS + "?dryRun=All", definition));
      String ours = shown(servers.get(1).post(HttpProbe.CRDS + "?dryRun=All", definition));
      softly.assertThat(ours).as("%s", rule).isEqualTo(real);
    }
    softly.assertAll();
  }

  @Test
  void keepValuesThatBecameInvalid() {
    String group = "ratcheting.cel.example.com";
    Case before = new Case("'type':'integer'", "'rule':'self > 0'", List.of());
    Case after = new Case("'type':'integer'", "'rule':'self > 5','message':'m'", List.of());
    define(group, List.of(before));
    for (HttpProbe http : servers) {
      http.post(path(group), object(group, "a", 0, "1"));
      String name = HttpProbe.CRDS + "/rules." + group;
      String version = http.get(name).version();
      Reply changed =
          http.put(
              name,
              CelCases.definition(group, List.of(after))
                  .replace(
                      "\"metadata\":{", "\"metadata\":{\"resourceVersion\":\"" + version + "\","));
      assertThat(changed.code()).as(changed.text()).isEqualTo(200);
      eventually()
          .atMost(Duration.ofSeconds(20))
          .until(
              () ->
                  http.post(path(group) + "?dryRun=All", object(group, "b", 0, "1")).code() == 422);
      assertThat(
              http.patch(path(group) + "/a", "merge", "{'metadata':{'labels':{'a':'b'}}}").code())
          .isEqualTo(200);
      assertThat(http.patch(path(group) + "/a", "merge", "{'spec':{'p0':2}}").code())
          .isEqualTo(422);
    }
  }
}
