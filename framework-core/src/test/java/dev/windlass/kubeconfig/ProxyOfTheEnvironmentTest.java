// SPDX-License-Identifier: Apache-2.0
package dev.windlass.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.manager.Manager;
import dev.windlass.manager.ManagerBuilder;
import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.Namespace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs whose proxy is set by environment variables, which only another process can have. */
@Timeout(120)
final class ProxyOfTheEnvironmentTest {

  private static final String[] HOSTS = {"named", "set", "searched", "usual", "address", "pod"};

  @TempDir private Path folder = Path.of("unset");

  private Path kubeconfig(String name, String cluster) throws IOException {
    return Files.writeString(
        folder.resolve(name),
        """
        current-context: c
        contexts: [{name: c, context: {cluster: k, user: u}}]
        clusters: [{name: k, cluster: {server: 'https://%s.example.invalid:6443'%s}}]
        users: [{name: u, user: {token: t}}]
        """
            .formatted(name, cluster));
  }

  /** The program: it connects in each of the ways that name a server. */
  public static void main(String[] folder) throws IOException {
    connect(Manager.builder().kubeconfig(Path.of(folder[0], "named")));
    System.setProperty("windlass.kubeconfig", Path.of(folder[0], "set").toString());
    connect(Manager.builder());
    System.clearProperty("windlass.kubeconfig");
    System.setProperty("kubeconfig", Path.of(folder[0], "searched").toString());
    connect(Manager.builder());
    System.clearProperty("kubeconfig");
    connect(Manager.builder()); // in the home directory
    connect(Manager.builder().master("https://address.example.invalid:6443"));
    Files.delete(Path.of(folder[0], ".kube/config"));
    System.setProperty("KUBERNETES_SERVICE_HOST", "pod.example.invalid");
    System.setProperty("KUBERNETES_SERVICE_PORT", "6443");
    connect(Manager.builder());
    System.out.println("done");
  }

  private static void connect(ManagerBuilder builder) {
    try (Manager manager = builder.build()) {
      manager.client().uncached().get(Namespace.class, ObjectKey.of("default"));
    } catch (RuntimeException e) {
      System.out.println(e);
    }
  }

  /** Runs the program, and returns the first line of each request that its proxy receives. */
  private List<String> heard(String cluster, Map<String, String> variables) throws Exception {
    for (String each : new String[] {"named", "set", "searched"}) {
      kubeconfig(each, cluster);
    }
    Files.createDirectories(folder.resolve(".kube"));
    Files.move(kubeconfig("usual", cluster), folder.resolve(".kube/config"));
    List<String> heard = new CopyOnWriteArrayList<>();
    try (ServerSocket proxy = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
      Thread listener = new Thread(() -> listen(proxy, heard));
      listener.start();
      ProcessBuilder program =
          new ProcessBuilder(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "-XX:TieredStopAtLevel=1",
              "-cp",
              System.getProperty("java.class.path"),
              ProxyOfTheEnvironmentTest.class.getName(),
              folder.toString());
      program.environment().keySet().removeIf(name -> name.toLowerCase().endsWith("proxy"));
      program.environment().remove("KUBECONFIG");
      program.environment().put("HOME", folder.toString());
      variables.forEach(
          (name, value) ->
              program.environment().put(name, value.replace("PORT", "" + proxy.getLocalPort())));
      Path output = folder.resolve("output");
      Process process = program.redirectErrorStream(true).redirectOutput(output.toFile()).start();
      assertThat(process.waitFor(90, TimeUnit.SECONDS)).isTrue();
      assertThat(output).content().endsWith("done\n").doesNotContain("IllegalArgument");
    }
    return heard;
  }

  private static void listen(ServerSocket proxy, List<String> heard) {
    while (!proxy.isClosed()) {
      try (Socket socket = proxy.accept()) {
        StringBuilder line = new StringBuilder();
        for (int next = socket.getInputStream().read();
            next >= ' ';
            next = socket.getInputStream().read()) {
          line.append((char) next);
        }
        heard.add(line.toString().replaceAll("CONNECT (\\w+).*", "$1"));
        socket
            .getOutputStream()
            .write("HTTP/1.1 403 No\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      } catch (IOException e) {
        // The test is over, or the program has gone.
      }
    }
  }

  @Test
  void isUsedInAllWaysToNameAServer() throws Exception {
    assertThat(heard("", Map.of("HTTPS_PROXY", "127.0.0.1:PORT"))).containsExactly(HOSTS);
    assertThat(
            heard(
                "",
                Map.of(
                    "https_proxy",
                    "http://127.0.0.1:PORT",
                    "no_proxy",
                    " build_agent , [::1], *.other.invalid")))
        .containsExactly(HOSTS);
    assertThat(
            heard(
                "",
                Map.of(
                    "HTTPS_PROXY",
                    "http://127.0.0.1:PORT",
                    "NO_PROXY",
                    "build_agent, *.example.invalid:6443 ")))
        .isEmpty();
  }

  @Test
  void yieldsToTheProxyOfTheKubeconfig() throws Exception {
    assertThat(
            heard(
                ", proxy-url: 'http://127.0.0.1:1'",
                Map.of("HTTPS_PROXY", "http://127.0.0.1:PORT", "NO_PROXY", "*.x")))
        .containsExactly("address", "pod");
  }
}
