// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.apply;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe.Reply;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What controllers rely on in server-side apply; the embedded and the real server agree on it. */
abstract class ApplyContract {

  private static final String CRD =
      """
      {'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition',
       'metadata':{'name':'gears.apply.windlass.dev'},
       'spec':{'group':'apply.windlass.dev','scope':'Namespaced',
        'names':{'plural':'gears','kind':'Gear'},
        'versions':[{'name':'v1','served':true,'storage':true,'subresources':{'status':{}},
         'schema':{'openAPIV3Schema':{'type':'object','properties':{
          'spec':{'type':'object','properties':{
           'teeth':{'type':'array','x-kubernetes-list-type':'map',
            'x-kubernetes-list-map-keys':['at','side'],
            'items':{'type':'object','required':['at'],'properties':{
             'at':{'type':'integer'},'side':{'type':'string','default':'left'},
             'size':{'type':'integer'}}}},
           'names':{'type':'array','x-kubernetes-list-type':'set','items':{'type':'string'}},
           'steps':{'type':'array','items':{'type':'string'}},
           'whole':{'type':'object','x-kubernetes-map-type':'atomic',
            'additionalProperties':{'type':'string'}},
           'empty':{'type':'object'}}},
          'status':{'type':'object','properties':{'turns':{'type':'integer'}}}}}}}]}}
      """;

  private static final String ENTRY =
      "{'name':'%s','clientConfig':{'url':'https://127.0.0.1:1/'},'sideEffects':'None',"
          + "'failurePolicy':'Ignore','admissionReviewVersions':['v1']}";

  private HttpProbe http;
  private String namespace;
  private String configMap;

  abstract TestApiServer server();

  @BeforeEach
  void makesANamespace() {
    http = HttpProbe.on(server());
    namespace = "apply-" + UUID.randomUUID();
    http.post("/api/v1/namespaces", "{'metadata':{'name':'%s'}}".formatted(namespace));
    configMap = "/api/v1/namespaces/" + namespace + "/configmaps/a";
  }

  private Reply apply(String path, String query, String body) {
    return http.send(
        http.request(path + "?" + query)
            .header("Content-Type", "application/apply-patch+yaml")
            .method("PATCH", BodyPublishers.ofString(HttpProbe.quoted(body))));
  }

  private static Reply good(Reply reply) {
    assertThat(reply.code()).as(reply.text()).isBetween(200, 201);
    return reply;
  }

  /** Applies data to the ConfigMap. */
  private Reply data(String manager, String data) {
    return apply(
        configMap,
        "fieldManager=" + manager,
        "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a'},'data':{%s}}"
            .formatted(data));
  }

  private static JsonNode entry(Reply reply, String manager) {
    for (JsonNode entry : reply.json().at("/metadata/managedFields")) {
      if (entry.path("manager").asText().equals(manager)) {
        return entry;
      }
    }
    return HttpProbe.parse("{}");
  }

  private static String owned(Reply reply, String manager) {
    return entry(reply, manager).path("fieldsV1").toString().replace('"', '\'');
  }

  private static String at(Reply reply, String pointer) {
    return reply.json().at(pointer).toString().replace('"', '\'');
  }

  @Test
  void createsWhatIsNotThere() {
    Reply reply = data("one", "'k':'1'");

    assertThat(reply.code()).isEqualTo(201);
    assertThat(at(reply, "/data")).isEqualTo("{'k':'1'}");
    JsonNode entry = entry(reply, "one");
    assertThat(entry.path("operation").asText()).isEqualTo("Apply");
    assertThat(entry.path("apiVersion").asText()).isEqualTo("v1");
    assertThat(entry.path("fieldsType").asText()).isEqualTo("FieldsV1");
    assertThat(entry.path("time").asText()).isNotEmpty();
    assertThat(owned(reply, "one")).isEqualTo("{'f:data':{'f:k':{}}}");
  }

  @Test
  void readsYaml() {
    Reply reply =
        apply(
            configMap,
            "fieldManager=one",
            """
            apiVersion: v1
            kind: ConfigMap
            metadata:
              name: a
              labels:
                x: z
            data:
              k: "1"
            """);

    assertThat(reply.code()).isEqualTo(201);
    assertThat(at(reply, "/data")).isEqualTo("{'k':'1'}");
    assertThat(owned(reply, "one"))
        .isEqualTo("{'f:data':{'f:k':{}},'f:metadata':{'f:labels':{'f:x':{}}}}");
    assertThat(apply(configMap, "fieldManager=one", "a: [").code()).isEqualTo(400);
  }

