// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.admission;

import static dev.windlass.testing.apiserver.embedded.probes.WebhookServer.allowed;
import static dev.windlass.testing.apiserver.embedded.probes.WebhookServer.denied;
import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe.Reply;
import dev.windlass.testing.apiserver.embedded.probes.WebhookServer;
import dev.windlass.testing.apiserver.real.access.CertificateAuthority;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Configurations of webhooks, and their denials and failures. */
abstract class WebhookAnswersContract extends WebhookScenario {
  private static final String FAILED =
      "Internal error occurred: failed calling webhook \"v.example.com\": failed to call webhook: ";

  @Test
  void setsTheDefaultsOfAConfiguration() {
    Reply reply = configure(MUTATING, "defaults", webhook("a", "/a", ""));
    JsonNode hook = reply.json().at("/webhooks/0");
    assertThat(hook.path("failurePolicy").asText()).isEqualTo("Fail");
    assertThat(hook.path("matchPolicy").asText()).isEqualTo("Equivalent");
    assertThat(hook.path("timeoutSeconds").asInt()).isEqualTo(10);
    assertThat(hook.path("reinvocationPolicy").asText()).isEqualTo("Never");
    assertThat(hook.path("objectSelector").isObject()).isTrue();
    assertThat(hook.at("/rules/0/scope").asText()).isEqualTo("*");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'sideEffects':'Some'|'sideEffects':'None'|webhooks[0].sideEffects: Unsupported value
          'sideEffects':'None','matchConditions':[{'name':'a','expression':' '}]|'sideEffects':'None'|webhooks[0].matchConditions[0].expression: Required value
          'name':'short'|'name':'a.example.com'|webhooks[0].name: Invalid value
          'admissionReviewVersions':[]|'admissionReviewVersions':['v1']|webhooks[0].admissionReviewVersions: Required value
          'timeoutSeconds':31,'sideEffects':'None'|'sideEffects':'None'|webhooks[0].timeoutSeconds: Invalid value
          'operations':['READ']|'operations':['*']|webhooks[0].rules[0].operations[0]: Unsupported value
          'failurePolicy':'No','sideEffects':'None'|'sideEffects':'None'|webhooks[0].failurePolicy: Unsupported value
          'url':'http|'url':'https|webhooks[0].clientConfig.url: Invalid value
          """)
  void validatesAConfiguration(String wrong, String right, String error) {
    String hook = webhook("a", "/a", "").replace(right, wrong);
    Reply refused =
        http.post(MUTATING, "{'metadata':{'name':'bad'},'webhooks':[%s]}".formatted(hook));
    assertThat(refused.code()).isEqualTo(422);
    assertThat(refused.message())
        .startsWith(
            "MutatingWebhookConfiguration.admissionregistration.k8s.io \"bad\" is invalid: "
                + error);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'message':'no'}|400||admission webhook "v.example.com" denied the request: no
          {'message':'no','code':403,'reason':'Forbidden'}|403|Forbidden|admission webhook "v.example.com" denied the request: no
          {'code':200,'reason':'Odd'}|400|Odd|admission webhook "v.example.com" denied the request: Odd
          {}|400||admission webhook "v.example.com" denied the request without explanation
          {'message':'x','code':422,'details':{'causes':[{'field':'a'}]}}|422||admission webhook "v.example.com" denied the request: x
          """)
  void deniesWrites(String status, int code, String reason, String message) {
    webhooks.answer("/v", request -> denied(status));
    configure(VALIDATING, "v", webhook("v", "/v", ""));
    awaitWebhooks();
    Reply refused = create("a");
    assertThat(refused.message()).isEqualTo(message);
    assertThat(refused.code()).isEqualTo(code);
    assertThat(refused.reason()).isEqualTo(reason == null ? "" : reason);
    assertThat(refused.at("/status")).isEqualTo("Failure");
    assertThat(refused.json().has("details")).isEqualTo(status.contains("details"));
  }

  @Test
  void passesOnWarnings() {
    webhooks.answer(
        "/v",
        request -> {
          ObjectNode response = allowed();
          response.putArray("warnings").add("take \"care\"");
          return response;
        });
    configure(VALIDATING, "v", webhook("v", "/v", ""));
    awaitWebhooks();
    HttpResponse<String> response = http.postRaw(maps(), "{'metadata':{'name':'a'}}");
    assertThat(response.headers().allValues("Warning"))
        .containsExactly("299 - \"take \\\"care\\\"\"");
  }

  @Test
  void failsOrContinuesIfTheWebhookFails() {
    webhooks.fail("/broken", 500, "broken");
    configure(VALIDATING, "v", webhook("v", "/broken", ""));
    eventually()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () -> assertThat(create("a").message()).startsWith(FAILED).contains("broken"));
    http.patch(
        configurations.get(0),
        "json",
        "[{'op':'add','path':'/webhooks/0/failurePolicy','value':'Ignore'}]");
    eventually()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(create("b").code()).isIn(201, 409));
  }

  @Test
  void reportsThatNothingListens() {
    webhooks.close();
    configure(VALIDATING, "v", webhook("v", "/v", ""));
    int port = webhooks.address().getPort();
    eventually()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () -> {
              Reply refused = create("a");
              assertThat(refused.message())
                  .startsWith(
                      FAILED + "Post \"https://127.0.0.1:%d/v?timeout=10s\": ".formatted(port))
                  .containsIgnoringCase("connection refused");
              assertThat(refused.code()).isEqualTo(500);
              assertThat(refused.reason()).isEqualTo("InternalError");
              assertThat(refused.at("/details/causes/0/message"))
                  .isEqualTo(refused.message().substring("Internal error occurred: ".length()));
            });
  }

  @Test
  void trustsOnlyTheCaBundle() {
    webhooks.answer("/v", request -> allowed());
    String other = CertificateAuthority.create(Clock.systemUTC()).self().certificatePem();
    String encoded = Base64.getEncoder().encodeToString(other.getBytes(StandardCharsets.UTF_8));
    configure(VALIDATING, "v", webhook("v", "/v", "").replace(WebhookServer.caBundle(), encoded));
    eventually()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () ->
                assertThat(create("a").message())
                    .startsWith(FAILED)
                    .containsPattern("certificate|PKIX"));
  }
}
