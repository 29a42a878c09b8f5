// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.admission;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe.Reply;
import dev.windlass.testing.apiserver.embedded.probes.WebhookServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;

/** Webhooks for the ConfigMaps of one namespace, which is new for each test. */
abstract class WebhookScenario {
  private static final AtomicInteger NAMESPACES = new AtomicInteger();
  private static final String CONFIGURATIONS = "/apis/admissionregistration.k8s.io/v1/";
  static final String MUTATING = CONFIGURATIONS + "mutatingwebhookconfigurations";
  static final String VALIDATING = CONFIGURATIONS + "validatingwebhookconfigurations";

  @AutoClose final WebhookServer webhooks = new WebhookServer();
  final String namespace = "admission-" + NAMESPACES.incrementAndGet();
  final List<String> configurations = new ArrayList<>();
  HttpProbe http;

  abstract TestApiServer server();

  @BeforeEach
  void createTheNamespace() {
    http = HttpProbe.on(server());
    http.post("/api/v1/namespaces", "{'metadata':{'name':'%s'}}".formatted(namespace));
  }

  @AfterEach
  void removeTheConfigurations() {
    configurations.forEach(http::delete);
  }

  String maps() {
    return "/api/v1/namespaces/" + namespace + "/configmaps";
  }

  Reply create(String name) {
    return http.post(maps(), "{'metadata':{'name':'%s'},'data':{'a':'b'}}".formatted(name));
  }

  /** A webhook for ConfigMaps in the namespace of this test, with more fields or other rules. */
  String webhook(String name, String path, String more) {
    return """
        {'name':'%s.example.com','admissionReviewVersions':['v1'],'sideEffects':'None',
         'clientConfig':%s,%s
         'rules':[{'apiGroups':[''],'apiVersions':['v1'],'resources':['configmaps'],
                   'operations':['*']}],
         'namespaceSelector':{'matchLabels':{'kubernetes.io/metadata.name':'%s'}}}
        """
        .formatted(name, webhooks.clientConfig(path), more, namespace);
  }

  Reply configure(String collection, String name, String... hooks) {
    String kind = collection.equals(MUTATING) ? "Mutating" : "Validating";
    Reply reply =
        http.post(
            collection,
            "{'metadata':{'name':'%s-%s'},'webhooks':[%s]}"
                .formatted(namespace, name, String.join(",", hooks)));
    configurations.add(collection + "/" + namespace + "-" + name);
    assertThat(reply.code()).as(kind + reply.text()).isEqualTo(201);
    return reply;
  }

  /** Waits until the server calls webhooks, and forgets the calls. */
  void awaitWebhooks() {
    eventually()
        .atMost(Duration.ofSeconds(20))
        .until(
            () -> {
              http.post(maps() + "?dryRun=All", "{'metadata':{'generateName':'probe-'}}");
              return !webhooks.requests().isEmpty();
            });
    webhooks.clear();
  }
}