  /** An owner is named by its uid, and is owned as a whole. */
  @Test
  void ownsAnOwnerAsAWhole() {
    String owner = "{'apiVersion':'v1','kind':'Pod','name':'p','uid':'u-1','controller':true}";
    Reply reply =
        good(
            apply(
                configMap,
                "fieldManager=one",
                "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a','ownerReferences':[%s]}}"
                    .formatted(owner)
                    .replace('\'', '"')));
    assertThat(owned(reply, "one"))
        .isEqualTo("{'f:metadata':{'f:ownerReferences':{'k:{\\'uid\\':\\'u-1\\'}':{}}}}");
  }

  @Test
  void keepsTheVersionIfNothingChanges() {
    String version = data("one", "'k':'1'").version();
    Reply again = data("one", "'k':'1'");
    assertThat(again.code()).isEqualTo(200);
    assertThat(again.version()).isEqualTo(version);
    Reply changed = data("one", "'k':'2'");
    assertThat(changed.version()).isNotEqualTo(version);
    assertThat(at(changed, "/data")).isEqualTo("{'k':'2'}");
  }

  @Test
  void removesWhatItsManagerDoesNotSayAnyMore() {
    good(data("one", "'k':'1','l':'2'"));
    good(http.patch(configMap + "?fieldManager=u", "merge", "{'data':{'other':'3'}}"));
    Reply reply = good(data("one", "'l':'2'"));
    assertThat(at(reply, "/data")).isEqualTo("{'l':'2','other':'3'}");
    assertThat(owned(reply, "one")).isEqualTo("{'f:data':{'f:l':{}}}");
  }

  @Test
  void keepsWhatAnotherManagerSaysToo() {
    good(data("one", "'k':'1','l':'2'"));
    good(data("two", "'k':'1'"));
    assertThat(at(good(data("one", "'l':'2'")), "/data")).isEqualTo("{'k':'1','l':'2'}");
    assertThat(at(good(data("two", "'m':'3'")), "/data")).isEqualTo("{'l':'2','m':'3'}");
  }

  /** Each entry has its owner, so a program that applies its own keeps those of others. */
  @Test
  void keepsTheWebhooksOfAnotherManager() {
    String path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/shared";
    try {
      good(apply(path, "fieldManager=one", webhook("one.example.com")));
      Reply both = good(apply(path, "fieldManager=two", webhook("two.example.com")));
      assertThat(at(both, "/webhooks")).contains("one.example.com", "two.example.com");
      Reply one = good(apply(path, "fieldManager=two", webhook("")));
      assertThat(at(one, "/webhooks")).contains("one.example.com").doesNotContain("two.example");
    } finally {
      http.delete(path);
    }
  }

  private static String webhook(String name) {
    return """
        {'apiVersion':'admissionregistration.k8s.io/v1','kind':'ValidatingWebhookConfiguration',
         'metadata':{'name':'shared'},'webhooks':[%s]}"""
        .formatted(name.isEmpty() ? "" : ENTRY.formatted(name));
  }

  private static List<String> fields(Reply conflict) {
    return conflict.json().at("/details/causes").findValuesAsText("field");
  }

  @Test
  void refusesToChangeWhatAnotherManagerApplied() {
    good(data("one", "'k':'1','l':'2'"));
    Reply conflict = data("two", "'k':'7'");
    assertThat(conflict.code()).isEqualTo(409);
    assertThat(conflict.reason()).isEqualTo("Conflict");
    assertThat(conflict.message())
        .isEqualTo("Apply failed with 1 conflict: conflict with \"one\": .data.k");
    assertThat(at(conflict, "/details"))
        .isEqualTo(
            "{'causes':[{'reason':'FieldManagerConflict','message':'conflict with \\'one\\'',"
                + "'field':'.data.k'}]}");
    assertThat(fields(data("two", "'k':'7','l':'8'"))).containsExactly(".data.k", ".data.l");
    assertThat(at(http.get(configMap), "/data")).isEqualTo("{'k':'1','l':'2'}");
  }

  @Test
  void takesFieldsOverByForce() {
    good(data("one", "'k':'1','l':'2'"));
    Reply forced =
        good(
            apply(
                configMap,
                "fieldManager=two&force=true",
                "{'apiVersion':'v1','kind':'ConfigMap','data':{'k':'7'}}"));
    assertThat(at(forced, "/data")).isEqualTo("{'k':'7','l':'2'}");
    assertThat(owned(forced, "one")).isEqualTo("{'f:data':{'f:l':{}}}");
    assertThat(owned(forced, "two")).isEqualTo("{'f:data':{'f:k':{}}}");
  }

