// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.admission;

import static dev.windlass.testing.apiserver.embedded.probes.WebhookServer.allowed;
import static dev.windlass.testing.apiserver.embedded.probes.WebhookServer.denied;
import static dev.windlass.testing.apiserver.embedded.probes.WebhookServer.patched;
import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe.Reply;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The writes that webhooks review, and their changes to objects. */
abstract class AdmissionContract extends WebhookScenario {
  @Test
  void sendsEachWriteForReview() {
    webhooks.answer("/v", request -> allowed());
    configure(VALIDATING, "v", webhook("v", "/v", ""));
    awaitWebhooks();
    Reply created = create("a");
    ObjectNode create = webhooks.last();
    assertThat(create.path("operation").asText()).isEqualTo("CREATE");
    assertThat(create.path("kind").toString())
        .isEqualTo("{\"group\":\"\",\"version\":\"v1\",\"kind\":\"ConfigMap\"}");
    assertThat(create.path("resource").toString())
        .isEqualTo("{\"group\":\"\",\"version\":\"v1\",\"resource\":\"configmaps\"}");
    assertThat(create.path("requestKind")).isEqualTo(create.path("kind"));
    assertThat(create.path("requestResource")).isEqualTo(create.path("resource"));
    assertThat(create.has("subResource")).isFalse();
    assertThat(create.path("name").asText()).isEqualTo("a");
    assertThat(create.path("namespace").asText()).isEqualTo(namespace);
    assertThat(create.path("dryRun").isBoolean()).isTrue();
    assertThat(create.path("oldObject").isNull()).isTrue();
    assertThat(create.at("/object/metadata/uid").asText()).isEqualTo(created.at("/metadata/uid"));
    assertThat(create.at("/object/metadata").has("resourceVersion")).isFalse();
    assertThat(create.at("/object/kind").asText()).isEqualTo("ConfigMap");
    assertThat(create.path("options").toString())
        .isEqualTo("{\"kind\":\"CreateOptions\",\"apiVersion\":\"meta.k8s.io/v1\"}");
    assertThat(create.at("/userInfo/groups").toString()).contains("system:masters");

    http.patch(maps() + "/a?fieldManager=me", "merge", "{'data':{'a':'c'}}");
    ObjectNode update = webhooks.last();
    assertThat(update.path("operation").asText()).isEqualTo("UPDATE");
    assertThat(update.at("/object/data/a").asText()).isEqualTo("c");
    assertThat(update.at("/oldObject/data/a").asText()).isEqualTo("b");
    assertThat(update.at("/oldObject/metadata/resourceVersion").asText())
        .isEqualTo(created.version());
    assertThat(update.path("options").toString())
        .isEqualTo(
            "{\"kind\":\"UpdateOptions\",\"apiVersion\":\"meta.k8s.io/v1\",\"fieldManager\":\"me\"}");

    http.delete(maps() + "/a", "{'propagationPolicy':'Foreground'}");
    ObjectNode delete = webhooks.last();
    assertThat(delete.path("operation").asText()).isEqualTo("DELETE");
    assertThat(delete.path("object").isNull()).isTrue();
    assertThat(delete.at("/oldObject/data/a").asText()).isEqualTo("c");
    assertThat(delete.at("/options/kind").asText()).isEqualTo("DeleteOptions");
    assertThat(delete.at("/options/propagationPolicy").asText()).isEqualTo("Foreground");
    assertThat(webhooks.requests()).hasSize(3);
  }

  @Test
  void reviewsEachObjectOfADeletedCollection() {
    create("a");
    create("b");
    webhooks.answer("/v", request -> allowed());
    configure(VALIDATING, "v", webhook("v", "/v", ""));
    awaitWebhooks();
    http.delete(maps() + "?labelSelector=!x&fieldSelector=metadata.name!=kube-root-ca.crt");
    assertThat(webhooks.requests())
        .extracting(request -> request.at("/oldObject/metadata/name").asText())
        .containsExactlyInAnyOrder("a", "b");
    assertThat(webhooks.last().path("name").asText("")).isEmpty();
  }

  @Test
  void keepsTheObjectsOfADeletedCollectionThatTheWebhookDenies() {
    create("a");
    webhooks.answer("/v", request -> denied("{'message':'no'}"));
    configure(VALIDATING, "v", webhook("v", "/v", ""));
    awaitWebhooks();
    Reply refused = http.delete(maps() + "?fieldSelector=metadata.name=a");
    assertThat(refused.message()).contains("denied the request: no");
    assertThat(http.get(maps() + "/a").code()).isEqualTo(200);
  }

