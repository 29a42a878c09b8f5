// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.access;

import static java.net.http.HttpRequest.BodyPublishers.ofString;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe.Reply;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Who sends a request, as the server sees it. */
final class UsersTest {

  private static final String REVIEWS = "/apis/authentication.k8s.io/v1/";

  @AutoClose private final EmbeddedApiServer server = EmbeddedApiServer.start();
  private final HttpProbe admin = HttpProbe.on(server);
  private final HttpProbe ann = HttpProbe.on(server.userConfig("ann", "readers"));

  private static JsonNode whoAmI(HttpProbe http) {
    return http.post(REVIEWS + "selfsubjectreviews", "{}").json().at("/status/userInfo");
  }

  @Test
  void aTokenNamesItsUser() {
    assertThat(whoAmI(ann).toString())
        .isEqualTo("{\"username\":\"ann\",\"groups\":[\"readers\",\"system:authenticated\"]}");
    assertThat(whoAmI(admin).path("username").asText()).isEqualTo("admin");
    assertThat(whoAmI(HttpProbe.on(server).withToken("unknown")).path("username").asText())
        .isEqualTo("admin");
  }

  @Test
  void aUserCanActAsAnother() {
    Reply self =
        ann.send(
            ann.request(REVIEWS + "selfsubjectreviews")
                .header("Impersonate-User", "eve")
                .header("Impersonate-Group", "one,two")
                .POST(ofString("{}")));
    assertThat(self.json().at("/status/userInfo").toString())
        .isEqualTo("{\"username\":\"eve\",\"groups\":[\"one\",\"two\",\"system:authenticated\"]}");
  }

  @Test
  void everythingIsAllowed() {
    Reply review =
        ann.post(
            "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
            "{'spec':{'resourceAttributes':{'verb':'delete','resource':'nodes'}}}");
    assertThat(review.code()).isEqualTo(201);
    assertThat(review.json().at("/status/allowed").asBoolean()).isTrue();
    Reply rules =
        ann.post(
            "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
            "{'spec':{'namespace':'default'}}");
    assertThat(rules.json().at("/status/resourceRules").toString())
        .isEqualTo("[{\"verbs\":[\"*\"],\"apiGroups\":[\"*\"],\"resources\":[\"*\"]}]");
  }

  @Test
  void reviewsTokens() {
    String token = server.userConfig("eve").getOauthToken();
    JsonNode known = tokenReview(token);
    assertThat(known.path("authenticated").asBoolean()).isTrue();
    assertThat(known.at("/user/username").asText()).isEqualTo("eve");
    JsonNode unknown = tokenReview("other");
    assertThat(unknown.path("authenticated").asBoolean()).isFalse();
    assertThat(unknown.path("error").asText()).isEqualTo("invalid bearer token");
    assertThat(admin.get(REVIEWS + "tokenreviews").code()).isEqualTo(405);
  }

  private JsonNode tokenReview(String token) {
    return admin
        .post(REVIEWS + "tokenreviews", "{'spec':{'token':'%s'}}".formatted(token))
        .json()
        .path("status");
  }
}
