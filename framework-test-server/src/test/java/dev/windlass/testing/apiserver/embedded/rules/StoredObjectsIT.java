// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe.Reply;
import dev.windlass.testing.apiserver.embedded.rules.Samples.Sample;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Both servers store the same for an object of a built-in kind: the same defaults, the same
 * notation of quantities, the same first status and the same owners of fields. They also reject the
 * same changes.
 */
final class StoredObjectsIT {

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  @AutoClose private static final EmbeddedApiServer server = EmbeddedApiServer.start();

  private static final ObjectMapper JSON = new ObjectMapper();

  @ParameterizedTest
  @MethodSource("dev.windlass.testing.apiserver.embedded.rules.Samples#all")
  void areTheSame(Sample sample) {
    assertThat(stored(HttpProbe.on(server), sample))
        .isEqualTo(stored(HttpProbe.on(kubernetes.server()), sample));
  }

  /** Only controllers, which are not running, remove the finalizers of claims and Jobs. */
  private static void delete(HttpProbe http, String object) {
    http.delete(object + "?propagationPolicy=Background");
    http.patch(object, "merge", "{'metadata':{'finalizers':null}}");
  }

  private static String stored(HttpProbe http, Sample sample) {
    Reply reply = http.post(sample.path() + "?fieldManager=me", sample.named("stored"));
    int unversioned = http.put(sample.path() + "/stored", sample.named("stored")).code();
    delete(http, sample.path() + "/stored");
    ObjectNode object = (ObjectNode) reply.json();
    ObjectNode metadata = object.withObject("/metadata");
    String uid = metadata.path("uid").asText("none");
    metadata.remove(List.of("uid", "resourceVersion", "creationTimestamp", "finalizers"));
    for (JsonNode entry : metadata.path("managedFields")) {
      ((ObjectNode) entry).remove("time");
    }
    object.withObject("/status").remove("lastPhaseTransitionTime");
    String address = object.path("spec").path("clusterIP").asText("none");
    return sorted(object).replace(uid, "UID").replace(address, "ADDRESS")
        + "\nan update without a version: "
        + unversioned;
  }

  private static String sorted(JsonNode json) {
    try {
      Object tree = JSON.treeToValue(json, Object.class);
      return JSON.copy()
          .configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true)
          .writerWithDefaultPrettyPrinter()
          .writeValueAsString(tree);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A change, as a merge patch. */
  private record Change(String sample, String patch) {}

  static Stream<Change> changes() {
    String image = "{'spec':{'template':{'spec':{'containers':[{'name':'c','image':'j'}]}}}}";
    return Stream.of(
        new Change("StatefulSet stateful", "{'spec':{'serviceName':'other'}}"),
        new Change("StatefulSet stateful", "{'spec':{'volumeClaimTemplates':null}}"),
        new Change("StatefulSet stateful", "{'spec':{'podManagementPolicy':'Parallel'}}"),
        new Change("StatefulSet stateful", "{'spec':{'replicas':3,'minReadySeconds':4}}"),
        new Change("StatefulSet stateful", image),
        new Change(
            "DaemonSet daemons",
            "{'spec':{'selector':{'matchLabels':{'c':'d'}},'template':"
                + "{'metadata':{'labels':{'c':'d'}}}}}"),
        new Change("DaemonSet daemons", image),
        new Change("ReplicaSet replicas", "{'spec':{'replicas':2}}"),
        new Change("Job job", image),
        new Change("Job job", "{'spec':{'completions':3}}"),
        new Change("Job job", "{'spec':{'parallelism':3,'backoffLimit':2}}"),
        new Change("Job job", "{'spec':{'completionMode':'Indexed'}}"),
        new Change(
            "PersistentVolumeClaim claim", "{'spec':{'resources':{'requests':{'storage':'2Gi'}}}}"),
        new Change(
            "PersistentVolumeClaim claim",
            "{'spec':{'resources':{'requests':{'storage':'1024Mi'}}}}"),
        new Change("PersistentVolumeClaim claim", "{'spec':{'accessModes':['ReadWriteMany']}}"),
        new Change("PersistentVolumeClaim claim", "{'spec':{'volumeName':'v'}}"),
        new Change("RoleBinding binding", "{'roleRef':{'name':'other'}}"),
        new Change("RoleBinding binding", "{'subjects':null}"));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void areChangedByTheSame(Change change) {
    assertThat(answer(HttpProbe.on(server), change))
        .isEqualTo(answer(HttpProbe.on(kubernetes.server()), change));
  }

  /** The status code, and the fields in question with the reasons; the words may differ. */
  private static String answer(HttpProbe http, Change change) {
    Sample sample = Samples.of(change.sample());
    String object = sample.path() + "/changed";
    http.post(sample.path(), sample.named("changed"));
    Reply reply = http.patch(object, "merge", change.patch());
    delete(http, object);
    JsonNode causes = reply.json().path("details").path("causes");
    return reply.code() + " " + causes.findValues("field") + " " + causes.findValues("reason");
  }
}