  @Test
  void refusesToChangeWhatAnotherManagerUpdated() {
    good(data("one", "'k':'1'"));
    Reply patched = good(http.patch(configMap + "?fieldManager=u", "merge", "{'data':{'k':'5'}}"));
    assertThat(owned(patched, "one")).as("an update asks nobody").isEmpty();
    assertThat(entry(patched, "u").path("operation").asText()).isEqualTo("Update");

    Reply conflict = data("one", "'k':'1'");
    assertThat(conflict.code()).isEqualTo(409);
    assertThat(conflict.message())
        .isEqualTo("Apply failed with 1 conflict: conflict with \"u\" using v1: .data.k");
    assertThat(good(data("one", "'k':'5'")).code()).as("the same value").isEqualTo(200);
  }

  @Test
  void refusesToChangeWhatWasCreatedBefore() {
    String maps = configMap.substring(0, configMap.length() - 2);
    good(http.post(maps + "?fieldManager=u", "{'metadata':{'name':'a'},'data':{'k':'1'}}"));
    good(http.post(maps, "{'metadata':{'name':'b'},'data':{'k':'1'}}"));

    assertThat(data("one", "'k':'2'").message()).contains("conflict with \"u\" using v1");
    String map = "{'apiVersion':'v1','kind':'ConfigMap','data':{'k':'2'}}";
    assertThat(apply(maps + "/b", "fieldManager=one", map).code()).isEqualTo(409);
    Reply forced = good(apply(maps + "/b", "fieldManager=one&force=true", map));
    assertThat(at(forced, "/data")).isEqualTo("{'k':'2'}");
  }

  @Test
  void wantsToKnowTheManager() {
    Reply reply = apply(configMap, "", "{'apiVersion':'v1','kind':'ConfigMap'}");
    assertThat(reply.code()).isEqualTo(422);
    assertThat(reply.message())
        .isEqualTo(
            "PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Required value: is required"
                + " for apply patch");
    Reply forced = http.patch(configMap + "?force=true", "merge", "{}");
    assertThat(forced.code()).isEqualTo(422);
    assertThat(forced.message())
        .isEqualTo(
            "PatchOptions.meta.k8s.io \"\" is invalid: force: Forbidden: may not be specified for"
                + " non-apply patch");
  }

  @Test
  void refusesAVersionThatIsNotTheLatest() {
    String version = good(data("one", "'k':'1'")).version();
    good(data("one", "'k':'2'"));
    String body =
        "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a','resourceVersion':'%s'}}";
    Reply stale = apply(configMap, "fieldManager=one", body.formatted(version));
    assertThat(stale.code()).isEqualTo(409);
    assertThat(stale.message()).startsWith("Operation cannot be fulfilled on configmaps \"a\"");
    String fields =
        "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a','managedFields':[{}]}}";
    Reply managed = apply(configMap, "fieldManager=one", fields);
    assertThat(managed.code()).isEqualTo(400);
    assertThat(managed.message()).isEqualTo("metadata.managedFields must be nil");
  }

  @Test
  void storesNothingWithoutANameOrInADryRun() {
    String nameless = "{'apiVersion':'v1','kind':'ConfigMap','data':{'k':'1'}}";
    Reply refused = apply(configMap, "fieldManager=one", nameless);
    assertThat(refused.code()).isEqualTo(400);
    assertThat(refused.message()).contains("the name of the object");
    String body = "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a'},'data':{'k':'1'}}";
    assertThat(apply(configMap, "fieldManager=one&dryRun=All", body).code()).isEqualTo(201);
    assertThat(http.get(configMap).code()).isEqualTo(404);
  }

  private Reply pod(String manager, String spec) {
    return good(
        apply(
            "/apis/apps/v1/namespaces/" + namespace + "/deployments/web",
            "fieldManager=" + manager,
            """
            {'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'web'},'spec':{
             'selector':{'matchLabels':{'app':'web'}},
             'template':{'metadata':{'labels':{'app':'web'}},'spec':{%s}}}}
            """
                .formatted(spec)));
  }

