// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.crd.CrdInstallation;
import dev.windlass.manager.Manager;
import dev.windlass.manager.ManagerBuilder;
import dev.windlass.manager.Setting;
import dev.windlass.rbac.Verb;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The program of an operator: its switches, its last words, its exit code. */
final class OperatorTest {

  private static final Program PROGRAM =
      Program.named("knots")
          .workers(3)
          .lease("knots-lease")
          .crds("crds/knots.yaml")
          .wording(new Program.Wording("begins", "can't connect", "can't start", "can't go on"));

  @TempDir private Path folder;

  /** Reads ConfigMaps, and does nothing. */
  @Command(description = "Ties knots.")
  private static final class Knots extends Operator {

    private final AtomicInteger seen = new AtomicInteger();
    private final AtomicInteger configured = new AtomicInteger();

    Knots(Program program) {
      super(program);
    }

    @Override
    protected void configure(ManagerBuilder builder) {
      builder.namespace("of-the-program");
      configured.incrementAndGet();
    }

    @Override
    protected void registerWith(Manager manager) {
      seen.set(workers());
      manager.uses(ConfigMap.class, Verb.GET);
    }
  }

  /** The exit code, and what was said on the terminal and in the log. */
  private record End(int code, String errors, List<String> log) {}

  private static End run(Operator operator, String... arguments) {
    Logger setup = (Logger) LoggerFactory.getLogger("setup");
    ListAppender<ILoggingEvent> appender = new ListAppender<>();
    appender.start();
    setup.addAppender(appender);
    StringWriter errors = new StringWriter();
    try {
      CommandLine line = operator.commandLine().setErr(new PrintWriter(errors, true));
      int code = line.execute(arguments);
      return new End(
          code,
          errors.toString(),
          appender.list.stream().map(ILoggingEvent::getFormattedMessage).toList());
    } finally {
      setup.detachAppender(appender);
    }
  }

  private static String help(Operator operator) {
    return operator.commandLine().getUsageMessage();
  }

  /** The value {@code args} of a chart comes after the arguments that the chart sets. */
  @Test
  void usesTheLastOfRepeatedOptions() {
    Knots knots = new Knots(PROGRAM);
    End end =
        run(
            knots,
            "--log-level=INFO",
            "--workers=2",
            "--log-level=ERROR",
            "--workers=5",
            "--print-rbac");
    assertThat(end.code()).isZero();
    assertThat(end.errors()).isEmpty();
    assertThat(knots.seen).hasValue(5);
  }

  @Test
  void listsEachSwitchOnceByWhatItIsAbout() {
    String help = help(new Knots(PROGRAM));
    assertThat(help).startsWith("Usage: knots [OPTIONS]").contains("Ties knots.");
    assertThat(help)
        .containsSubsequence(
            "Cluster:",
            "--kubeconfig=FILE",
            "--master=URL",
            "--namespace=NAME",
            "--install-crds",
            "Concurrency and leader election:",
            "--workers=N",
            "--leader-elect",
            "--leader-election-namespace=NAME",
            "--shards=N",
            "Endpoints:",
            "--metrics-bind-address=ADDRESS",
            "--health-probe-bind-address=ADDRESS",
            "Installation:",
            "--write-helm=DIR",
            "--write-manifests=FILE",
            "--write-image=IMAGE",
            "--write-namespace=NAME",
            "Output:",
            "--log-level=LEVEL",
            "--log-format=FORMAT",
            "--print-rbac",
            "--print-manifests",
            "-h, --help",
            "-V, --version");
    assertThat(help).doesNotContain("This operator:", "null", "${");
    assertThat(help.lines()).filteredOn(line -> line.startsWith("      --")).hasSize(18);
    assertThat(help.lines()).allMatch(line -> line.length() <= 100);
    assertThat(help).contains("WINDLASS_LOG_LEVEL=DEBUG  ", "WINDLASS_LOG_TRACES=full  ");
    assertThat(help.lines().map(String::strip))
        .containsAll(Stream.of(Setting.values()).map(Setting::variable).toList())
        .containsSequence(
            "WINDLASS_STOP_TIMEOUT",
            "a positive duration with a unit, such as 30s, 2m, 500ms or PT30S. Default: 25 s.");
  }

