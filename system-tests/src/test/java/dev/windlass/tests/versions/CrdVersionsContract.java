// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.versions;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.enqueue.EventPredicate;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.crd.CrdInstallation;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.real.access.CertificateAuthority;
import dev.windlass.testing.apiserver.real.access.Credentials;
import dev.windlass.tests.versions.Lamps.LampV1;
import dev.windlass.tests.versions.Lamps.LampV2;
import dev.windlass.webhook.Webhooks;
import dev.windlass.webhook.conversion.Conversion;
import dev.windlass.webhook.migration.StorageMigration;
import dev.windlass.webhook.migration.StorageMigrationBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceConversion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceConversionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A program that converts lamps, and the migration of their storage. */
abstract class CrdVersionsContract {

  private static final CustomResourceConversion NONE =
      new CustomResourceConversionBuilder().withStrategy("None").build();

  private static final Duration LIMIT = Duration.ofSeconds(30);

  /**
   * The API server waits up to 1 min for the objects of a deleted definition to disappear, looking
   * every 5 s, before it deletes them once more.
   */
  private static final Duration REMOVAL_LIMIT = Duration.ofSeconds(90);

  @TempDir Path certificates;
  KubernetesClient client;
  private Manager manager;
  CustomResourceConversion webhook;

  abstract TestApiServer server();

