// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.access;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe.Reply;
import io.fabric8.kubernetes.client.Config;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rights of users, and the reviews with which clients ask for them. */
abstract class AccessContract {
  private static final AtomicInteger NUMBERS = new AtomicInteger();
  private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/";
  private static final String AUTHORIZATION = "/apis/authorization.k8s.io/v1/";
  private static final String AUTHENTICATION = "/apis/authentication.k8s.io/v1/";

  private final String namespace = "access-" + NUMBERS.incrementAndGet();
  private final String user = "user-" + namespace;
  private HttpProbe admin;
  private HttpProbe http;

  abstract TestApiServer server();

  abstract Config userConfig(String user, String... groups);

  @BeforeEach
  void connect() {
    admin = HttpProbe.on(server());
    admin.post("/api/v1/namespaces", "{'metadata':{'name':'%s'}}".formatted(namespace));
    http = HttpProbe.on(userConfig(user, "team-" + namespace));
  }

  private String maps() {
    return "/api/v1/namespaces/" + namespace + "/configmaps";
  }

  /** Binds a Role with a rule to a subject. */
  private void grant(String rule, String subject) {
    String name = "grant-" + NUMBERS.incrementAndGet();
    String roles = RBAC + "namespaces/" + namespace + "/roles";
    Reply role = admin.post(roles, "{'metadata':{'name':'%s'},'rules':[%s]}".formatted(name, rule));
    assertThat(role.code()).as(role.text()).isEqualTo(201);
    Reply binding =
        admin.post(
            RBAC + "namespaces/" + namespace + "/rolebindings",
            "{'metadata':{'name':'%s'},'roleRef':{'apiGroup':'rbac.authorization.k8s.io','kind':'Role','name':'%s'},'subjects':[%s]}"
                .formatted(name, name, subject));
    assertThat(binding.code()).as(binding.text()).isEqualTo(201);
  }

  private String asUser() {
    return "{'kind':'User','apiGroup':'rbac.authorization.k8s.io','name':'" + user + "'}";
  }

  private static final String READ_MAPS =
      "{'apiGroups':[''],'resources':['configmaps'],'verbs':['get','list']}";