  @Test
  void appliesThePatchesOfMutatingWebhooksInOrder() {
    webhooks.answer("/one", r -> patched("[{'op':'add','path':'/data/one','value':'1'}]"));
    webhooks.answer(
        "/two",
        r ->
            patched(
                "[{'op':'add','path':'/data/two','value':'%s'}]"
                    .formatted(r.at("/object/data/one").asText() + "2")));
    configure(MUTATING, "b", webhook("two", "/two", ""));
    configure(MUTATING, "a", webhook("one", "/one", ""));
    awaitWebhooks();
    Reply created = create("a");
    assertThat(created.json().path("data").toString())
        .as(created.text())
        .isEqualTo("{\"a\":\"b\",\"one\":\"1\",\"two\":\"12\"}");
    assertThat(http.get(maps() + "/a").at("/data/two")).isEqualTo("12");
  }

  @Test
  void callsWebhooksAgainIfTheObjectHasChanged() {
    webhooks.answer("/one", r -> allowed());
    webhooks.answer("/two", r -> patched("[{'op':'add','path':'/data/two','value':'2'}]"));
    configure(
        MUTATING,
        "a",
        webhook("one", "/one", "'reinvocationPolicy':'IfNeeded',"),
        webhook("two", "/two", ""));
    awaitWebhooks();
    create("a");
    assertThat(webhooks.requests()).hasSize(3);
    assertThat(webhooks.last().at("/object/data/two").asText()).isEqualTo("2");
  }

  @Test
  void validatesTheMutatedObject() {
    webhooks.answer("/m", r -> patched("[{'op':'add','path':'/data/m','value':'1'}]"));
    webhooks.answer("/v", r -> allowed());
    configure(MUTATING, "m", webhook("m", "/m", ""));
    configure(VALIDATING, "v", webhook("v", "/v", ""));
    awaitWebhooks();
    create("a");
    assertThat(webhooks.last().at("/object/data/m").asText()).isEqualTo("1");
  }

  @Test
  void selectsObjectsByTheirLabels() {
    webhooks.answer("/v", request -> denied("{'message':'no'}"));
    configure(
        VALIDATING, "v", webhook("v", "/v", "'objectSelector':{'matchLabels':{'checked':'yes'}},"));
    eventually()
        .atMost(Duration.ofSeconds(20))
        .until(
            () ->
                http.post(
                            maps() + "?dryRun=All",
                            "{'metadata':{'name':'p','labels':{'checked':'yes'}}}")
                        .code()
                    == 400);
    assertThat(create("a").code()).isEqualTo(201);
    Reply labelled =
        http.patch(maps() + "/a", "merge", "{'metadata':{'labels':{'checked':'yes'}}}");
    assertThat(labelled.code()).isEqualTo(400);
  }

  @Test
  void rejectsDryRunsIfTheWebhookHasSideEffects() {
    webhooks.answer("/v", request -> allowed());
    configure(VALIDATING, "v", webhook("v", "/v", ""));
    awaitWebhooks();
    http.post(maps() + "?dryRun=All", "{'metadata':{'name':'a'}}");
    assertThat(webhooks.last().path("dryRun").asBoolean()).isTrue();
    assertThat(webhooks.last().at("/options/dryRun").toString()).isEqualTo("[\"All\"]");
  }

  @Test
  void reviewsTheStatusAndTheScaleOfADeployment() {
    webhooks.answer("/v", request -> allowed());
    String rules =
        "'rules':[{'apiGroups':['apps'],'apiVersions':['v1'],'resources':['deployments/status','deployments/scale'],'operations':['UPDATE']},{'apiGroups':[''],'apiVersions':['v1'],'resources':['configmaps'],'operations':['CREATE']}],";
    String hook =
        """
        {'name':'v.example.com','admissionReviewVersions':['v1'],'sideEffects':'None',
         'clientConfig':%s,%s
         'namespaceSelector':{'matchLabels':{'kubernetes.io/metadata.name':'%s'}}}
        """
            .formatted(webhooks.clientConfig("/v"), rules, namespace);
    configure(VALIDATING, "v", hook);
    awaitWebhooks();
    String path = "/apis/apps/v1/namespaces/" + namespace + "/deployments";
    http.post(path, HttpProbe.deployment(0));
    http.patch(path + "/web/scale", "merge", "{'spec':{'replicas':2}}");
    ObjectNode scale = scales().get(0);
    assertThat(scale.path("kind").toString())
        .isEqualTo("{\"group\":\"autoscaling\",\"version\":\"v1\",\"kind\":\"Scale\"}");
    assertThat(scale.at("/resource/resource").asText()).isEqualTo("deployments");
    assertThat(scale.path("requestSubResource").asText()).isEqualTo("scale");
    assertThat(scale.at("/object/spec/replicas").asInt()).isEqualTo(2);
    assertThat(scale.at("/oldObject/kind").asText()).isEqualTo("Scale");
    http.patch(path + "/web/status", "merge", "{'status':{'observedGeneration':7}}");
    assertThat(webhooks.requests())
        .anySatisfy(
            status -> {
              assertThat(status.path("subResource").asText()).isEqualTo("status");
              assertThat(status.at("/object/status/observedGeneration").asInt()).isEqualTo(7);
            });
  }

  private List<ObjectNode> scales() {
    return webhooks.requests().stream()
        .filter(request -> request.path("subResource").asText().equals("scale"))
        .collect(Collectors.toList());
  }

