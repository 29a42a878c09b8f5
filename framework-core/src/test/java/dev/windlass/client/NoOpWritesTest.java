// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.pipeline.OwnWrites;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.informer.testing.FakeListerWatcher;
import dev.windlass.object.ObjectKey;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testing.core.Clients;
import dev.windlass.testing.core.Http;
import dev.windlass.testsupport.Eventually;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Writes that would change nothing are not sent; all others are. */
@Timeout(60)
final class NoOpWritesTest {

  private static final ObjectKey KEY = ObjectKey.of("here", "a");
  private static final String PATH = "/api/v1/namespaces/here/configmaps/a";

  private final Http server = new Http();
  private final FakeListerWatcher watched = new FakeListerWatcher();
  private final OwnWrites writes = new OwnWrites();
  private final KubernetesClient fabric8 = Clients.hooked(server.config(), writes);
  private final SharedInformerFactory informers =
      new SharedInformerFactory(
          (type, where) -> watched,
          WatchScope.ALL,
          InformerOptions.defaults().withScheduler(new ManualScheduler()));
  private final CachedClient client =
      new CachedClient(fabric8, informers, CachedClient.Settings.DEFAULT.withFieldOwner("me"));
  private ConfigMap cached = new ConfigMap();

  @AfterEach
  void closes() throws InterruptedException {
    assertThat(informers.shutDown(Duration.ofSeconds(20))).isTrue();
    watched.assertNothingOpen();
    fabric8.close();
    server.close();
  }

  private void cache() {
    writes.watch(informers);
    watched.put(json("kept", ""));
    SharedIndexInformer<ConfigMap> informer = informers.informer(ConfigMap.class);
    informers.start();
    Eventually.that(() -> assertThat(informer.hasSynced()).isTrue());
    cached = client.get(ConfigMap.class, KEY).orElseThrow();
    for (String line : List.of("PUT " + PATH, "PUT " + PATH + "/status", "PATCH " + PATH)) {
      server.answer(line, json("answer", ",\"resourceVersion\":\"500\""));
    }
    server.answer("POST /api/v1/namespaces/here/configmaps", json("answer", ""));
    server.answer("DELETE " + PATH, "{\"kind\":\"Status\",\"status\":\"Success\"}");
  }

  private static String json(String value, String version) {
    return """
    {"kind":"ConfigMap","apiVersion":"v1","metadata":{"namespace":"here","name":"a",\
    "uid":"u1"%s},"data":{"k":"%s"}}\
    """
        .formatted(version, value);
  }

  private static ConfigMap with(ConfigMap map, String value) {
    return new ConfigMapBuilder(map).addToData("k", value).build();
  }

  private static ConfigMap versioned(ConfigMap map, @Nullable String version) {
    return new ConfigMapBuilder(map)
        .editMetadata()
        .withResourceVersion(version)
        .endMetadata()
        .build();
  }

  private static ConfigMap managed(ConfigMap map) {
    ConfigMap named = new ConfigMapBuilder(map).build();
    named.getMetadata().setManagedFields(List.of(new ManagedFieldsEntry()));
    named.getMetadata().getManagedFields().get(0).setManager("x");
    return named;
  }

  private record Case(String what, BiConsumer<Client, ConfigMap> write, boolean sent) {
    @Override
    public String toString() {
      return what + (sent ? " is sent" : " is not sent");
    }
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case("an update of what was read", (c, map) -> c.update(map), false),
        new Case("an update with a change", (c, map) -> c.update(with(map, "new")), true),
        new Case("an update without a version", (c, map) -> c.update(versioned(map, null)), true),
        new Case(
            "an update from another version", (c, map) -> c.update(versioned(map, "77")), true),
        new Case("an update that names managed fields", (c, map) -> c.update(managed(map)), true),
        new Case("a dry run", (c, map) -> c.dryRun().update(map), true),
        new Case("an update past the caches", (c, map) -> c.uncached().update(map), true),
        new Case("a status update of what was read", (c, map) -> c.updateStatus(map), false),
        new Case(
            "a status update with a change", (c, map) -> c.updateStatus(with(map, "new")), true),
        new Case(
            "a patch that was computed and is empty",
            (c, map) -> c.patch(with(map, "kept"), ObjectPatch.mergeFrom(map)),
            false),
        new Case(
            "an empty patch with a lock",
            (c, map) -> c.patch(with(map, "kept"), ObjectPatch.mergeFrom(map).withOptimisticLock()),
            false),
        new Case(
            "a patch with a change",
            (c, map) -> c.patch(with(map, "new"), ObjectPatch.mergeFrom(map)),
            true),
        new Case(
            "a patch whose origin is not known",
            (c, map) -> c.patch(map, ObjectPatch.merge("{}")),
            true),
        new Case("a creation", (c, map) -> c.create(map), true),
        new Case("a deletion", (c, map) -> c.delete(ConfigMap.class, KEY), true),
        new Case("a first apply", (c, map) -> c.apply(map), true));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void sendsOnlyWhatMayChangeSomething(Case c) {
    cache();
    c.write().accept(client, cached);
    assertThat(server.lines()).hasSize(c.sent() ? 1 : 0);
    assertThat(client.skippedWrites()).isEqualTo(c.sent() ? 0 : 1);
  }

