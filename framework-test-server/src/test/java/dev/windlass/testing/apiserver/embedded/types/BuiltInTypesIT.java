// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.types;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The embedded server's resources are those of the real one, but for what this class lists. */
final class BuiltInTypesIT {

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  private static final String CONNECTION = "a connection to a kubelet, and there is none";
  private static final String NO_ACCESS = "all users of the embedded server may do everything";
  private static final String NO_AGGREGATION = "the embedded server aggregates no other servers";
  private static final String OTHER_VERSION =
      "the objects of autoscaling/v2 in an older form, and the embedded server converts none";
  private static final String OTHER_OBJECT = "a write to a part of the object, for other programs";

  /** What the embedded server lacks, and why. */
  private static final Map<String, String> LACKING =
      Map.ofEntries(
          Map.entry("v1 bindings", "for schedulers"),
          Map.entry("v1 componentstatuses", "deprecated, and asks programs that are not there"),
          Map.entry("v1 nodes/proxy", CONNECTION),
          Map.entry("v1 pods/attach", CONNECTION),
          Map.entry("v1 pods/binding", "for schedulers"),
          Map.entry("v1 pods/ephemeralcontainers", OTHER_OBJECT),
          Map.entry("v1 pods/eviction", "the embedded server weighs no budgets"),
          Map.entry("v1 pods/exec", CONNECTION),
          Map.entry("v1 pods/log", CONNECTION),
          Map.entry("v1 pods/portforward", CONNECTION),
          Map.entry("v1 pods/proxy", CONNECTION),
          Map.entry("v1 pods/resize", OTHER_OBJECT),
          Map.entry("v1 serviceaccounts/token", NO_ACCESS),
          Map.entry("authorization.k8s.io/v1 localsubjectaccessreviews", NO_ACCESS),
          Map.entry("v1 services/proxy", CONNECTION),
          Map.entry("apiregistration.k8s.io/v1 apiservices", NO_AGGREGATION),
          Map.entry("apiregistration.k8s.io/v1 apiservices/status", NO_AGGREGATION),
          Map.entry("autoscaling/v1 horizontalpodautoscalers", OTHER_VERSION),
          Map.entry("autoscaling/v1 horizontalpodautoscalers/status", OTHER_VERSION),
          Map.entry("certificates.k8s.io/v1 certificatesigningrequests/approval", OTHER_OBJECT));

  /** A resource or subresource as discovery shows it. */
  private record Served(String kind, boolean namespaced, String singular, Set<String> shortNames) {}

  @Test
  void areThoseOfARealServer() {
    Map<String, Served> real = served(HttpProbe.on(kubernetes.server()));
    Map<String, Served> embedded;
    try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
      embedded = served(HttpProbe.on(server));
    }
    assertThat(real).as("what the real server has").containsAllEntriesOf(embedded);
    Set<String> lacking = new TreeSet<>(real.keySet());
    lacking.removeAll(embedded.keySet());
    // Other tests on the shared server may have defined resources of their own. The groups that
    // come with Kubernetes have no dot, or end in k8s.io.
    lacking.removeIf(resource -> isOfACrd(resource.replaceFirst("[/ ].*", "")));
    assertThat(lacking).as("what the embedded server lacks").isEqualTo(LACKING.keySet());
  }

  private static boolean isOfACrd(String group) {
    boolean builtIn = !group.contains(".") || group.endsWith(".k8s.io");
    return !builtIn || group.equals("samplecontroller.k8s.io");
  }

  private static Map<String, Served> served(HttpProbe http) {
    Map<String, Served> served = new TreeMap<>();
    read(http, "/api/v1", served);
    for (JsonNode group : http.get("/apis").json().path("groups")) {
      for (JsonNode version : group.path("versions")) {
        read(http, "/apis/" + version.path("groupVersion").asText(), served);
      }
    }
    return served;
  }

  private static void read(HttpProbe http, String path, Map<String, Served> served) {
    JsonNode list = http.get(path).json();
    String version = list.path("groupVersion").asText();
    for (JsonNode resource : list.path("resources")) {
      Set<String> shortNames = new HashSet<>();
      resource.path("shortNames").forEach(name -> shortNames.add(name.asText()));
      served.put(
          version + " " + resource.path("name").asText(),
          new Served(
              resource.path("kind").asText(),
              resource.path("namespaced").asBoolean(),
              resource.path("singularName").asText(),
              shortNames));
    }
  }
}