  @Test
  void mergesContainersByNameAndPortsByNumberAndProtocol() {
    String containers = "/spec/template/spec/containers";
    pod("one", "'containers':[{'name':'web','image':'web:1','ports':[{'containerPort':80}]}]");
    Reply both =
        pod(
            "two",
            "'containers':[{'name':'log','image':'log:1'},"
                + "{'name':'web','ports':[{'containerPort':81}]}]");
    assertThat(both.json().at(containers)).hasSize(2);
    assertThat(both.json().at(containers + "/1/ports")).hasSize(2);
    assertThat(owned(both, "two"))
        .contains("'k:{\\'name\\':\\'log\\'}':{'.':{},'f:image':{},'f:name':{}}")
        .contains("'k:{\\'containerPort\\':81,\\'protocol\\':\\'TCP\\'}':{'.':{},");

    Reply less = pod("one", "'containers':[{'name':'web','image':'web:2'}]");
    assertThat(less.at(containers + "/1/image")).isEqualTo("web:2");
    assertThat(at(less, containers + "/1/ports"))
        .isEqualTo("[{'containerPort':81,'protocol':'TCP'}]");
    Reply least = pod("two", "'containers':[{'name':'web'}]");
    assertThat(least.json().at(containers)).hasSize(1);
    assertThat(least.json().at(containers + "/0").has("ports")).isFalse();
  }

  @Test
  void replacesTolerationsAsAWhole() {
    String containers = "'containers':[{'name':'web','image':'web:1'}]";
    pod("one", containers + ",'tolerations':[{'key':'a'},{'key':'b'}]");
    Reply reply = pod("one", containers + ",'tolerations':[{'key':'c'}]");
    assertThat(reply.json().at("/spec/template/spec/tolerations")).hasSize(1);
    assertThat(owned(reply, "one")).contains("'f:tolerations':{}");
  }

  @Test
  void mergesFinalizersAndOwnersOfSeveralManagers() {
    String maps = configMap.substring(0, configMap.length() - 2);
    String body =
        "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a','finalizers':['x.dev/%s'],"
            + "'ownerReferences':[{'apiVersion':'v1','kind':'ConfigMap','name':'%s','uid':'%s'}]}}";
    for (String name : List.of("one", "two")) {
      Reply owner = good(http.post(maps, "{'metadata':{'name':'%s'}}".formatted(name)));
      String uid = owner.at("/metadata/uid");
      good(apply(configMap, "fieldManager=" + name, body.formatted(name, name, uid)));
    }
    Reply both = http.get(configMap);
    assertThat(both.json().at("/metadata/ownerReferences")).hasSize(2);
    assertThat(at(both, "/metadata/finalizers")).isEqualTo("['x.dev/one','x.dev/two']");

    String none = "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a'}}";
    Reply one = good(apply(configMap, "fieldManager=one", none));
    assertThat(at(one, "/metadata/finalizers")).isEqualTo("['x.dev/two']");
    assertThat(one.at("/metadata/ownerReferences/0/name")).isEqualTo("two");
    Reply two = good(apply(configMap, "fieldManager=two", none));
    assertThat(two.json().at("/metadata").has("finalizers")).isFalse();
  }

  private Reply gear(String path, String manager, String fields) {
    return apply(
        "/apis/apply.windlass.dev/v1/namespaces/" + namespace + "/gears/g" + path,
        "fieldManager=" + manager,
        "{'apiVersion':'apply.windlass.dev/v1','kind':'Gear','metadata':{'name':'g'},%s}"
            .formatted(fields));
  }

  @Test
  void acceptsAnyValueOfAFieldWithoutAType() {
    String kind = "untyped" + UUID.randomUUID().toString().substring(0, 8);
    String schema =
        """
        {'type':'object','properties':{'spec':{'type':'object','default':{'text':'a'},'properties':{
         'text':{'type':'string','enum':['a','b'],'example':{'b':1}},
         'list':{'type':'array','items':{'type':'object','properties':{'a':{'type':'string'}}}},
         'map':{'type':'object','additionalProperties':{'type':'array','items':{'type':'string'}}}}}}}
        """;
    good(
        apply(
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + kind + "s.windlass.dev",
            "fieldManager=a",
            """
            {'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition',
             'metadata':{'name':'%1$ss.windlass.dev'},
             'spec':{'group':'windlass.dev','scope':'Namespaced',
              'names':{'plural':'%1$ss','kind':'%1$s'},
              'versions':[{'name':'v1','served':true,'storage':true,
               'schema':{'openAPIV3Schema':%2$s}}]}}
            """
                .formatted(kind, schema)));

    Reply revision =
        good(
            apply(
                "/apis/apps/v1/namespaces/" + namespace + "/controllerrevisions/a",
                "fieldManager=a",
                """
                {'apiVersion':'apps/v1','kind':'ControllerRevision','metadata':{'name':'a'},
                 'revision':1,'data':{'spec':{'replicas':1,'names':['a',{'b':'c'}]}}}
                """));

    assertThat(owned(revision, "a")).isEqualTo("{'f:data':{},'f:revision':{}}");
  }