  private void awaitAccess(HttpProbe client) {
    eventually().atMost(Duration.ofSeconds(20)).until(() -> client.get(maps()).code() == 200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          /api/v1/namespaces/NS/configmaps|configmaps is forbidden: User "USER" cannot list resource "configmaps" in API group "" in the namespace "NS"
          /api/v1/namespaces/NS/configmaps/a|configmaps "a" is forbidden: User "USER" cannot get resource "configmaps" in API group "" in the namespace "NS"
          /apis/apps/v1/namespaces/NS/deployments/a/scale|deployments.apps "a" is forbidden: User "USER" cannot get resource "deployments/scale" in API group "apps" in the namespace "NS"
          /apis/apps/v1/deployments|deployments.apps is forbidden: User "USER" cannot list resource "deployments" in API group "apps" at the cluster scope
          /api/v1/nodes/a|nodes "a" is forbidden: User "USER" cannot get resource "nodes" in API group "" at the cluster scope
          /api/v1/namespaces/NS|namespaces "NS" is forbidden: User "USER" cannot get resource "namespaces" in API group "" in the namespace "NS"
          /metrics|forbidden: User "USER" cannot get path "/metrics"
          """)
  void forbidsWhatNoRoleAllows(String path, String message) {
    Reply refused = http.get(path.replace("NS", namespace));
    assertThat(refused.code()).isEqualTo(403);
    assertThat(refused.reason()).isEqualTo("Forbidden");
    assertThat(refused.message()).isEqualTo(message.replace("USER", user).replace("NS", namespace));
    assertThat(refused.json().has("details")).isTrue();
  }

  @Test
  void allowsEveryoneToDiscoverTheApi() {
    assertThat(http.get("/apis").code()).isEqualTo(200);
    assertThat(http.get("/version").code()).isEqualTo(200);
  }

  @Test
  void allowsWhatARoleOfTheUserAllows() {
    grant(READ_MAPS, asUser());
    awaitAccess(http);
    Reply refused = http.post(maps(), "{'metadata':{'name':'a'}}");
    assertThat(refused.message())
        .isEqualTo(
            "configmaps is forbidden: User \"%s\" cannot create resource \"configmaps\" in API group \"\" in the namespace \"%s\""
                .formatted(user, namespace));
    assertThat(http.get("/api/v1/configmaps").code()).isEqualTo(403);
  }

  @Test
  void allowsWhatARoleOfAGroupAllows() {
    grant(
        READ_MAPS,
        "{'kind':'Group','apiGroup':'rbac.authorization.k8s.io','name':'team-" + namespace + "'}");
    awaitAccess(http);
  }

  @Test
  void restrictsARuleToNames() {
    grant(
        "{'apiGroups':[''],'resources':['configmaps'],'resourceNames':['a'],'verbs':['get']}",
        asUser());
    eventually().atMost(Duration.ofSeconds(20)).until(() -> http.get(maps() + "/a").code() == 404);
    assertThat(http.get(maps() + "/b").code()).isEqualTo(403);
  }

  private Reply canI(HttpProbe client, String verb, String resource) {
    return client.post(
        AUTHORIZATION + "selfsubjectaccessreviews",
        "{'spec':{'resourceAttributes':{'verb':'%s','resource':'%s','namespace':'%s'}}}"
            .formatted(verb, resource, namespace));
  }

  @Test
  void answersReviewsOfTheUsersOwnAccess() {
    grant(READ_MAPS, asUser());
    awaitAccess(http);
    Reply allowed = canI(http, "list", "configmaps");
    assertThat(allowed.code()).isEqualTo(201);
    assertThat(allowed.at("/kind")).isEqualTo("SelfSubjectAccessReview");
    assertThat(allowed.json().path("status").path("allowed").asBoolean()).isTrue();
    assertThat(allowed.at("/status/reason"))
        .matches(
            "RBAC: allowed by RoleBinding \"grant-\\d+/%s\" of Role \"grant-\\d+\" to User \"%s\""
                .formatted(namespace, user));
    assertThat(canI(http, "delete", "configmaps").json().path("status").toString())
        .isEqualTo("{\"allowed\":false}");
    assertThat(canI(admin, "delete", "nodes").json().path("status").toString())
        .isEqualTo("{\"allowed\":true}");
  }

  @Test
  void answersReviewsOfTheAccessOfOthers() {
    grant(READ_MAPS, asUser());
    awaitAccess(http);
    String spec =
        "{'spec':{'user':'%s','resourceAttributes':{'verb':'get','resource':'configmaps','namespace':'%s'}}}"
            .formatted(user, namespace);
    Reply all = admin.post(AUTHORIZATION + "subjectaccessreviews", spec);
    assertThat(all.json().path("status").path("allowed").asBoolean()).isTrue();
    Reply local =
        admin.post(
            AUTHORIZATION + "namespaces/" + namespace + "/localsubjectaccessreviews",
            spec.replaceFirst("\\{", "{'metadata':{'namespace':'" + namespace + "'},"));
    assertThat(local.json().path("status").path("allowed").asBoolean()).as(local.text()).isTrue();
    Reply refused = http.post(AUTHORIZATION + "subjectaccessreviews", spec);
    assertThat(refused.message())
        .isEqualTo(
            "subjectaccessreviews.authorization.k8s.io is forbidden: User \"%s\" cannot create resource \"subjectaccessreviews\" in API group \"authorization.k8s.io\" at the cluster scope"
                .formatted(user));
  }

  @Test
  void listsTheRulesOfAUser() {
    grant(READ_MAPS, asUser());
    awaitAccess(http);
    Reply rules =
        http.post(
            AUTHORIZATION + "selfsubjectrulesreviews",
            "{'spec':{'namespace':'%s'}}".formatted(namespace));
    assertThat(rules.json().at("/status/resourceRules"))
        .anySatisfy(
            rule ->
                assertThat(rule)
                    .isEqualTo(
                        HttpProbe.parse(
                            HttpProbe.quoted(
                                "{'verbs':['get','list'],'apiGroups':[''],'resources':['configmaps']}"))));
    assertThat(rules.json().at("/status/nonResourceRules").isEmpty()).isFalse();
  }

  @Test
  void answersWhoTheUserIs() {
    Reply self = http.post(AUTHENTICATION + "selfsubjectreviews", "{}");
    JsonNode info = self.json().at("/status/userInfo");
    assertThat(info.path("username").asText()).isEqualTo(user);
    assertThat(info.path("groups").toString())
        .isEqualTo("[\"team-%s\",\"system:authenticated\"]".formatted(namespace));
  }

  @Test
  void issuesTokensForServiceAccounts() {
    String accounts = "/api/v1/namespaces/" + namespace + "/serviceaccounts";
    admin.post(accounts, "{'metadata':{'name':'robot'}}");
    Reply request = admin.post(accounts + "/robot/token", "{'spec':{'expirationSeconds':600}}");
    assertThat(request.code()).as(request.text()).isEqualTo(201);
    assertThat(request.at("/kind")).isEqualTo("TokenRequest");
    String token = request.at("/status/token");
    HttpProbe robot = anonymous().withToken(token);
    String name = "system:serviceaccount:" + namespace + ":robot";
    assertThat(robot.get(maps()).message())
        .isEqualTo(
            "configmaps is forbidden: User \"%s\" cannot list resource \"configmaps\" in API group \"\" in the namespace \"%s\""
                .formatted(name, namespace));
    grant(READ_MAPS, "{'kind':'ServiceAccount','name':'robot','namespace':'" + namespace + "'}");
    awaitAccess(robot);
    Reply review =
        admin.post(AUTHENTICATION + "tokenreviews", "{'spec':{'token':'%s'}}".formatted(token));
    assertThat(review.json().at("/status/authenticated").asBoolean()).isTrue();
    assertThat(review.at("/status/user/username")).isEqualTo(name);
    Reply unknown = admin.post(AUTHENTICATION + "tokenreviews", "{'spec':{'token':'other'}}");
    assertThat(unknown.json().at("/status/authenticated").asBoolean()).isFalse();
    assertThat(unknown.at("/status/error")).contains("invalid bearer token");
    assertThat(admin.post(accounts + "/nobody/token", "{}").code()).isEqualTo(404);
  }

  /** Returns a client whose credentials are only its token. */
  private HttpProbe anonymous() {
    Config config = server().clientConfig();
    config.setClientCertData(null);
    config.setClientKeyData(null);
    return HttpProbe.on(config);
  }

  @Test
  void rejectsUnknownTokens() {
    Reply refused = anonymous().withToken("unknown").get(maps());
    assertThat(refused.code()).isEqualTo(401);
    assertThat(refused.message()).isEqualTo("Unauthorized");
    assertThat(refused.reason()).isEqualTo("Unauthorized");
  }

  @Test
  void actsAsAnotherUser() {
    Reply refused = admin.send(admin.request(maps()).header("Impersonate-User", "eve").GET());
    assertThat(refused.message()).startsWith("configmaps is forbidden: User \"eve\" cannot list");
    Reply forbidden = http.send(http.request(maps()).header("Impersonate-User", "eve").GET());
    assertThat(forbidden.message())
        .isEqualTo(
            "users \"eve\" is forbidden: User \"%s\" cannot impersonate resource \"users\" in API group \"\" at the cluster scope"
                .formatted(user));
  }
}
