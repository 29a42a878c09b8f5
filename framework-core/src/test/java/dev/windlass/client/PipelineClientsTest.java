// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import static dev.windlass.testing.core.Failures.raise;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.client.pipeline.Pipeline;
import dev.windlass.client.pipeline.PipelineClients;
import dev.windlass.client.pipeline.RequestListener;
import dev.windlass.client.pipeline.WriteHook;
import dev.windlass.client.pipeline.WriteResponse;
import dev.windlass.client.pipeline.WriterContext;
import dev.windlass.leader.Fence;
import dev.windlass.leader.LeadershipLostException;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.core.Clients;
import dev.windlass.testing.core.Http;
import dev.windlass.testing.core.Samples;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.io.InputStream;
import java.io.Reader;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class PipelineClientsTest {

  private static final String MAPS = "/api/v1/namespaces/here/configmaps";
  private static final String MAP =
      "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"namespace\":\"here\",\"name\":\"a\"}}";

  @AutoClose private final Http server = new Http();
  private final List<String> told = new CopyOnWriteArrayList<>();
  private final WriteHook hook =
      write -> {
        told.add(write.toString());
        return response -> told.add(response.code() + " " + response.body().length);
      };
  @AutoClose private final KubernetesClient client = Clients.hooked(server.config(), hook);

  private static ConfigMap map() {
    return Samples.configMap("here", "a");
  }

  /** Whoever writes, and through whichever client that was derived from it. */
  @Test
  void tellsOfEachWriteAndOfNoRead() {
    server.answer("GET " + MAPS + "/a", MAP);
    server.answer("POST " + MAPS, MAP);
    server.answer("PUT " + MAPS + "/a", MAP);
    server.answer("DELETE " + MAPS + "/a", MAP);
    client.configMaps().inNamespace("here").withName("a").get();
    client.resource(map()).create();
    client
        .newClient(new RequestConfigBuilder().build())
        .adapt(KubernetesClient.class)
        .resource(map())
        .update();
    client.raw(MAPS + "/a", "DELETE", "{}");
    new LiveClient(client).get(ConfigMap.class, ObjectKey.of("here", "a"));
    String length = " " + MAP.length();
    assertThat(told)
        .containsExactly(
            "POST configmaps here/", "200" + length,
            "PUT configmaps here/a", "200" + length,
            "DELETE configmaps here/a", "200" + length);
  }

  @Test
  void failsIfTheAnswerCantBeHadAsThat() {
    server.answer("POST " + MAPS, MAP);
    HttpClient http = client.getHttpClient();
    assertThat(http.sendAsync(post(http), Integer.class))
        .failsWithin(Duration.ofSeconds(20))
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(ClassCastException.class);
  }

  /** So that a process with several clients inspects the classes of its objects once. */
  @Test
  void sharesWhatItKnowsOfClasses() {
    try (KubernetesClient other = Clients.hooked(server.config(), hook)) {
      assertThat(other.getKubernetesSerialization()).isSameAs(client.getKubernetesSerialization());
    }
  }

  /** The hook can be put around a client that somebody else made, and leaves that open. */
  @Test
  void hooksAClientThatIsThere() {
    server.answer("POST " + MAPS, MAP);
    try (KubernetesClient other = server.newClient()) {
      PipelineClients.around(other, Clients.hooks(hook, RequestListener.NONE))
          .resource(map())
          .create();
      other.resource(map()).create();
      assertThat(told).hasSize(2);
      assertThat(other.getHttpClient().isClosed()).isFalse();
    }
  }

  @Test
  void sendsNothingThatTheHookRefuses() {
    try (KubernetesClient refused =
        Clients.hooked(
            server.config(), write -> raise(new IllegalStateException("not the leader")))) {
      assertThatThrownBy(() -> new LiveClient(refused).create(map()))
          .isExactlyInstanceOf(IllegalStateException.class)
          .hasMessage("not the leader");
      assertThatThrownBy(() -> refused.resource(map()).create())
          .hasStackTraceContaining("not the leader");
      assertThat(server.lines()).isEmpty();
    }
  }

  /** What a fence refuses was not done, and so nothing is unclear. */
  @Test
  void tellsOfAWriteThatAFenceHasRefused() {
    Fence closed =
        new Fence() {
          @Override
          public boolean holds() {
            return false;
          }

          @Override
          public Duration check() {
            throw new LeadershipLostException("not the leader");
          }
        };
    List<String> ends = new CopyOnWriteArrayList<>();
    WriteHook noting =
        write ->
            new WriteHook.Sent() {
              @Override
              public void ended(WriteResponse response) {
                ends.add("ended " + response.code());
              }

              @Override
              public void refused() {
                ends.add("refused");
              }
            };
    try (KubernetesClient hooked = Clients.hooked(server.config(), noting)) {
      HttpClient http =
          hooked
              .getHttpClient()
              .newBuilder()
              .addOrReplaceInterceptor("fence", Fence.guarding(closed))
              .build();
      assertThatThrownBy(() -> http.sendAsync(post(http), byte[].class).join())
          .hasStackTraceContaining("not the leader");
    }
    assertThat(ends).containsExactly("refused");
    assertThat(server.lines()).isEmpty();
  }

  /** Without an answer it may have been done. */
  @Test
  void tellsOfAWriteWithoutAnAnswer() {
    server.close();
    assertThatThrownBy(() -> new LiveClient(client).create(map())).isInstanceOf(ApiException.class);
    assertThat(told).containsExactly("POST configmaps here/", "0 0");
  }

  /** Before whoever wrote can hear of it, be it on another thread. */
  @Test
  void tellsTheHookFirst() throws Exception {
    server.answer("POST " + MAPS, MAP);
    HttpClient http = client.getHttpClient();
    List<String> seen =
        http.sendAsync(post(http), byte[].class).thenApply(response -> List.copyOf(told)).get();
    assertThat(seen).hasSize(2);
  }

  private HttpRequest post(HttpClient http) {
    return http.newHttpRequestBuilder()
        .uri(server.config().getMasterUrl() + MAPS.substring(1))
        .post("application/json", "{}")
        .build();
  }

  @ParameterizedTest
  @ValueSource(classes = {byte[].class, String.class, InputStream.class, Reader.class})
  void hidesNothingOfTheAnswer(Class<?> type) throws Exception {
    server.answer("POST " + MAPS, MAP);
    HttpResponse<?> response =
        client.getHttpClient().sendAsync(post(client.getHttpClient()), type).get();
    assertThat(response.code()).isEqualTo(200);
    assertThat(response.bodyString()).isEqualTo(MAP);
    assertThat(response.header("Content-Type")).isEqualTo("application/json");
    assertThat(response.request().method()).isEqualTo("POST");
    assertThat(response.body()).isInstanceOf(type);
  }

  /** Also behind a proxy that adds steps to the path. */
  @ParameterizedTest
  @CsvSource({
    "POST, api/v1/namespaces, 'POST namespaces '",
    "PUT, api/v1/namespaces/x, PUT namespaces x",
    "PUT, api/v1/namespaces/x/finalize, PUT namespaces/finalize x",
    "PUT, api/v1/namespaces/x/status, PUT namespaces/status x",
    "DELETE, api/v1/namespaces/x/pods, DELETE pods x/",
    "PATCH, apis/a.b/v1/namespaces/x/foos/y/scale, PATCH foos.a.b/scale x/y",
    "PATCH, apis/a.b/v1/foos/y, PATCH foos.a.b y",
    "POST, apis/authorization.k8s.io/v1/selfsubjectrulesreviews, ''",
    "POST, api/v1/namespaces/x/pods/y/exec, ''",
    "POST, api/v1/namespaces/x/services/y/proxy/a/b, ''",
    "POST, version, ''",
    "POST, api/v1, ''",
    "GET, api/v1/namespaces/x/pods, ''"
  })
  void readsTheObjectOutOfThePath(String method, String path, String expected) throws Exception {
    for (String base : List.of("/", "/k8s/clusters/one/")) {
      told.clear();
      String address = server.config().getMasterUrl().replaceAll("/$", "") + base;
      var config = new ConfigBuilder(server.config()).withMasterUrl(address).build();
      try (KubernetesClient behind = Clients.hooked(config, hook)) {
        HttpClient http = behind.getHttpClient();
        HttpRequest request =
            http.newHttpRequestBuilder()
                .uri(address + path)
                .method(method, "application/json", method.equals("GET") ? null : "{}")
                .build();
        http.sendAsync(request, byte[].class).get();
      }
      assertThat(told.stream().findFirst().orElse("")).isEqualTo(expected);
    }
  }

  @Test
  void knowsADryRun() {
    List<Boolean> dry = new CopyOnWriteArrayList<>();
    try (KubernetesClient other =
        Clients.hooked(
            server.config(),
            write -> {
              dry.add(write.dryRun());
              return WriteHook.Sent.IGNORED;
            })) {
      server.answer("POST " + MAPS, MAP);
      server.answer("DELETE " + MAPS + "/a", MAP);
      Client live = new LiveClient(other);
      live.create(map());
      live.dryRun().create(map());
      live.dryRun().delete(ConfigMap.class, ObjectKey.of("here", "a"));
      other.resource(map()).dryRun().create();
      other.raw(MAPS + "/a", "DELETE", "{\"dryRun\":[\"All\"]}");
      other.raw(MAPS + "/a?dryRun=All", "DELETE", null);
      // As in the server, the body of a DELETE overrides the query.
      other.raw(MAPS + "/a?dryRun=All", "DELETE", "{\"dryRun\":[]}");
      assertThat(dry).containsExactly(false, true, true, true, true, true, false);
    }
  }

  /** The controller looks at what its reconciles make, and a dry run makes nothing. */
  @Test
  void doesNotReportADryRunAsMade() {
    server.answer("POST " + MAPS, MAP);
    List<Object> made = new ArrayList<>();
    try (KubernetesClient other =
        Clients.hooked(server.config(), write -> WriteHook.Sent.IGNORED)) {
      Client live =
          CachedClient.bound(
              new LiveClient(other), new WriterContext("me", Set.of(), Fence.OPEN, made::add));
      live.dryRun().create(map());
      assertThat(made).isEmpty();
      live.create(map());
      assertThat(made).hasSize(1);
    }
  }

  /** The other client has loaded the certificates, which takes long. */
  @Test
  void readsTheCertificatesOfAClientThatIsThereNotAgain(@TempDir Path folder) {
    try (KubernetesClient other = server.newClient()) {
      other.getConfiguration().setCaCertFile(folder.resolve("absent").toString());
      KubernetesClient around =
          PipelineClients.around(other, Clients.hooks(hook, RequestListener.NONE));
      assertThat(PipelineClients.fenced(around, Pipeline.Fencing.NONE).getMasterUrl())
          .isEqualTo(other.getMasterUrl());
    }
  }

  @Test
  void refusesToFenceAClientWithoutAPipeline() {
    try (KubernetesClient other = server.newClient()) {
      assertThatThrownBy(() -> PipelineClients.fenced(other, Pipeline.Fencing.NONE))
          .hasMessageContaining("without a pipeline");
    }
  }

  @Test
  void namesTheCertificateThatItCantUse(@TempDir Path folder) {
    String absent = folder.resolve("ca.crt").toString();
    var config = new ConfigBuilder(server.config()).withCaCertFile(absent).build();
    assertThatThrownBy(() -> Clients.hooked(config, hook))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("can't be used")
        .hasMessageContaining(absent);
  }

  /** fabric8 asks again with the request that the interceptor has changed. */
  @Test
  void leavesAReadThatAnInterceptorWantsToRepeatToFabric8() {
    server.answer("GET " + MAPS + "/a", MAP);
    HttpClient http =
        client
            .getHttpClient()
            .newBuilder()
            .addOrReplaceInterceptor(
                "elsewhere",
                new Interceptor() {
                  @Override
                  public CompletableFuture<Boolean> afterFailure(
                      BasicBuilder builder, HttpResponse<?> response, RequestTags tags) {
                    builder.uri(
                        URI.create(server.config().getMasterUrl() + MAPS.substring(1) + "/a"));
                    return CompletableFuture.completedFuture(true);
                  }
                })
            .build();
    HttpRequest absent =
        http.newHttpRequestBuilder()
            .uri(server.config().getMasterUrl() + MAPS.substring(1) + "/absent")
            .build();
    assertThat(http.sendAsync(absent, String.class).join().code()).isEqualTo(200);
  }
}