  /** A wrong setting is the user's, like a wrong switch, and no fault of the kubeconfig. */
  @Test
  void namesAWrongSettingAndEndsWith2() {
    System.setProperty("windlass.stop-timeout", "soon");
    try {
      End end = run(new Knots(PROGRAM));
      assertThat(end.code()).isEqualTo(2);
      assertThat(end.log())
          .containsExactly(
              "the system property windlass.stop-timeout is 'soon'; it must be a positive duration"
                  + " with a unit, such as '30s', '2m', '500ms' or 'PT30S'. See knots --help");
    } finally {
      System.clearProperty("windlass.stop-timeout");
    }
  }

  /** As for the settings that have no option. */
  @ParameterizedTest
  @ValueSource(strings = {"", " "})
  void ignoresEmptyVariables(String value) {
    CommandLine line = new Knots(PROGRAM).commandLine().setOut(new PrintWriter(new StringWriter()));
    line.setDefaultValueProvider(new Settings.VariableDefaults(name -> value, null));
    assertThat(line.execute("--print-rbac")).isZero();
  }

  @Test
  void readsVariablesOfOptionsThatAreNotGiven() {
    StringWriter errors = new StringWriter();
    CommandLine line = new Knots(PROGRAM).commandLine().setErr(new PrintWriter(errors, true));
    line.setDefaultValueProvider(
        new Settings.VariableDefaults(name -> name.endsWith("ELECTION") ? "maybe" : null, null));
    assertThat(line.execute("--print-rbac")).isEqualTo(2);
    assertThat(errors.toString())
        .contains("variable WINDLASS_LEADER_ELECTION", "'maybe' is not a boolean");
    assertThat(line.execute("--print-rbac", "--leader-elect=false")).isZero();
  }

