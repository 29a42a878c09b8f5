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
 * Runs a {@link RealApiServer} outside tests, to try an operator with kubectl. {@code mvn
 * windlass:apiserver} and, in a checkout, {@code mvn -q -Papiserver -pl framework-test-server -am}
 * start it.
 *
 * <p>The program writes the administrator's kubeconfig to the file given by its argument, which is
 * {@code kubeconfig} by default. It runs until Ctrl-C or SIGTERM, and then removes the server, its
 * data and that file. It starts a controller manager if {@code KUBEBUILDER_ASSETS} contains {@code
 * kube-controller-manager}. It exits with 1 if the server does not start.
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
   * @param arguments the path of the kubeconfig file to write
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
   * Starts the server and writes the file.
   *
   * @param directory the value of {@code KUBEBUILDER_ASSETS}; null if it is unset
   * @return the server, or empty if it did not start; the reason is then written to the standard
   *     error
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

  /** Writes a file that only this user can read, and that is deleted when the process ends. */
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
