// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.schema;

import static dev.windlass.testing.apiserver.embedded.probes.HttpProbe.CRDS;
import static dev.windlass.testing.apiserver.embedded.probes.HttpProbe.FOOS;
import static dev.windlass.testing.apiserver.embedded.probes.HttpProbe.foo;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe.Reply;
import dev.windlass.testing.apiserver.embedded.probes.WatchProbe;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CustomResourcesTest extends FormatsContract {
  private static final String FOO_CRD = CRDS + "/foos.samplecontroller.k8s.io";

  @AutoClose private final EmbeddedApiServer server = EmbeddedApiServer.start();
  private final HttpProbe http = new HttpProbe(server);

  @Override
  TestApiServer server() {
    return server;
  }

  @Test
  void servesACustomResourceOnceItsCrdIsThere() {
    assertThat(http.get(FOOS).text()).isEqualTo("404 page not found\n");
    http.defineFoos();

    JsonNode conditions = http.get(FOO_CRD).json().at("/status/conditions");
    assertThat(conditions.findValuesAsText("type"))
        .containsExactlyInAnyOrder("Established", "NamesAccepted");
    assertThat(conditions.findValuesAsText("status")).containsOnly("True");
    assertThat(http.get(FOOS).at("/kind")).isEqualTo("FooList");
    assertThat(http.get("/apis").text()).contains("samplecontroller.k8s.io");
    JsonNode resources = http.get("/apis/samplecontroller.k8s.io/v1alpha1").json();
    assertThat(resources.path("resources").findValuesAsText("name"))
        .containsExactly("foos", "foos/status");
    assertThat(http.post(FOOS, foo("a", "")).code()).isEqualTo(201);
  }

  @Test
  void deletesTheObjectsOfACrdAndEndsTheirWatches() {
    http.defineFoos();
    http.post(FOOS, foo("a", ""));
    try (WatchProbe watch = http.watch(FOOS + "?watch=true")) {
      assertThat(watch.next()).isEqualTo("ADDED a");
      assertThat(http.delete(FOO_CRD).code()).isEqualTo(200);
      assertThat(watch.next()).isEqualTo("DELETED a");
      assertThat(watch.line()).isEqualTo(WatchProbe.CLEAN_END);
    }
    assertThat(http.get(FOOS).text()).isEqualTo("404 page not found\n");
    assertThat(http.get(FOO_CRD).code()).isEqualTo(404);
    http.defineFoos();
    assertThat(http.get(FOOS).json().path("items")).isEmpty();
  }

  @Test
  void keepsACrdWhileAFinalizerHoldsAnObject() {
    http.defineFoos();
    http.post(FOOS, foo("a", ""));
    http.patch(FOOS + "/a", "merge", "{'metadata':{'finalizers':['x/1']}}");
    try (WatchProbe watch = http.watch(FOOS + "?watch=true")) {
      watch.await("ADDED");
      http.delete(FOO_CRD);
      watch.await("MODIFIED");
      assertThat(http.get(FOO_CRD).code()).isEqualTo(200);
      assertThat(http.post(FOOS, foo("b", "")).code()).isEqualTo(405);
      http.patch(FOOS + "/a", "merge", "{'metadata':{'finalizers':null}}");
      watch.await("DELETED");
      assertThat(watch.line()).isEqualTo(WatchProbe.CLEAN_END);
    }
    assertThat(http.get(FOO_CRD).code()).isEqualTo(404);
  }

  record Invalid(String more, String message) {}

  static Stream<Invalid> invalids() {
    String is = "Foo.samplecontroller.k8s.io \"a\" is invalid: ";
    return Stream.of(
        new Invalid(
            ",'replicas':11",
            is
                + "spec.replicas: Invalid value: 11: spec.replicas in body should be less than or"
                + " equal to 10"),
        new Invalid(
            ",'replicas':0",
            is
                + "spec.replicas: Invalid value: 0: spec.replicas in body should be greater than"
                + " or equal to 1"),
        new Invalid(
            ",'replicas':'3'",
            is
                + "spec.replicas: Invalid value: \"string\": spec.replicas in body must be of type"
                + " integer: \"string\""),
        new Invalid(
            ",'mode':'odd'",
            is + "spec.mode: Unsupported value: \"odd\": supported values: \"fast\", \"slow\""),
        new Invalid(
            ",'deploymentName':'WEB'",
            is
                + "spec.deploymentName: Invalid value: \"WEB\": spec.deploymentName in body should"
                + " match '^[a-z-]+$'"),
        new Invalid(
            ",'deploymentName':'abcdefghijk'",
            is + "spec.deploymentName: Too long: may not be more than 10 bytes"),
        new Invalid(
            ",'replicas':11,'mode':'odd'",
            is
                + "[spec.mode: Unsupported value: \"odd\": supported values: \"fast\", \"slow\","
                + " spec.replicas: Invalid value: 11: spec.replicas in body should be less than"
                + " or equal to 10]"));
  }

  @ParameterizedTest
  @MethodSource("invalids")
  void refusesWhatBreaksTheSchema(Invalid invalid) {
    http.defineFoos();

    Reply reply = http.post(FOOS, foo("a", invalid.more()));

    assertThat(reply.code()).isEqualTo(422);
    assertThat(reply.reason()).isEqualTo("Invalid");
    assertThat(sorted(reply.message())).isEqualTo(sorted(invalid.message()));
  }

  /** The order of several errors follows the order of the fields in the body. */
  private static String sorted(String message) {
    return message
        .chars()
        .sorted()
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  @Test
  void demandsRequiredFieldsOnEachWrite() {
    http.defineFoos();
    http.post(FOOS, foo("a", ""));

    Reply patch = http.patch(FOOS + "/a", "merge", "{'spec':{'deploymentName':null}}");

    assertThat(patch.code()).isEqualTo(422);
    assertThat(patch.message()).endsWith("spec.deploymentName: Required value");
    assertThat(patch.at("/details/causes/0/field")).isEqualTo("spec.deploymentName");
    assertThat(patch.at("/details/causes/0/reason")).isEqualTo("FieldValueRequired");
  }

  @Test
  void prunesUnknownFieldsAndFillsInDefaults() {
    http.defineFoos();

    Reply created = http.post(FOOS, foo("a", ",'unknown':1,'anything':{'deep':{'x':1}}"));

    JsonNode spec = created.json().path("spec");
    assertThat(spec.has("unknown")).isFalse();
    assertThat(spec.at("/anything/deep/x").asInt()).isEqualTo(1);
    assertThat(spec.path("colour").asText()).isEqualTo("blue");
  }

  @Test
  void keepsStatusApartForCustomResources() {
    http.defineFoos();
    Reply created =
        http.post(FOOS, foo("a", "").replace("'spec'", "'status':{'availableReplicas':3},'spec'"));
    assertThat(created.json().has("status")).isFalse();
    assertThat(created.at("/metadata/generation")).isEqualTo("1");

    Reply status = http.patch(FOOS + "/a/status", "merge", "{'status':{'availableReplicas':2}}");
    assertThat(status.at("/status/availableReplicas")).isEqualTo("2");
    assertThat(status.at("/metadata/generation")).isEqualTo("1");
    Reply spec = http.patch(FOOS + "/a", "merge", "{'spec':{'replicas':2},'status':null}");
    assertThat(spec.at("/status/availableReplicas")).isEqualTo("2");
    assertThat(spec.at("/metadata/generation")).isEqualTo("2");
    assertThat(
            http.patch(FOOS + "/a/status", "merge", "{'status':{'availableReplicas':'x'}}").code())
        .isEqualTo(422);
  }

  @Test
  void demandsAResourceVersionForUpdates() {
    http.defineFoos();
    http.post(FOOS, foo("a", ""));

    Reply reply = http.put(FOOS + "/a", foo("a", ",'replicas':2"));

    assertThat(reply.code()).isEqualTo(422);
    assertThat(reply.message())
        .isEqualTo(
            "foos.samplecontroller.k8s.io \"a\" is invalid: metadata.resourceVersion: Invalid"
                + " value: 0: must be specified for an update");
  }

  @Test
  void refusesStrategicPatchesOfCustomResources() {
    http.defineFoos();
    http.post(FOOS, foo("a", ""));

    assertThat(http.patch(FOOS + "/a", "strategic-merge", "{}").code()).isEqualTo(415);
  }

  @Test
  void takesUpChangesOfASchema() {
    http.defineFoos();
    http.patch(
        FOO_CRD,
        "json",
        "[{'op':'replace','value':20,'path':'/spec/versions/0/schema/openAPIV3Schema/properties/spec"
            + "/properties/replicas/maximum'}]");

    assertThat(http.post(FOOS, foo("a", ",'replicas':11")).code()).isEqualTo(201);
  }

  @Test
  void servesTheSameObjectInEachVersion() {
    String v1 =
        HttpProbe.FOO_CRD.replace(
            "'versions':[",
            "'versions':[{'name':'v1','served':true,'storage':false,"
                + "'schema':{'openAPIV3Schema':{'type':'object',"
                + "'x-kubernetes-preserve-unknown-fields':true}}},");
    assertThat(http.post(CRDS, v1).code()).isEqualTo(201);
    http.post(FOOS, foo("a", ""));

    Reply reply = http.get(FOOS.replace("v1alpha1", "v1") + "/a");

    assertThat(reply.at("/apiVersion")).isEqualTo("samplecontroller.k8s.io/v1");
    assertThat(reply.at("/spec/deploymentName")).isEqualTo("web");
    Reply same = http.put(FOOS.replace("v1alpha1", "v1") + "/a", reply.text());
    assertThat(same.version()).isEqualTo(reply.version());
  }

  @Test
  void refusesCrdsThatMakeNoSense() {
    assertThat(http.post(CRDS, HttpProbe.FOO_CRD.replace("'foos.sample", "'bars.sample")).code())
        .isEqualTo(422);
    assertThat(http.post(CRDS, HttpProbe.FOO_CRD.replace("openAPIV3Schema", "x")).message())
        .contains("openAPIV3Schema: Required value");
  }
}
