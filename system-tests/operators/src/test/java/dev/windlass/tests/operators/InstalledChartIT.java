// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.operators;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.examples.foo.FooEntry;
import dev.windlass.examples.tenant.Tenant;
import dev.windlass.examples.tenant.TenantEntry;
import dev.windlass.examples.tenant.World;
import dev.windlass.testing.apiserver.real.Kubectl;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.testsupport.TrustEverything;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A chart, installed by Helm, and the program of its Deployment under its ServiceAccount. The
 * server calls webhooks at the addresses in EndpointSlices, because there is no kube-proxy.
 */
final class InstalledChartIT {

  @RegisterExtension
  static final RealApiServerExtension KUBERNETES =
      RealApiServerExtension.own(
          RealApiServer.builder().audit(true).apiServerFlags("--enable-aggregator-routing=true"));

  private static final String ONLY_ON_THE_LEADER = "is now the leader for the lease";

  private static final Path TENANT = InstalledProgram.jar("tenant", "tenant-operator");
  private static final Path FOO = InstalledProgram.jar("foo", "foo-operator");

  @TempDir private Path folder;

  private KubernetesClient kubectl;
  private Helm helm;

  @BeforeEach
  void connects() throws Exception {
    kubectl = KUBERNETES.server().newClient();
    helm = Helm.on(KUBERNETES.server(), folder);
  }

  @AfterEach
  void disconnects() {
    kubectl.close();
  }

  /** Installs the chart that a program writes, and everything that it needs. */
  private void install(Path jar, String name, String namespace, String... values) throws Exception {
    Path chart = folder.resolve(name);
    InstalledProgram.write(jar, "--write-helm=" + chart);
    List<String> command =
        new ArrayList<>(
            List.of(
                "install", name, chart.toString(), "--namespace", namespace, "--create-namespace"));
    for (String value : values) {
      command.addAll(List.of("--set", value));
    }
    assertThat(helm.succeed(command)).contains("STATUS: deployed");
  }

  /** Makes the Service of webhooks lead to a process on this machine. */
  private void route(String service, String namespace, int port) throws IOException {
    kubectl
        .resource(
            new EndpointSliceBuilder()
                .withNewMetadata()
                .withName(service + "-1")
                .withNamespace(namespace)
                .addToLabels("kubernetes.io/service-name", service)
                .endMetadata()
                .withAddressType("IPv4")
                .addNewEndpoint()
                .withAddresses(addressOfThisMachine())
                .withNewConditions()
                .withReady(true)
                .endConditions()
                .endEndpoint()
                .addNewPort()
                .withName("webhooks")
                .withPort(port)
                .withProtocol("TCP")
                .endPort()
                .build())
        .forceConflicts()
        .serverSideApply();
  }

  /** The server rejects loopback addresses in an EndpointSlice. */
  private static String addressOfThisMachine() throws IOException {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
        .filter(address -> !address.isLinkLocalAddress())
        .map(InetAddress::getHostAddress)
        .findFirst()
        .orElseThrow(() -> new AssertionError("this machine has only loopback addresses"));
  }

  private static Tenant withoutPrefix(String name) {
    Tenant tenant = TenantEntry.sample(name, "");
    tenant.getSpec().setNamespaces(List.of("shop"));
    return tenant;
  }

