// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real;

import dev.windlass.testing.apiserver.real.processes.ControlPlane;
import dev.windlass.testing.apiserver.real.processes.ServerPrograms;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Runs a {@link RealApiServer} outside of tests, for example to try an operator with kubectl. Start
 * the program with {@code mvn windlass:apiserver} or, in a checkout of Windlass, with {@code mvn -q
 * -Papiserver -pl framework-test-server -am}.
 *
 * <p>The argument is the path of the kubeconfig file to write for the administrator. The default is
 * {@code kubeconfig}. The program runs until it receives Ctrl-C or SIGTERM, and then deletes the
 * server, its data and the kubeconfig file. If there is a {@code kube-controller-manager} beside
 * the API server, the program also starts it. If the server does not start, the exit code is 1.
 */
final class RealApiServerProgram {

  private static final String SETUP_ENVTEST =
      "setup-envtest downloads the programs: go install"
          + " sigs.k8s.io/controller-runtime/tools/setup-envtest@latest. In a checkout of Windlass,"
          + " framework-test-server/real-apiserver/assets.sh builds them";

  private final PrintStream out;
  private final PrintStream err;

  RealApiServerProgram(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /**
   * Runs the server.
   *
   * @param arguments the path of the kubeconfig file to write; the default is {@code kubeconfig}
   */
  public static void main(String[] arguments) throws InterruptedException {
    Path file = Path.of(arguments.length == 0 ? "kubeconfig" : arguments[0]);
    RealApiServerProgram program = new RealApiServerProgram(System.out, System.err);
    if (program.start(file, System.getenv(ServerPrograms.VARIABLE)).isEmpty()) {
      System.exit(1);
    }
    new CountDownLatch(1).await(); // the server's shutdown hook stops the server
  }

  /**
   * Starts the server and writes the kubeconfig file. If the server does not start, writes the
   * reason to the standard error.
   *
   * @param directory the value of {@code KUBEBUILDER_ASSETS}; null if it is unset
   * @return the server, or empty if it did not start
   */
  Optional<RealApiServer> start(Path file, @Nullable String directory) {
    Path kubeconfig = file.toAbsolutePath().normalize();
    if (Files.exists(kubeconfig)) {
      return failed(kubeconfig + " already exists: name a file that does not exist");
    }
    try {
      ServerPrograms programs = ServerPrograms.locate(directory, false);
      RealApiServer.Builder builder = RealApiServer.builder().assets(programs.directory());
      boolean collects =
          Files.isExecutable(Path.of(programs.program(ControlPlane.CONTROLLER_MANAGER)));
      return Optional.of(
          ready((collects ? builder.withControllerManager() : builder).start(), kubeconfig));
    } catch (IllegalStateException e) {
      return failed(e.getMessage() + ". " + SETUP_ENVTEST);
    } catch (UncheckedIOException e) {
      return failed("can't write " + kubeconfig + ": " + e.getMessage());
    }
  }

  private RealApiServer ready(RealApiServer server, Path kubeconfig) {
    try {
      write(kubeconfig, server.kubeconfig());
    } catch (UncheckedIOException e) {
      server.close();
      throw e;
    }
    out.println(
        "The API server "
            + server.clientConfig().getMasterUrl()
            + " is ready. Ctrl-C stops it and deletes its data. In another terminal:");
    out.println("export KUBECONFIG=" + kubeconfig);
    out.flush();
    return server;
  }

  /** Writes a file that only the current user can read. The JVM deletes the file when it exits. */
  private static void write(Path file, String text) {
    try {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      file.toFile().deleteOnExit();
      Files.writeString(file, text, StandardOpenOption.WRITE);
    } catch (FileAlreadyExistsException e) {
      throw new UncheckedIOException("another process has created it in the meantime", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e.toString(), e);
    }
  }

  private Optional<RealApiServer> failed(String why) {
    err.println(why);
    return Optional.empty();
  }
}