  @Test
  void showsDefaultsAndOtherNamesUnderTheSwitch() {
    String help = help(new Knots(PROGRAM.probes(":9090")));
    assertThat(help.lines().map(String::strip))
        .contains(
            "Default: 3.",
            "Default: 0. Also --metrics-addr.",
            "Default: :9090.",
            "Default: text.",
            "Also -kubeconfig.",
            "Also -master.");
    assertThat(help)
        .contains("Default: false, Lease knots-lease.", "Also", "--enable-leader-election.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '#',
      value = {
        "--workers=two|'two' is not a valid number of workers",
        "--workers=0|'0' is not a valid number of workers",
        "--metrics-addr=here|'here' is not an address to listen on",
        "--health-probe-bind-address=:70000|70000 is not a port",
        "--master=host:6443|'host:6443' is not the address of a server",
        "--log-level=loud|[ERROR, WARN, INFO, DEBUG, TRACE] (case-insensitive) but was 'loud'",
        "--log-format=xml|[TEXT, JSON] (case-insensitive) but was 'xml'",
        "--install-crds=perhaps|[FALSE, TRUE, FORCE] (case-insensitive) but was 'perhaps'",
        "--leader-elect=maybe|'--leader-elect': 'maybe' is not a boolean",
        "--enable-leader-election=maybe|'--enable-leader-election'",
        "--namespace=Foo_Bar|'Foo_Bar'",
        "--namespace=|the namespace is empty",
        "--leader-election-namespace=|the namespace is empty",
        "--shards=0|'0' is not a valid number of shards",
        "--shards=101|'101' is not a valid number of shards",
        "--shards=6|--shards needs --leader-elect",
        "--kubeconfig=|the path is empty",
        "--write-helm=|the path is empty",
        "--metrics-bind-address=300.1.1.1:80|'300.1.1.1' is not an IPv4 address",
        "--kubeconfig|--kubeconfig",
        "--frobnicate|--frobnicate",
        "more|more",
      })
  void namesAWrongValueInOneLineAndEndsWith2(String argument, String named) {
    End end = run(new Knots(PROGRAM), argument);
    assertThat(end.code()).isEqualTo(2);
    assertThat(end.errors().lines()).hasSize(1);
    assertThat(end.errors()).startsWith("knots: ").contains(named).endsWith(". See knots --help\n");
  }

  @Test
  void printsBindingsToAServiceAccount() {
    Knots knots = new Knots(PROGRAM);
    StringWriter roles = new StringWriter();
    assertThat(knots.commandLine().setOut(new PrintWriter(roles)).execute("--print-rbac")).isZero();
    assertThat(roles.toString()).contains("Role\"").doesNotContain("Binding");
    StringWriter bound = new StringWriter();
    CommandLine line = knots.commandLine().setOut(new PrintWriter(bound));
    assertThat(line.execute("--print-rbac=shop:knots")).isZero();
    assertThat(bound.toString())
        .contains("RoleBinding\"", "namespace: \"shop\"", "name: \"knots\"");
    assertThat(run(knots, "--print-rbac=knots").code()).isEqualTo(2);
  }

  /** Outside of a cluster nobody says where the Lease is. */
  @Test
  void saysInOneLineWhyItCantPrintItsRights() {
    End end = run(new Knots(PROGRAM), "--print-rbac", "--leader-elect");
    assertThat(end.code()).isEqualTo(2);
    assertThat(end.log())
        .singleElement()
        .asString()
        .isEqualTo(
            "unable to list the permissions: the namespace of the Lease is unknown; pass"
                + " --leader-election-namespace");
    End named =
        run(
            new Knots(PROGRAM),
            "--print-rbac",
            "--leader-elect",
            "--leader-election-namespace=here");
    assertThat(named.code()).isZero();
    assertThat(named.log()).isEmpty();
    End bound = run(new Knots(PROGRAM), "--print-rbac=here:knots", "--leader-elect");
    assertThat(bound.code()).as("the Pod runs in the namespace of its account").isZero();
  }

  @Test
  void takesItsNumberOfWorkersOrTheUsers() {
    Knots usual = new Knots(PROGRAM);
    Knots other = new Knots(PROGRAM);
    assertThat(run(usual, "--print-rbac").code()).isZero();
    assertThat(run(other, "--print-rbac", "--workers=7").code()).isZero();
    assertThat(usual.seen).hasValue(3);
    assertThat(other.seen).hasValue(7);
  }

  /** A switch has the last word, after the program's own configuration. */
  @Test
  void restrictsItsCachesToTheNamespaceOfTheProgramOrTheUser() {
    for (List<String> given : List.of(List.<String>of(), List.of("--namespace=of-the-user"))) {
      Knots operator = new Knots(PROGRAM.role("knots-role"));
      StringWriter printed = new StringWriter();
      CommandLine line = operator.commandLine().setOut(new PrintWriter(printed));
      List<String> all = Stream.concat(given.stream(), Stream.of("--print-rbac")).toList();
      assertThat(line.execute(all.toArray(new String[0]))).isZero();
      assertThat(printed.toString())
          .contains("name: \"knots-role\"")
          .contains(given.isEmpty() ? "\"of-the-program\"" : "\"of-the-user\"");
      assertThat(operator.configured).hasValue(1);
    }
  }

  @Test
  void rejectsDefaultsThatNoUserCouldGive() {
    assertThatThrownBy(() -> PROGRAM.workers(0)).hasMessage("workers is 0; it must be 1 or more");
    assertThatThrownBy(() -> PROGRAM.probes("here")).hasMessageContaining("'here'");
    assertThatThrownBy(() -> PROGRAM.metrics(":70000")).hasMessageContaining("70000");
    assertThatThrownBy(() -> Program.named(" ")).hasMessageContaining("must not be blank");
  }

  @Test
  void saysInOneSentenceThatItsConfigurationIsOfNoUse() {
    End end = run(new Knots(PROGRAM), "--kubeconfig=" + folder.resolve("absent"));
    assertThat(end.code()).isEqualTo(2);
    assertThat(end.log())
        .singleElement()
        .asString()
        .startsWith("can't connect: ")
        .contains("absent");
  }

  /** Ends before it needs a server. */
  @Command(description = "Ties knots badly.")
  private static final class Unregistered extends Operator {

    private String lease = "";

    Unregistered() {
      super(PROGRAM);
    }

    @Override
    protected void registerWith(Manager manager) {
      lease = manager.diagnosis().leases().get(0).lease();
      throw new IllegalStateException("no rope");
    }
  }

  /** Reads its objects from elsewhere, and ends before it does. */
  @Command(description = "Ties knots elsewhere.")
  private static final class Elsewhere extends Operator {

    private final AtomicInteger connected = new AtomicInteger();

    Elsewhere() {
      super(PROGRAM);
    }

    @Override
    protected void configure(ManagerBuilder builder) {
      builder.connector(
          client -> {
            connected.incrementAndGet();
            return (type, scope) -> {
              throw new IllegalStateException("no feed");
            };
          });
    }

    @Override
    protected void registerWith(Manager manager) {
      throw new IllegalStateException("no rope");
    }
  }

  @Test
  void usesTheConnectorOfTheProgram() throws IOException {
    String config =
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: none, cluster: {server: "http://127.0.0.1:1"}}]
        users: [{name: nobody, user: {}}]
        contexts: [{name: none, context: {cluster: none, user: nobody}}]
        current-context: none
        """;
    Path file = Files.writeString(folder.resolve("kubeconfig"), config);
    Elsewhere operator = new Elsewhere();
    assertThat(run(operator, "--kubeconfig=" + file).code()).isEqualTo(1);
    assertThat(operator.connected).hasValue(1);
  }

  /** As kubectl uses it. */
  @Test
  void usesTheDefaultNamespaceForTheLeaseIfTheKubeconfigNamesNone() throws IOException {
    String nowhere =
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: none, cluster: {server: "http://127.0.0.1:1"}}]
        users: [{name: nobody, user: {}}]
        contexts: [{name: none, context: {cluster: none, user: nobody}}]
        current-context: none
        """;
    Path file = Files.writeString(folder.resolve("kubeconfig"), nowhere);
    Unregistered operator = new Unregistered();
    End end = run(operator, "--kubeconfig=" + file, "--leader-elect", "--log-level=INFO");
    run(new Knots(PROGRAM), "--log-level=ERROR", "--print-rbac"); // the level is the process's
    assertThat(end.code()).isEqualTo(1);
    assertThat(operator.lease).isEqualTo("default/knots-lease");
    assertThat(end.log()).containsExactly("unable to create controller: no rope");
    End other =
        run(new Knots(PROGRAM), "--kubeconfig=" + folder.resolve("absent"), "--leader-elect");
    assertThat(other.log()).singleElement().asString().startsWith("can't connect: ");
  }

  private static List<String> installed(EmbeddedApiServer kubernetes) {
    try (KubernetesClient kubectl = kubernetes.newClient()) {
      return kubectl.apiextensions().v1().customResourceDefinitions().list().getItems().stream()
          .map(crd -> crd.getMetadata().getName())
          .toList();
    }
  }

  @Test
  void saysWhoHasSetAnotherValueUnlessItIsToldToForce() throws IOException {
    try (EmbeddedApiServer kubernetes = EmbeddedApiServer.start();
        KubernetesClient kubectl = kubernetes.newClient()) {
      Path file = Files.writeString(folder.resolve("kubeconfig"), kubernetes.kubeconfig());
      var other = CrdInstallation.onClassPath(getClass().getClassLoader(), PROGRAM.crds());
      other.install(kubectl);
      kubectl
          .apiextensions()
          .v1()
          .customResourceDefinitions()
          .withName("knots.example.com")
          .edit(
              crd -> {
                crd.getSpec().getNames().setKind("Tangle");
                return crd;
              });
      String[] given = {"--kubeconfig=" + file, "--install-crds"};
      End end = run(new Knots(PROGRAM), given);
      assertThat(end.code()).isEqualTo(1);
      assertThat(end.log().get(end.log().size() - 1))
          .startsWith("unable to install CRDs: ")
          .contains("knots.example.com", ".spec.names.kind", "--install-crds=force");
      given[1] = "--install-crds=force";
      try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        String address = "127.0.0.1:" + taken.getLocalPort();
        assertThat(run(new Knots(PROGRAM.probes(address)), given).log()).contains("begins");
      }
    }
  }

  /** Ties knots in two namespaces, with as many workers as the user wants. */
  private static final class Harbours extends Operator {

    Harbours() {
      super(PROGRAM);
    }

    @Override
    protected void registerWith(Manager manager) {
      ControllerBuilder.forType(ConfigMap.class)
          .inNamespaces("north", "south")
          .maxConcurrentReconciles(workers())
          .reconciler((request, context) -> Result.done())
          .register(manager);
    }
  }

  @ParameterizedTest
  @CsvSource({"--namespace=east,north", "--workers=1001,1001"})
  void rejectsASettingThatContradictsTheProgram(String given, String named) {
    End end = run(new Harbours(), "--print-rbac", given);
    assertThat(end.code()).isEqualTo(2);
    assertThat(end.log())
        .singleElement()
        .asString()
        .contains(given.substring(0, given.indexOf('=')), named)
        .endsWith("See knots --help");
    assertThat(run(new Harbours(), "--print-rbac", "--workers=1000").code()).isZero();
  }

  @Test
  void failsIfItsOutputIsLost() {
    PrintStream usual = System.out;
    System.setOut(
        new PrintStream(
            new OutputStream() {
              @Override
              public void write(int next) throws IOException {
                throw new IOException("no space left on device");
              }
            }));
    try {
      assertThat(new Knots(PROGRAM).run("--print-rbac")).isEqualTo(1);
      assertThat(new Knots(PROGRAM).run("--help")).isEqualTo(1);
    } finally {
      System.setOut(usual);
    }
    assertThat(new Knots(PROGRAM).run("--help")).isZero();
  }

  @Test
  void printsThePermissionsForItsCrds() {
    StringWriter printed = new StringWriter();
    CommandLine line = new Knots(PROGRAM).commandLine().setOut(new PrintWriter(printed));
    assertThat(line.execute("--print-rbac", "--install-crds")).isZero();
    assertThat(printed.toString()).contains("\"knots.example.com\"", "\"ropes.example.com\"");
  }

  /** Where nothing was said, the defaults of the operator count; so this one can't start. */
  @Test
  void saysWhatItIsThenThatItCantStart() throws IOException {
    try (EmbeddedApiServer kubernetes = EmbeddedApiServer.start();
        ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Path file = Files.writeString(folder.resolve("kubeconfig"), kubernetes.kubeconfig());
      String address = "127.0.0.1:" + taken.getLocalPort();
      End end =
          run(
              new Knots(PROGRAM.version("1.2").probes(address)),
              "--kubeconfig=" + file,
              "--install-crds");
      assertThat(end.code()).isEqualTo(1);
      assertThat(end.log()).hasSize(5);
      assertThat(end.log().get(0)).startsWith("knots 1.2, with Windlass ");
      assertThat(end.log().get(1)).startsWith("The API server is " + kubernetes.url());
      assertThat(end.log().get(2)).isEqualTo("Leader election is off: run one replica only");
      assertThat(end.log().get(3)).isEqualTo("begins");
      assertThat(end.log().get(4)).startsWith("can't start: ").contains(address);
      assertThat(installed(kubernetes)).contains("knots.example.com", "ropes.example.com");
    }
  }
}
