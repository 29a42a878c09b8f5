// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe.Reply;
import dev.windlass.testing.apiserver.embedded.probes.WebhookServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The addresses of webhooks that are configured with a Service. */
final class WebhookServicesTest {
  private static final String VALIDATING =
      "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";

  @AutoClose private final WebhookServer webhooks = new WebhookServer();

  @BeforeEach
  void allowEverything() {
    webhooks.answer("/v", request -> WebhookServer.allowed());
  }

  private static void configure(HttpProbe http) {
    Reply reply =
        http.post(
            VALIDATING,
            """
            {'metadata':{'name':'v'},'webhooks':[
             {'name':'v.example.com','admissionReviewVersions':['v1'],'sideEffects':'None',
              'clientConfig':{'caBundle':'%s',
               'service':{'namespace':'default','name':'hooks','path':'/v'}},
              'rules':[{'apiGroups':[''],'apiVersions':['v1'],'resources':['configmaps'],
                        'operations':['CREATE']}]}]}
            """
                .formatted(WebhookServer.caBundle()));
    assertThat(reply.code()).as(reply.text()).isEqualTo(201);
  }

  @Test
  void areThoseOfItsEndpointSlices() {
    try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
      HttpProbe http = new HttpProbe(server);
      http.post(
          "/api/v1/namespaces/default/services",
          "{'metadata':{'name':'hooks'},'spec':{'ports':[{'name':'web','port':443}]}}");
      http.post(
          "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
          """
          {'metadata':{'name':'hooks-1','labels':{'kubernetes.io/service-name':'hooks'}},
           'addressType':'IPv4','endpoints':[{'addresses':['127.0.0.1']}],
           'ports':[{'name':'metrics','port':1},{'name':'web','port':%d}]}
          """
              .formatted(webhooks.address().getPort()));
      configure(http);
      assertThat(http.configMap("a").code()).isEqualTo(201);
      assertThat(webhooks.requests()).hasSize(1);
    }
  }

  @Test
  void areThoseOfItsEndpoints() {
    try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
      HttpProbe http = new HttpProbe(server);
      http.post(
          "/api/v1/namespaces/default/endpoints",
          "{'metadata':{'name':'hooks'},'subsets':[{'addresses':[{'ip':'127.0.0.1'}],'ports':[{'port':%d}]}]}"
              .formatted(webhooks.address().getPort()));
      configure(http);
      assertThat(http.configMap("a").code()).isEqualTo(201);
      assertThat(webhooks.requests()).hasSize(1);
    }
  }

  @Test
  void comeFromTheResolverOtherwise() {
    try (EmbeddedApiServer server =
        EmbeddedApiServer.builder()
            .resolveServices(
                (namespace, name, port) ->
                    (namespace + "/" + name + ":" + port).equals("default/hooks:443")
                        ? webhooks.address()
                        : null)
            .start()) {
      HttpProbe http = new HttpProbe(server);
      configure(http);
      assertThat(http.configMap("a").code()).isEqualTo(201);
      assertThat(webhooks.requests()).hasSize(1);
    }
  }

  @Test
  void areUnknownWithoutEither() {
    try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
      HttpProbe http = new HttpProbe(server);
      configure(http);
      assertThat(http.configMap("a").message())
          .isEqualTo(
              "Internal error occurred: failed calling webhook \"v.example.com\": failed to call webhook: Post \"https://hooks.default.svc:443/v?timeout=10s\": service \"hooks\" not found");
    }
  }
}
