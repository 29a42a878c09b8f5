// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.real.Kubectl;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** kubectl generates these objects and sends them in protobuf, to either server. */
final class KubectlCreateIT {

  private static final List<String> OF_THE_SERVER =
      List.of("uid", "resourceVersion", "creationTimestamp");

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  @AutoClose private final EmbeddedApiServer server = EmbeddedApiServer.start();
  @TempDir private Path embeddedFolder;
  @TempDir private Path realFolder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "configmap c --from-literal=a=b",
        "secret generic s --from-literal=a=b",
        "service clusterip sv --tcp=80:8080",
        "deployment d --image=i --replicas=0 --port=80",
        "namespace protobuf",
        "role r --verb=get,list --resource=pods --resource-name=p",
        "clusterrole cr --verb=get --non-resource-url=/logs",
        "rolebinding rb --role=r --user=u --serviceaccount=default:sa",
        "serviceaccount sa",
        "ingress ing --rule=a/b=sv:80,tls=t",
        "pdb p --selector=a=b --min-available=50%",
        "priorityclass pc --value=-1 --description=d",
        "quota q --hard=cpu=1500m,pods=2"
      })
  void createsTheSameObject(String arguments) {
    JsonNode created = create(Kubectl.on(server, embeddedFolder), arguments);
    assertThat(created).isEqualTo(create(Kubectl.on(kubernetes.server(), realFolder), arguments));
  }

  @ParameterizedTest
  @ValueSource(strings = {"job j --image=i", "cronjob cj --image=i --schedule=@daily -- run"})
  void createsAnObject(String arguments) {
    assertThat(create(Kubectl.on(server, embeddedFolder), arguments).at("/metadata/name").asText())
        .isIn("j", "cj");
  }

  private static JsonNode create(Kubectl kubectl, String arguments) {
    List<String> command = new ArrayList<>(List.of("create", "--dry-run=server", "-o", "json"));
    command.addAll(List.of(arguments.split(" ")));
    Kubectl.Output output = kubectl.run(command.toArray(new String[0]));
    assertThat(output.exit()).as(output.text()).isZero();
    ObjectNode object = Json.parseObject(output.text().getBytes(StandardCharsets.UTF_8));
    ((ObjectNode) object.path("metadata")).remove(OF_THE_SERVER);
    if (object.path("spec") instanceof ObjectNode spec) {
      spec.remove(List.of("clusterIP", "clusterIPs")); // the next free ones
    }
    return object;
  }
}
