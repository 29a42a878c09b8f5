// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.embedded.cel.CelCases.Case;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe.Reply;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Rules in CEL on the embedded server; {@link CelRulesIT} compares it with the real server. */
final class CelRulesTest {
  private static final String PATH = "/apis/cel.example.com/v1/namespaces/default/rules";

  @AutoClose private final EmbeddedApiServer server = EmbeddedApiServer.start();
  private final HttpProbe http = new HttpProbe(server);

  private Reply define(List<Case> cases) {
    return http.post(HttpProbe.CRDS, CelCases.definition("cel.example.com", cases));
  }

  private Reply create(String name, String spec) {
    return http.post(
        PATH,
        "{'apiVersion':'cel.example.com/v1','kind':'Rule','metadata':{'name':'%s'},'spec':%s}"
            .formatted(name, spec));
  }

  @Test
  void compilesEveryRuleOfTheComparison() {
    Reply reply = define(CelCases.VALID);
    assertThat(reply.code()).as(reply.text()).isEqualTo(201);
  }

  @Test
  void rejectsAViolation() {
    define(List.of(new Case("'type':'integer'", "'rule':'self > 3'", List.of())));
    Reply refused = create("a", "{'p0':3}");
    assertThat(refused.code()).isEqualTo(422);
    assertThat(refused.message())
        .isEqualTo(
            "Rule.cel.example.com \"a\" is invalid: spec.p0: Invalid value: \"integer\": failed rule: self > 3");
    assertThat(create("a", "{'p0':4}").code()).isEqualTo(201);
  }

  @Test
  void rejectsADefinitionThatDoesNotCompile() {
    Reply refused =
        define(List.of(new Case("'type':'integer'", "'rule':'self.foo == 1'", List.of())));
    assertThat(refused.code()).isEqualTo(422);
    assertThat(refused.message())
        .contains("self.foo == 1", "compilation failed: ", "field selection");
  }

  @Test
  void namesEachRuleThatItDoesNotEvaluate() {
    Reply reply = define(CelCases.UNEVALUATED);
    assertThat(reply.code()).as(reply.text()).isEqualTo(201);
    assertThat(server.unevaluatedRules())
        .hasSize(CelCases.UNEVALUATED.size())
        .contains("isURL(self) && url(self).getHost() == 'h:80'");
    assertThat(create("a", "{'p0':'x'}").code()).isEqualTo(201);
  }

  @Test
  void evaluatesTheOtherRules() {
    define(CelCases.VALID);
    assertThat(server.unevaluatedRules()).isEmpty();
  }
}