  private void defineGears() {
    http.post(HttpProbe.CRDS, CRD);
    eventually()
        .until(
            () ->
                http.get("/apis/apply.windlass.dev/v1/namespaces/" + namespace + "/gears").code()
                    == 200);
  }

  @Test
  void mergesTheListsOfCustomResourcesAsTheirSchemaSays() {
    defineGears();
    good(
        gear(
            "",
            "one",
            "'spec':{'teeth':[{'at':1,'size':1}],'names':['a'],'steps':['p'],'whole':{'x':'1'}}"));
    Reply both =
        good(
            gear(
                "",
                "two",
                "'spec':{'teeth':[{'at':1,'side':'right'},{'at':2,'size':2}],'names':['b']}"));
    assertThat(both.json().at("/spec/teeth"))
        .isEqualTo(
            HttpProbe.parse(
                HttpProbe.quoted(
                    "[{'at':1,'side':'left','size':1},{'at':1,'side':'right'},"
                        + "{'at':2,'side':'left','size':2}]")));
    assertThat(at(both, "/spec/names")).isEqualTo("['a','b']");
    assertThat(owned(both, "one")).contains("'f:steps':{}").contains("'f:whole':{}");
    assertThat(owned(both, "one")).contains("'f:names':{'v:\\'a\\'':{}}");

    Reply conflict = gear("", "two", "'spec':{'steps':['q'],'teeth':[{'at':1,'size':3}]}");
    assertThat(fields(conflict))
        .containsExactly(".spec.steps", ".spec.teeth[at=1,side=\"left\"].size");
    Reply less = good(gear("", "two", "'spec':{'names':['b']}"));
    assertThat(less.json().at("/spec/teeth")).hasSize(1);
    assertThat(less.at("/spec/teeth/0/size")).isEqualTo("1");
    Reply none = good(gear("", "one", "'spec':{'whole':{'y':'2'}}"));
    assertThat(at(none, "/spec")).isEqualTo("{'names':['b'],'whole':{'y':'2'}}");
  }

  @Test
  void ownsFieldsThatAreNotStored() {
    defineGears();
    Reply reply = good(gear("", "a", "'spec':{'empty':{'a':{'b':1}}}"));

    assertThat(at(reply, "/spec")).isEqualTo("{'empty':{}}");
    assertThat(owned(reply, "a")).isEqualTo("{'f:spec':{'f:empty':{'f:a':{'.':{},'f:b':{}}}}}");
  }

  @Test
  void appliesTheStatusByItsOwnPath() {
    defineGears();
    assertThat(gear("/status", "one", "'status':{'turns':1}").code()).isEqualTo(404);
    Reply created = good(gear("", "one", "'spec':{'names':['a']},'status':{'turns':9}"));
    assertThat(created.json().has("status")).isFalse();
    assertThat(owned(created, "one")).doesNotContain("f:status");

    Reply status = good(gear("/status", "two", "'spec':{'names':['b']},'status':{'turns':1}"));
    assertThat(at(status, "/spec/names")).isEqualTo("['a']");
    assertThat(status.at("/status/turns")).isEqualTo("1");
    assertThat(entry(status, "two").path("subresource").asText()).isEqualTo("status");
    assertThat(owned(status, "two")).isEqualTo("{'f:status':{'f:turns':{}}}");
    assertThat(status.at("/metadata/generation")).isEqualTo("1");
    assertThat(gear("/status", "three", "'status':{'turns':2}").message())
        .isEqualTo(
            "Apply failed with 1 conflict: conflict with \"two\" with subresource \"status\":"
                + " .status.turns");
    Reply again = good(gear("", "one", "'spec':{'names':['c']},'status':{'turns':9}"));
    assertThat(owned(again, "one")).doesNotContain("f:status");
    assertThat(again.at("/status/turns")).isEqualTo("1");
    assertThat(again.at("/metadata/generation")).isEqualTo("2");
  }
}