  @Test
  void answersWithWhatIsCached() {
    cache();
    ConfigMap answer = client.update(cached);
    assertThat(answer).isEqualTo(cached).isNotSameAs(cached);
  }

  /** The answer to the last write is known, though the watch has not brought it yet. */
  @Test
  void sendsNothingThatItsOwnLastWriteHasDone() {
    cache();
    client.update(with(cached, "answer"));
    ConfigMap written = client.get(ConfigMap.class, KEY).orElseThrow();
    assertThat(written.getMetadata().getResourceVersion()).isEqualTo("500");
    client.update(written);
    assertThat(server.lines()).hasSize(1);
    informers.informer(ConfigMap.class).overlay().unclear(KEY, -1);
    client.update(written);
    assertThat(server.lines()).as("nobody knows what it would change").hasSize(2);
  }

  @Test
  void sendsEverythingIfToldTo() {
    cache();
    Client sending =
        new CachedClient(
            fabric8,
            informers,
            CachedClient.Settings.DEFAULT.withFieldOwner("me").withSkipNoOps(false));
    sending.update(cached);
    sending.apply(cached);
    sending.apply(cached);
    assertThat(server.lines()).hasSize(3);
    assertThat(server.asked().get(0).query()).isEqualTo("fieldManager=me");
  }

  private void othersSetALabel() {
    watched.put(json("kept", ",\"labels\":{\"of\":\"others\"}"));
    Eventually.that(
        () ->
            assertThat(client.get(ConfigMap.class, KEY).orElseThrow().getMetadata().getLabels())
                .containsEntry("of", "others"));
  }

  /** The status, a label: what others own changes without an end, and is none of ours. */
  @Test
  void appliesTheSameOnceThoughOthersChangeTheRest() {
    cache();
    server.answer("PATCH " + PATH, json("kept", ",\"resourceVersion\":\"1\""));
    ConfigMap wanted = with(cached, "kept");
    client.apply(wanted);
    int asked = server.lines().size();
    othersSetALabel();
    assertThat(client.apply(wanted).getMetadata().getLabels()).containsEntry("of", "others");
    assertThat(server.lines()).hasSize(asked);
    watched.delete(KEY);
    watched.put(json("kept", "").replace("u1", "u2"));
    Eventually.that(
        () ->
            assertThat(client.get(ConfigMap.class, KEY).map(map -> map.getMetadata().getUid()))
                .contains("u2"));
    client.apply(wanted);
    assertThat(server.lines()).as("another object of that name").hasSize(asked + 1);
  }

  /** A field that the server takes and does not show may have been overwritten by another one. */
  @Test
  void appliesAgainWhatItCantCompare() {
    cache();
    server.answer("PATCH " + PATH, json("kept", ",\"resourceVersion\":\"1\""));
    ConfigMap wanted = new ConfigMapBuilder(cached).addToBinaryData("hidden", "eA==").build();
    client.apply(wanted);
    int asked = server.lines().size();
    othersSetALabel();
    client.apply(wanted);
    assertThat(server.lines()).hasSize(asked + 1);
  }

  /** As long as the object has what the same apply led to. */
  @Test
  void appliesTheSameOnce() {
    cache();
    String version = cached.getMetadata().getResourceVersion();
    server.answer("PATCH " + PATH, json("kept", ",\"resourceVersion\":\"" + version + "\""));
    ConfigMap wanted = with(cached, "kept");
    client.apply(wanted);
    client.apply(wanted);
    assertThat(client.apply(wanted).getData()).containsEntry("k", "kept");
    assertThat(server.lines()).as("the same").hasSize(1);
    client.withFieldOwner("other").apply(wanted);
    assertThat(server.lines()).as("by somebody else").hasSize(2);
    client.apply(with(cached, "new"));
    assertThat(server.lines()).as("something else").hasSize(3);
    client.apply(wanted);
    assertThat(server.lines()).as("the first again").hasSize(4);
    client.apply(wanted);
    assertThat(server.lines()).as("and once more").hasSize(4);
    watched.put(json("changed", ""));
    Eventually.that(
        () ->
            assertThat(client.get(ConfigMap.class, KEY).orElseThrow().getData())
                .containsEntry("k", "changed"));
    client.apply(wanted);
    assertThat(server.lines()).as("after somebody changed it").hasSize(5);
  }
}
