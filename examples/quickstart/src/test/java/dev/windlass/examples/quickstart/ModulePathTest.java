// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.quickstart;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The quick start runs wherever its jars are: on the class path, or on the module path. */
@Timeout(120)
final class ModulePathTest {

  private static final String MODULE = "dev.windlass.examples.quickstart";

  /**
   * The maximum number of classes that the program loads until it has stopped, with some room for
   * other versions of the JDK. More classes make the start of each operator slower.
   */
  private static final long CLASSES = 8_400;

  /** The maximum number of its threads while it is idle, with those of the JVM. */
  private static final long THREADS = 36;

  @TempDir private Path folder;

  @Test
  void runsOnTheClassPathWithALimitedNumberOfClassesAndThreads() throws Exception {
    Path loaded = folder.resolve("classes");
    long threads =
        greets(
            "-Xlog:class+load:file=" + loaded,
            "-cp",
            path(Stream.of("target/classes")),
            Quickstart.class.getName());
    try (Stream<String> lines = Files.lines(loaded)) {
      long classes = lines.filter(line -> line.contains(" source: ")).count();
      System.out.printf("quick start: %,d classes, %d threads%n", classes, threads);
      assertThat(classes).isBetween(1_000L, CLASSES);
      assertThat(threads).isLessThanOrEqualTo(THREADS);
    }
  }

  @Test
  void runsOnTheModulePath() throws Exception {
    Path module = folder.resolve("module");
    List<String> arguments =
        new ArrayList<>(List.of("-proc:none", "-p", path(Stream.of()), "-d", module.toString()));
    arguments.add("src/test/resources/module-path/module-info.java");
    try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
      sources.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(arguments::add);
    }
    int exit =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(System.out, System.err, arguments.toArray(new String[0]));
    assertThat(exit).isZero();
    greets(
        "-p", path(Stream.of(module.toString())), "-m", MODULE + "/" + Quickstart.class.getName());
  }

  /** The jars that a user of the quick start has, and the directories given. */
  private static String path(Stream<String> directories) {
    Stream<String> jars =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !entry.contains("test") && !entry.contains("quickstart/target"));
    return Stream.concat(directories, jars).collect(Collectors.joining(File.pathSeparator));
  }

  /** Runs the program until it has greeted, stops it, and returns how many threads it had. */
  private long greets(String... arguments) throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        KubernetesClient kubectl = server.newClient()) {
      server.install(definition());
      kubectl
          .resource(
              Serialization.unmarshal(Files.readString(Path.of("greeting.yaml")), Greeting.class))
          .inNamespace("default")
          .create();
      Path output = folder.resolve("output");
      Process program = start(server, output, arguments);
      try {
        eventually()
            .untilAsserted(
                () -> {
                  assertThat(program.isAlive()).as(Files.readString(output)).isTrue();
                  ConfigMap made =
                      kubectl.configMaps().inNamespace("default").withName("first").get();
                  assertThat(made).as(Files.readString(output)).isNotNull();
                  assertThat(made.getData()).containsEntry("greeting", "Hello, reader!");
                });
        long threads = threads(program);
        program.toHandle().destroy(); // SIGTERM
        assertThat(program.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(program.exitValue()).as(Files.readString(output)).isZero();
        return threads;
      } finally {
        program.destroyForcibly();
      }
    }
  }

  /** Returns 0 where the system does not say. */
  private static long threads(Process program) throws IOException {
    Path tasks = Path.of("/proc", Long.toString(program.pid()), "task");
    if (!Files.isDirectory(tasks)) {
      return 0;
    }
    try (Stream<Path> all = Files.list(tasks)) {
      return all.count();
    }
  }

  private Process start(EmbeddedApiServer server, Path output, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of(arguments));
    ProcessBuilder start = new ProcessBuilder(command);
    Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
    start.environment().put("KUBECONFIG", kubeconfig.toString());
    return start.redirectErrorStream(true).redirectOutput(output.toFile()).start();
  }

  private static CustomResourceDefinition definition() throws IOException {
    try (InputStream crd =
        ModulePathTest.class.getResourceAsStream(
            "/META-INF/fabric8/greetings.quickstart.windlass.dev-v1.yml")) {
      return Serialization.unmarshal(crd, CustomResourceDefinition.class);
    }
  }
}