  @Test
  void reviewsAnApply() {
    webhooks.answer(
        "/m",
        request -> patched("[{'op':'add','path':'/metadata/labels','value':{'by':'webhook'}}]"));
    configure(MUTATING, "m", webhook("m", "/m", ""));
    awaitWebhooks();
    for (String value : List.of("1", "2")) {
      Reply applied =
          http.send(
              http.request(maps() + "/a?fieldManager=me")
                  .header("Content-Type", "application/apply-patch+yaml")
                  .method(
                      "PATCH",
                      BodyPublishers.ofString(
                          HttpProbe.quoted(
                              "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a'},'data':{'k':'%s'}}"
                                  .formatted(value)))));
      assertThat(applied.at("/data/k")).as(applied.text()).isEqualTo(value);
      assertThat(applied.at("/metadata/labels/by")).isEqualTo("webhook");
      assertThat(applied.at("/metadata/managedFields/0/manager")).isEqualTo("me");
      assertThat(applied.json().at("/metadata/managedFields").toString()).doesNotContain("f:by");
    }
    assertThat(webhooks.requests())
        .extracting(request -> request.path("operation").asText())
        .containsExactly("CREATE", "UPDATE");
  }

  @Test
  void neverReviewsConfigurations() {
    webhooks.answer("/v", request -> denied("{'message':'no'}"));
    String all =
        webhook("v", "/v", "")
            .replace("'apiGroups':['']", "'apiGroups':['','admissionregistration.k8s.io']")
            .replace("'resources':['configmaps']", "'resources':['*/*']");
    configure(VALIDATING, "v", all);
    awaitWebhooks();
    assertThat(http.delete(configurations.get(0)).code()).isEqualTo(200);
  }

  @Test
  void reviewsWritesInEquivalentVersions() {
    String group = namespace + ".example.com";
    String version =
        "{'name':'%s','served':true,'storage':%s,'schema':{'openAPIV3Schema':{'type':'object','x-kubernetes-preserve-unknown-fields':true}}}";
    http.post(
        HttpProbe.CRDS,
        "{'metadata':{'name':'gates.%s'},'spec':{'group':'%s','scope':'Namespaced','names':{'plural':'gates','kind':'Gate'},'versions':[%s,%s]}}"
            .formatted(
                group, group, version.formatted("v1", true), version.formatted("v2", false)));
    String path = "/apis/" + group + "/v2/namespaces/" + namespace + "/gates";
    eventually().atMost(Duration.ofSeconds(20)).until(() -> http.get(path).code() == 200);
    webhooks.answer("/m", r -> patched("[{'op':'add','path':'/spec','value':{'seen':true}}]"));
    configure(
        MUTATING,
        "m",
        webhook("m", "/m", "")
            .replace("'apiGroups':['']", "'apiGroups':['','%s']".formatted(group))
            .replace("['configmaps']", "['configmaps','gates']"));
    awaitWebhooks();
    Reply created =
        http.post(
            path, "{'apiVersion':'%s/v2','kind':'Gate','metadata':{'name':'a'}}".formatted(group));
    assertThat(created.at("/spec/seen")).as(created.text()).isEqualTo("true");
    assertThat(created.at("/apiVersion")).isEqualTo(group + "/v2");
    ObjectNode review = webhooks.last();
    assertThat(review.at("/kind/version").asText()).isEqualTo("v1");
    assertThat(review.at("/resource/version").asText()).isEqualTo("v1");
    assertThat(review.at("/requestKind/version").asText()).isEqualTo("v2");
    assertThat(review.at("/requestResource/version").asText()).isEqualTo("v2");
    assertThat(review.at("/object/apiVersion").asText()).isEqualTo(group + "/v1");
    http.delete(HttpProbe.CRDS + "/gates." + group);
  }

  @Test
  void sendsOnlyWritesThatMeetTheConditions() {
    webhooks.answer("/v", request -> denied("{'message':'no'}"));
    configure(
        VALIDATING,
        "v",
        webhook(
            "v",
            "/v",
            "'matchConditions':[{'name':'a','expression':'request.operation == \\u0027CREATE\\u0027'},{'name':'b','expression':'object.data.a == \\u0027b\\u0027'}],"));
    eventually()
        .atMost(Duration.ofSeconds(20))
        .until(() -> http.post(maps() + "?dryRun=All", map("'a':'b'")).code() == 400);
    assertThat(http.post(maps() + "?dryRun=All", map("'a':'c'")).code()).isEqualTo(201);
    Reply failed = http.post(maps() + "?dryRun=All", map("'b':'c'"));
    assertThat(failed.message())
        .startsWith(
            "configmaps \"x\" is forbidden: expression 'object.data.a == 'b'' resulted in error: ");
    assertThat(failed.code()).isEqualTo(403);
  }

  private static String map(String data) {
    return "{'metadata':{'name':'x'},'data':{%s}}".formatted(data);
  }
}