  @BeforeEach
  void startTheWebhooks() throws IOException {
    // Without fabric8's retries, which would repeat a request that can't be converted for 20 s.
    client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(server().clientConfig()).withRequestRetryBackoffLimit(0).build())
            .build();
    CertificateAuthority authority = CertificateAuthority.create(Clock.systemUTC());
    Credentials credentials = authority.server("lamps");
    Files.writeString(certificates.resolve("tls.crt"), credentials.certificatePem());
    Files.writeString(certificates.resolve("tls.key"), credentials.keyPem());
    String bundle =
        Base64.getEncoder()
            .encodeToString(authority.self().certificatePem().getBytes(StandardCharsets.US_ASCII));
    manager = Manager.builder().config(server().clientConfig()).checkPermissions(false).build();
    Webhooks webhooks =
        Webhooks.forService("lamps")
            .convert(Lamps.CONVERSION)
            .certificatesIn(certificates)
            .bindAddress("127.0.0.1:0")
            .drainTime(Duration.ZERO)
            .register(manager);
    manager.start();
    webhook =
        Lamps.webhook("https://127.0.0.1:" + webhooks.port().orElseThrow() + "/convert", bundle);
  }

  @AfterEach
  void removeTheDefinition() {
    try {
      Resource<CustomResourceDefinition> crd = definition();
      change("v2", NONE); // an object that can't be converted can't be deleted either
      crd.delete();
      eventually().atMost(REMOVAL_LIMIT).untilAsserted(() -> assertThat(crd.get()).isNull());
    } finally { // or this test's migration would rewrite the objects of the next test
      manager.close();
      client.close();
    }
  }

  private Resource<CustomResourceDefinition> definition() {
    return client.apiextensions().v1().customResourceDefinitions().withName(Lamps.CRD);
  }

  void install(String storage) {
    server().install(Lamps.definition(storage, webhook));
    eventually().atMost(LIMIT).until(() -> serves(LampV1.class) && serves(LampV2.class));
  }

  private boolean serves(Class<? extends HasMetadata> type) {
    try {
      client.resources(type).inNamespace("default").list();
      return true;
    } catch (KubernetesClientException e) {
      return false;
    }
  }

  /** Changes the storage version or the conversion, and waits until the server uses it. */
  void change(String storage, CustomResourceConversion conversion) {
    definition()
        .edit(
            crd -> {
              crd.setSpec(Lamps.definition(storage, conversion).getSpec());
              return crd;
            });
  }

  List<String> storedVersions() {
    return definition().get().getStatus().getStoredVersions();
  }

  <T extends HasMetadata> T create(T object) {
    return client.resource(object).create();
  }

  private LampV1 first(String name) {
    return client.resources(LampV1.class).inNamespace("default").withName(name).get();
  }

  private LampV2 second(String name) {
    return client.resources(LampV2.class).inNamespace("default").withName(name).get();
  }

  private StorageMigration migrate() {
    return migration().register(manager);
  }

  static StorageMigrationBuilder migration() {
    return StorageMigration.of(LampV2.class)
        .settleTime(Duration.ofMillis(500))
        .checkPeriod(Duration.ofSeconds(1))
        .objectsPerSecond(200);
  }

  private double rewritten() {
    return manager
        .meterRegistry()
        .get("windlass_storage_migration_objects_total")
        .tag("result", "rewritten")
        .functionCounter()
        .count();
  }

  @Test
  void convertsListsAndKeepsTheFieldsThatTheStoredVersionCannotExpress() {
    install("v1");
    IntStream.range(0, 60).forEach(i -> create(Lamps.first("lamp-" + i, "room:" + i)));
    create(Lamps.second("red", "room", 7, "red"));
    assertThat(first("red").getMetadata().getAnnotations()).containsKey(Conversion.HUB_ANNOTATION);
    List<LampV2> all = client.resources(LampV2.class).inNamespace("default").list().getItems();
    assertThat(all).hasSize(61);
    LampV2 red = second("red");
    assertThat(red.getSpec().color).isEqualTo("red");
    assertThat(red.getMetadata().getAnnotations()).doesNotContainKey(Conversion.HUB_ANNOTATION);
    LampV1 changed = first("red");
    changed.getSpec().address = "hall:8";
    client.resource(changed).update();
    assertThat(second("red").getSpec())
        .satisfies(
            spec -> assertThat(spec.host).isEqualTo("hall"),
            spec -> assertThat(spec.color).isEqualTo("red"));
  }

  /** The versions of the objects stay the same, while the API server sends other content. */
  @Test
  void reconcilesAgainWhenTheDefinitionGetsItsConversion() {
    server().install(Lamps.definition("v1", NONE));
    eventually().atMost(LIMIT).until(() -> serves(LampV1.class) && serves(LampV2.class));
    create(Lamps.first("desk", "room:80"));
    List<String> hosts = new CopyOnWriteArrayList<>();
    ControllerBuilder.forType(LampV2.class)
        .objectReconciler(
            (lamp, context) -> {
              hosts.add(String.valueOf(lamp.getSpec().host));
              return Result.done();
            })
        .withEventFilter(EventPredicate.generationChanged())
        .register(manager);
    eventually().atMost(LIMIT).untilAsserted(() -> assertThat(hosts).containsExactly("null"));
    change("v1", webhook);
    eventually()
        .atMost(LIMIT)
        .untilAsserted(() -> assertThat(hosts).containsExactly("null", "room"));
  }

  /** Returns a field of the spec, as a client without classes reads it. */
  private Object field(String version, String name, String field) {
    return client.resource(Lamps.untyped(version, name, Map.of())).get().get("spec", field);
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1", "v2"})
  void keepsTheFieldsThatTheClassesDoNotHave(String storage) {
    install(storage);
    client
        .resource(Lamps.untyped("v1", "desk", Map.of("address", "room:80", "extra", "x")))
        .fieldManager("user")
        .serverSideApply();
    create(Lamps.untyped("v2", "red", Map.of("host", "room", "port", 7, "extra", "y")));
    for (String version : List.of("v1", "v2")) {
      assertThat(field(version, "desk", "extra")).isEqualTo("x");
      assertThat(field(version, "red", "extra")).isEqualTo("y");
    }
    PatchContext merge = PatchContext.of(PatchType.JSON_MERGE);
    for (String name : List.of("desk", "red")) {
      client
          .resource(Lamps.untyped("v1", name, Map.of()))
          .patch(merge, "{\"spec\": {\"address\": \"hall:8\"}}");
      assertThat(field("v2", name, "host")).isEqualTo("hall");
    }
    assertThat(field("v2", "desk", "extra")).isEqualTo("x");
    assertThat(field("v2", "red", "extra")).isEqualTo("y");
    client
        .resource(Lamps.untyped("v1", "red", Map.of()))
        .patch(merge, "{\"spec\": {\"extra\": null}}");
    assertThat(field("v2", "red", "extra")).isNull();
  }

  @Test
  void storesAllObjectsInTheNewVersion() {
    install("v1");
    IntStream.range(0, 30).forEach(i -> create(Lamps.first("lamp-" + i, "room:" + i)));
    change("v2", webhook);
    eventually().atMost(LIMIT).until(() -> storedVersions().equals(List.of("v1", "v2")));
    StorageMigration migration = migrate();
    eventually().atMost(LIMIT).until(() -> storedVersions().equals(List.of("v2")));
    eventually().atMost(LIMIT).until(() -> !migration.isPending());
    assertThat(rewritten()).isEqualTo(30);
    // Without a conversion, the server returns what it has stored, as far as the schema knows it.
    change("v2", NONE);
    eventually()
        .atMost(LIMIT)
        .ignoreException(KubernetesClientException.class) // 429: its storage is initialised again
        .untilAsserted(
            () -> {
              assertThat(first("lamp-7").getSpec().address).isNull();
              assertThat(second("lamp-7").getSpec().port).isEqualTo(7);
              assertThat(client.resources(LampV2.class).inNamespace("default").list().getItems())
                  .allMatch(lamp -> Objects.equals(lamp.getSpec().host, "room"));
            });
  }

  @Test
  void rewritesNothingWhileTheDefinitionHasNoConversion() {
    install("v1");
    create(Lamps.first("desk", "room:80"));
    change("v2", NONE);
    eventually().atMost(LIMIT).until(() -> storedVersions().equals(List.of("v1", "v2")));
    StorageMigration migration = migrate();
    eventually()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(migration.diagnosis().toString())
                    .contains("would remove the field spec.address of v1"));
    assertThat(storedVersions()).containsExactly("v1", "v2");
    change("v2", webhook);
    eventually().atMost(LIMIT).until(() -> storedVersions().equals(List.of("v2")));
    assertThat(second("desk").getSpec().host).isEqualTo("room");
  }

  /** The program finds a definition without a conversion, or installs one itself. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void losesNoFieldWhenItConfiguresTheConversionItself(boolean installs) throws Exception {
    server().install(Lamps.definition("v1", NONE));
    eventually().atMost(LIMIT).until(() -> serves(LampV1.class) && serves(LampV2.class));
    IntStream.range(0, 6).forEach(i -> create(Lamps.first("lamp-" + i, "room:" + i)));
    if (!installs) {
      change("v2", NONE);
    }
    try (Manager upgraded = Manager.builder().config(server().clientConfig()).build()) {
      String address = "127.0.0.1:" + freePort();
      var unused =
          Webhooks.forAddress("lamps", URI.create("https://" + address))
              .convert(Lamps.CONVERSION)
              .inNamespace("default")
              .bindAddress(address)
              .drainTime(Duration.ZERO)
              .register(upgraded);
      if (installs) {
        CrdInstallation.of(List.of(Lamps.definition("v2", null))).takeOver().install(upgraded);
      }
      ControllerBuilder.forType(LampV2.class)
          .objectReconciler(
              (lamp, context) -> {
                lamp.getMetadata().setLabels(Map.of("seen", "yes"));
                context.client().update(lamp);
                return Result.done();
              })
          .withEventFilter(EventPredicate.generationChanged())
          .register(upgraded);
      migration().register(upgraded);
      upgraded.start();
      assertThat(definition().get().getSpec().getConversion().getStrategy())
          .as("the caches must not list objects before")
          .isEqualTo("Webhook");
      eventually().atMost(LIMIT).until(() -> storedVersions().equals(List.of("v2")));
      eventually()
          .atMost(LIMIT)
          .untilAsserted(
              () ->
                  assertThat(
                          client
                              .resources(LampV2.class)
                              .inNamespace("default")
                              .withLabel("seen")
                              .list()
                              .getItems())
                      .hasSize(6)
                      .allMatch(lamp -> Objects.equals(lamp.getSpec().host, "room")));
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Test
  void canBeStoppedAndStartedAgain() throws InterruptedException {
    install("v1");
    IntStream.range(0, 30).forEach(i -> create(Lamps.first("lamp-" + i, "room:" + i)));
    change("v2", webhook);
    eventually().atMost(LIMIT).until(() -> storedVersions().equals(List.of("v1", "v2")));
    StorageMigration first = migration().objectsPerSecond(10).register(manager);
    eventually().atMost(LIMIT).until(() -> rewritten() >= 3);
    assertThat(manager.remove(first)).isTrue();
    assertThat(storedVersions()).containsExactly("v1", "v2");
    migrate();
    eventually().atMost(LIMIT).until(() -> storedVersions().equals(List.of("v2")));
  }

  @Test
  void writesNoObjectThatIsStoredInTheNewVersionAlready() {
    install("v2");
    List<String> before =
        IntStream.range(0, 5)
            .mapToObj(i -> create(Lamps.second("lamp-" + i, "room", i, "red")))
            .map(lamp -> lamp.getMetadata().getResourceVersion())
            .toList();
    definition()
        .editStatus(
            crd -> {
              crd.getStatus().setStoredVersions(List.of("v1", "v2"));
              return crd;
            });
    migrate();
    eventually().atMost(LIMIT).until(() -> storedVersions().equals(List.of("v2")));
    assertThat(IntStream.range(0, 5).mapToObj(i -> second("lamp-" + i)))
        .extracting(lamp -> lamp.getMetadata().getResourceVersion())
        .isEqualTo(before);
  }

  @Test
  void keepsTheStoredVersionsWhileAnObjectCannotBeConverted() {
    install("v1");
    create(Lamps.first("good", "room:1"));
    create(Lamps.first("bad", "nowhere"));
    change("v2", webhook);
    eventually().atMost(LIMIT).until(() -> storedVersions().equals(List.of("v1", "v2")));
    StorageMigration migration = migrate();
    eventually()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(migration.diagnosis().problem().orElse(""))
                    .contains("can't list lamps.lamps.windlass.dev", "default/bad"));
    assertThat(storedVersions()).containsExactly("v1", "v2");
    change("v1", webhook); // the real server converts an object to the stored version to delete it
    eventually()
        .atMost(LIMIT)
        .ignoreExceptions()
        .until(() -> client.resource(Lamps.first("bad", "")).delete() != null);
    change("v2", webhook);
    eventually().atMost(LIMIT).until(() -> storedVersions().equals(List.of("v2")));
  }
}