  private static int metrics(int port, String token) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + "/metrics"))
            .header("Authorization", "Bearer " + token)
            .build();
    return HttpClient.newBuilder()
        .sslContext(TrustEverything.context())
        .build()
        .send(request, HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  /** Prometheus, with the role that the chart has for it. */
  private String tokenOfPrometheus(String role) {
    kubectl
        .resource(
            new ServiceAccountBuilder()
                .withNewMetadata()
                .withName("prometheus")
                .withNamespace("default")
                .endMetadata()
                .build())
        .create();
    kubectl
        .resource(
            new ClusterRoleBindingBuilder()
                .withNewMetadata()
                .withName("prometheus")
                .endMetadata()
                .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", role)
                .addNewSubject("", "ServiceAccount", "prometheus", "default")
                .build())
        .create();
    return InstalledProgram.token(kubectl, "default", "prometheus");
  }

  /** No request was denied, and the program knows of no missing permission. */
  private void assertTheRightsSuffice(String account, InstalledProgram... programs) {
    String user = "system:serviceaccount:" + account;
    assertThat(KUBERNETES.server().auditEvents())
        .filteredOn(event -> event.user().equals(user))
        .isNotEmpty()
        .allMatch(event -> event.code() != 403);
    for (InstalledProgram program : programs) {
      assertThat(program.process().lines())
          .noneMatch(line -> line.contains("lacks the permission"))
          .anyMatch(line -> line.contains("Picked up JAVA_TOOL_OPTIONS: -XX:MaxRAMPercentage=40"));
    }
  }

  @Test
  void runsWithItsWebhooksItsMetricsAndItsLease() throws Exception {
    String name = "tenant-operator";
    String home = "tenant-system";
    install(TENANT, name, home, "metrics.enabled=true", "metrics.authentication=true");
    World world = new World(kubectl);
    try (InstalledProgram first = start(home, name, TENANT)) {
      first.process().awaitLine(ONLY_ON_THE_LEADER);
      route(name, home, first.webhooks());
      eventually()
          .ignoreExceptions() // until the server trusts the webhooks
          .until(
              () ->
                  !kubectl
                      .resource(withoutPrefix("probe"))
                      .dryRun()
                      .create()
                      .isMarkedForDeletion());
      try (InstalledProgram second = start(home, name, TENANT)) {
        second.process().awaitLine("The manager has started");

        world.create(withoutPrefix("acme"));
        assertThat(world.tenant("acme").getSpec().getNamespacePrefix()).isEqualTo("acme-");
        world.awaitReady("acme");
        world.awaitOneEvent("acme", "Updated");
        Tenant bad = withoutPrefix("bad");
        bad.getSpec().setNamespaces(List.of("No_Name"));
        assertThatThrownBy(() -> world.create(bad)).hasMessageContaining("vtenant.kb.io");

        assertThat(metrics(first.metrics(), "none")).isEqualTo(401);
        String own = InstalledProgram.token(kubectl, home, name);
        assertThat(metrics(first.metrics(), own)).isEqualTo(403);
        String prometheus = tokenOfPrometheus("tenant-system-tenant-operator-metrics-reader");
        assertThat(metrics(first.metrics(), prometheus)).isEqualTo(200);

        assertThat(second.process().lines()).noneMatch(line -> line.contains(ONLY_ON_THE_LEADER));
        String trusted = authority(home + "-" + name);
        assertThat(trusted).isNotEmpty();
        String chart = folder.resolve(name).toString();
        helm.succeed(
            List.of("upgrade", name, chart, "-n", home, "--reuse-values", "--set", "replicas=3"));
        assertThat(authority(home + "-" + name)).as("an upgrade keeps it").isEqualTo(trusted);

        route(name, home, second.webhooks());
        first.process().terminate();
        assertThat(first.process().awaitExit()).isZero();
        second.process().awaitLine(ONLY_ON_THE_LEADER);
        eventually().ignoreExceptions().until(() -> world.create(withoutPrefix("next")) != null);
        world.awaitReady("next");
        world.delete("acme");
        assertTheRightsSuffice(home + ":" + name, first, second);

        helm.succeed(List.of("uninstall", name, "--namespace", home));
      }
    }
    assertThat(
            kubectl
                .admissionRegistration()
                .v1()
                .validatingWebhookConfigurations()
                .list()
                .getItems())
        .as("webhooks without a program would reject the objects of users")
        .isEmpty();
    assertThat(world.tenant("next")).as("the CRD and its objects are kept").isNotNull();
    assertThat(kubectl.leases().inNamespace(home).list().getItems()).as("Leases").isEmpty();
    assertThat(kubectl.secrets().inNamespace(home).list().getItems())
        .as("private keys of certificates")
        .noneMatch(secret -> secret.getMetadata().getName().contains("webhook"));
  }

  /** The CA certificate that the program has written into its webhook configuration. */
  private String authority(String configuration) {
    return kubectl
        .admissionRegistration()
        .v1()
        .validatingWebhookConfigurations()
        .withName(configuration)
        .get()
        .getWebhooks()
        .get(0)
        .getClientConfig()
        .getCaBundle();
  }

  @Test
  void convertsBehindItsService() throws Exception {
    String name = "sites-operator";
    String home = "versions-system";
    install(InstalledProgram.jar("versions", name), name, home);
    Kubectl user = Kubectl.on(KUBERNETES.server(), folder);
    try (InstalledProgram program = start(home, name, InstalledProgram.jar("versions", name))) {
      route(name, home, program.webhooks());
      String sample = "../../examples/versions/config/samples/shop-v1.yaml";
      eventually().until(() -> user.run("apply", "-f", sample).exit() == 0);
      String read = "{.spec.host} {.status.url}";
      eventually()
          .untilAsserted(
              () ->
                  assertThat(
                          user.run(
                                  "get",
                                  "sites.v2.versions.windlass.dev",
                                  "shop",
                                  "-o",
                                  "jsonpath=" + read)
                              .text())
                      .isEqualTo("shop.example.com http://shop.example.com:8080"));
      IntStream.rangeClosed(1, 2_000).parallel().forEach(this::createSite);
      assertThat(user.run("get", "sites.v1.versions.windlass.dev").text()).contains("site-2000");
      assertThat(program.memoryLeft()).isGreaterThan(0.15);
      program.process().terminate();
      assertThat(program.process().awaitExit()).isZero();
      assertTheRightsSuffice(home + ":" + name, program);
    }
  }

  private void createSite(int number) {
    kubectl
        .resource(
            """
            apiVersion: versions.windlass.dev/v1
            kind: Site
            metadata:
              name: site-%d
              namespace: default
              annotations: {text: "%s"}
            spec: {address: "example.com:8080"}
            """
                .formatted(number, "x".repeat(1_000)))
        .create();
  }

  /** Also without webhooks, nobody must read the tokens of Prometheus. */
  @Test
  void encryptsTheTokensOfMetrics() throws Exception {
    String home = "metrics-system";
    KUBERNETES.server().install(FooEntry.crd());
    install(
        FOO,
        "foo-operator",
        home,
        "crds=false",
        "metrics.enabled=true",
        "metrics.authentication=true");
    try (InstalledProgram program = start(home, "foo-operator", FOO)) {
      program.process().awaitLine("The manager has started");
      assertThat(metrics(program.metrics(), "none")).isEqualTo(401);
      String own = InstalledProgram.token(kubectl, home, "foo-operator");
      assertThat(metrics(program.metrics(), own)).isEqualTo(403);
    }
    helm.succeed(List.of("uninstall", "foo-operator", "--namespace", home));
  }

  @Test
  void watchesOneNamespaceWithRolesOnly() throws Exception {
    String name = "foo-operator";
    String home = "foo-system";
    for (String namespace : List.of("shop", "stock")) {
      kubectl
          .resource(
              new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build())
          .create();
    }
    install(FOO, name, home, "watchNamespace=shop", "crds=false");
    KUBERNETES.server().install(FooEntry.crd());
    assertThat(kubectl.rbac().clusterRoles().list().getItems())
        .noneMatch(role -> role.getMetadata().getName().contains(name));
    try (InstalledProgram program = start(home, name, FOO)) {
      program.process().awaitLine("Started workers");
      kubectl.resource(FooEntry.example("stock")).create();
      kubectl.resource(FooEntry.example("shop")).create();
      eventually()
          .until(
              () -> kubectl.apps().deployments().inNamespace("shop").list().getItems().size() == 1);
      assertThat(kubectl.apps().deployments().inNamespace("stock").list().getItems()).isEmpty();
      program.process().terminate();
      assertThat(program.process().awaitExit()).isZero();
      assertTheRightsSuffice(home + ":" + name, program);
    }
  }

  /** Those with the former number can hold their Leases until they have stopped. */
  @Test
  void changesTheNumberOfShards() throws Exception {
    String name = "foo-operator";
    String home = "shards-system";
    KUBERNETES.server().install(FooEntry.crd());
    install(FOO, name, home, "crds=false", "shards=2");
    assertThat(numbersInRole(home)).containsExactly("02");
    try (InstalledProgram former = start(home, name, FOO)) {
      eventually().until(() -> owned(home, 2) == 2);
      upgrade(name, home, "shards=3");
      Instant upgraded = Instant.now();
      assertThat(numbersInRole(home)).containsExactly("02", "03");
      try (InstalledProgram next = start(home, name, FOO)) {
        next.process().awaitLine("runs with another number of shards than 3");
        eventually().until(() -> renewed(home).isAfter(upgraded.plusSeconds(5)));
        assertThat(owned(home, 2)).isEqualTo(2);
        assertThat(owned(home, 3)).isZero();
        former.process().terminate();
        assertThat(former.process().awaitExit()).isZero();
        eventually().until(() -> owned(home, 3) == 3);
        assertTheRightsSuffice(home + ":" + name, former, next);

        upgrade(name, home, "shards=3");
        assertThat(numbersInRole(home)).containsExactly("03");
        upgrade(name, home, "shards=0");
        assertThat(numbersInRole(home)).as("until the next upgrade").containsExactly("03");
        try (InstalledProgram leader = start(home, name, FOO)) {
          next.process().terminate();
          assertThat(next.process().awaitExit()).isZero();
          leader.process().awaitLine(ONLY_ON_THE_LEADER);
          assertTheRightsSuffice(home + ":" + name, next, leader);
        }
        upgrade(name, home, "shards=0");
        assertThat(kubectl.rbac().roles().inNamespace(home).list().getItems())
            .extracting(role -> role.getMetadata().getName())
            .containsExactly(name);
      }
    }
    helm.succeed(List.of("uninstall", name, "--namespace", home));
  }

  private void upgrade(String name, String home, String value) throws Exception {
    String chart = folder.resolve(name).toString();
    helm.succeed(List.of("upgrade", name, chart, "-n", home, "--reuse-values", "--set", value));
  }

  /** The numbers of shards whose Leases the Role names. */
  private Set<String> numbersInRole(String home) {
    Set<String> numbers = new TreeSet<>();
    for (PolicyRule rule :
        kubectl.rbac().roles().inNamespace(home).withName("foo-operator-shards").get().getRules()) {
      rule.getResourceNames().forEach(lease -> numbers.add(lease.replaceAll(".*-of-", "")));
    }
    return numbers;
  }

  private long owned(String home, int number) {
    return kubectl.leases().inNamespace(home).list().getItems().stream()
        .filter(lease -> lease.getMetadata().getName().matches(".*[a-z]-\\d+-of-0" + number))
        .filter(lease -> !lease.getMetadata().getName().contains("-member-"))
        .filter(lease -> lease.getSpec() != null && lease.getSpec().getHolderIdentity() != null)
        .filter(lease -> !lease.getSpec().getHolderIdentity().isEmpty())
        .count();
  }

  private Instant renewed(String home) {
    return kubectl
        .leases()
        .inNamespace(home)
        .withName("foo-operator-01-of-02")
        .get()
        .getSpec()
        .getRenewTime()
        .toInstant();
  }

  private InstalledProgram start(String namespace, String name, Path jar) throws IOException {
    return InstalledProgram.start(KUBERNETES.server(), namespace, name, jar, folder);
  }
}
