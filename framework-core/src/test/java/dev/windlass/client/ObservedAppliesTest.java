// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.client.pipeline.OwnWrites;
import dev.windlass.client.pipeline.ReconcileWrites;
import dev.windlass.client.pipeline.WriteHook;
import dev.windlass.client.pipeline.WriteResponse;
import dev.windlass.client.pipeline.WriterContext;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.informer.testing.FakeListerWatcher;
import dev.windlass.leader.Fence;
import dev.windlass.object.ObjectKey;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testing.core.Clients;
import dev.windlass.testing.core.Http;
import dev.windlass.testing.core.Http.Asked;
import dev.windlass.testsupport.Eventually;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An apply in a reconcile whose writes are observed names the version that it replaces. */
@Timeout(60)
final class ObservedAppliesTest {

  private static final ObjectKey KEY = ObjectKey.of("here", "a");
  private static final String PATH = "/api/v1/namespaces/here/configmaps/a";
  private static final String PATCH = "PATCH " + PATH;

  private final Http server = new Http();
  private final FakeListerWatcher watched = new FakeListerWatcher();
  private final OwnWrites writes = new OwnWrites();
  private final List<Long> replaced = new ArrayList<>();
  private final WriterContext observed =
      new WriterContext("me", Fence.OPEN)
          .observedBy(
              write -> {
                replaced.add(write.replaced());
                return (name, version) -> {};
              });
  private final KubernetesClient fabric8 =
      Clients.hooked(server.config(), both(writes, new ReconcileWrites("")));
  private final SharedInformerFactory informers =
      new SharedInformerFactory(
          (type, where) -> watched,
          WatchScope.ALL,
          InformerOptions.defaults().withScheduler(new ManualScheduler()));
  private final Client client = new CachedClient(fabric8, informers);
  private final Client inReconcile = CachedClient.bound(client, observed);
  private String version = "";

  private static WriteHook both(WriteHook one, WriteHook other) {
    return write -> {
      WriteHook.Sent first = one.before(write);
      WriteHook.Sent second = other.before(write);
      return new WriteHook.Sent() {
        @Override
        public void ended(WriteResponse response) {
          first.ended(response);
          second.ended(response);
        }

        @Override
        public void refused() {
          first.refused();
          second.refused();
        }
      };
    };
  }

  @BeforeEach
  void caches() {
    writes.watch(informers);
    watched.put(json("earlier", ""));
    watched.put(json("cached", ""));
    SharedIndexInformer<ConfigMap> informer = informers.informer(ConfigMap.class);
    informers.start();
    Eventually.that(() -> assertThat(informer.hasSynced()).isTrue());
    version = client.get(ConfigMap.class, KEY).orElseThrow().getMetadata().getResourceVersion();
    answers("500");
  }

  @AfterEach
  void closes() throws InterruptedException {
    assertThat(informers.shutDown(Duration.ofSeconds(20))).isTrue();
    watched.assertNothingOpen();
    fabric8.close();
    server.close();
  }

  private void answers(String next) {
    for (String line : List.of(PATCH, PATCH + "/status", PATCH + "-uncached")) {
      server.answer(line, json("answer", ",\"resourceVersion\":\"" + next + "\""));
    }
  }

  private static String json(String value, String version) {
    return """
    {"kind":"ConfigMap","apiVersion":"v1","metadata":{"namespace":"here","name":"a",\
    "uid":"u1"%s},"data":{"k":"%s"}}\
    """
        .formatted(version, value);
  }

  private static ConfigMap map(String name, String value) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withNamespace("here")
        .withName(name)
        .endMetadata()
        .addToData("k", value)
        .build();
  }

  private List<String> versions() {
    return server.asked().stream()
        .map(Asked::body)
        .map(body -> body.replaceFirst("(?s).*\"resourceVersion\":\"(\\d+)\".*", "$1"))
        .map(found -> found.startsWith("{") ? "none" : found)
        .toList();
  }

  /** Also of another subresource, and after its own writes, which the watch has not shown yet. */
  @Test
  void namesTheNewestVersionThatTheClientShows() {
    inReconcile.apply(map("a", "1"));
    answers("501");
    inReconcile.status().apply(map("a", "2"));
    inReconcile.apply(map("a", "3"));
    assertThat(versions()).containsExactly(version, "500", "501");
    assertThat(replaced).containsExactly(Long.parseLong(version), 500L, 501L);
  }

  @Test
  void namesNoVersionUnlessTheWritesAreObserved() {
    client.withFieldOwner("me").apply(map("a", "1"));
    CachedClient.bound(client, new WriterContext("me", Fence.OPEN)).apply(map("a", "2"));
    inReconcile.dryRun().apply(map("a", "3"));
    inReconcile.uncached().apply(map("a", "4"));
    inReconcile.apply(map("a-uncached", "5"));
    assertThat(versions()).containsOnly("none");
  }

  @Test
  void namesNoVersionIfTheCacheMayLackAWrite() {
    informers.informer(ConfigMap.class).overlay().unclear(KEY, -1);
    inReconcile.apply(map("a", "1"));
    assertThat(versions()).containsExactly("none");
    assertThat(replaced).isEmpty();
  }

  /** The version is not a part of the configuration that it has applied. */
  @Test
  void appliesTheSameConfigurationOnce() {
    inReconcile.apply(map("a", "answer"));
    inReconcile.apply(map("a", "answer"));
    assertThat(versions()).containsExactly(version);
  }

  @Test
  void appliesAgainWithoutAVersionAfterAConflict() {
    server.fail(PATCH, 409, "Conflict", "the object has been modified");
    assertThatThrownBy(() -> inReconcile.apply(map("a", "1")))
        .isInstanceOf(ConflictException.class);
    assertThat(versions()).containsExactly(version, "none");
    assertThat(replaced).as("the second request proves nothing").hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void reportsAConflictOfFieldsAtOnce(boolean status) {
    server.failWith(
        status ? PATCH + "/status" : PATCH,
        409,
        """
        {"kind":"Status","apiVersion":"v1","status":"Failure","code":409,"reason":"Conflict",\
        "details":{"causes":[{"reason":"FieldManagerConflict","field":".data.k"}]}}\
        """);
    Client careful = inReconcile.withoutForce();
    assertThatThrownBy(
            () -> {
              if (status) {
                careful.status().apply(map("a", "1"));
              } else {
                careful.apply(map("a", "1"));
              }
            })
        .isInstanceOf(ConflictException.class);
    assertThat(server.asked()).filteredOn(asked -> asked.line().startsWith("PATCH")).hasSize(1);
  }
}
