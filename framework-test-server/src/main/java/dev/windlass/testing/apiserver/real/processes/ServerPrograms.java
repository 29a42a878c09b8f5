// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real.processes;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The directory that contains the programs of the server: the value of {@code KUBEBUILDER_ASSETS},
 * or the newest version that setup-envtest has installed for this platform. Programs in its
 * subdirectories are not used.
 *
 * @param directory an absolute path
 */
public record ServerPrograms(Path directory) {

  public static final String VARIABLE = "KUBEBUILDER_ASSETS";

  private static final String CONTROLLER_MANAGER = "kube-controller-manager";

  private static final String REMEDY =
      "run: setup-envtest use, or export KUBEBUILDER_ASSETS=DIRECTORY";

  private static final String NOT_IN_ENVTEST =
      "setup-envtest does not install "
          + CONTROLLER_MANAGER
          + ": put the one of a Kubernetes release beside the others, or start the server without"
          + " withControllerManager()";

  /**
   * Finds the required programs.
   *
   * @param directory the value of {@code KUBEBUILDER_ASSETS}; null or blank if it is unset
   * @param controllerManager whether kube-controller-manager is required too
   * @return their directory, as an absolute path
   * @throws IllegalStateException if a program is missing. The message names the missing programs
   *     and the directory, and states how to install the programs
   */
  public static ServerPrograms locate(@Nullable String directory, boolean controllerManager) {
    return locate(directory, controllerManager, EnvtestStore.ofThisPlatform());
  }

  static ServerPrograms locate(
      @Nullable String directory, boolean controllerManager, EnvtestStore store) {
    List<String> needed = new ArrayList<>(List.of("etcd", "kube-apiserver"));
    if (controllerManager) {
      needed.add(CONTROLLER_MANAGER);
    }
    boolean set = directory != null && !directory.isBlank();
    Path found = set ? Path.of(directory) : store.newest().orElse(null);
    if (found == null) {
      throw new IllegalStateException(
          "%s is not set, and setup-envtest has installed nothing in %s, so %s cannot be started; %s"
              .formatted(VARIABLE, store.folder(), String.join(", ", needed), remedy(needed)));
    }
    ServerPrograms programs = new ServerPrograms(found.toAbsolutePath().normalize());
    List<String> missing =
        needed.stream()
            .filter(name -> !Files.isExecutable(programs.directory().resolve(name)))
            .toList();
    if (!missing.isEmpty()) {
      throw new IllegalStateException(
          "%s%s lacks %s; %s"
              .formatted(
                  set ? VARIABLE + "=" : "",
                  programs.directory(),
                  String.join(", ", missing),
                  remedy(missing)));
    }
    return programs;
  }

  private static String remedy(List<String> missing) {
    if (!missing.contains(CONTROLLER_MANAGER)) {
      return REMEDY;
    }
    return missing.size() == 1 ? NOT_IN_ENVTEST : REMEDY + "; " + NOT_IN_ENVTEST;
  }

  /** Returns the absolute path of a program. */
  public String program(String name) {
    return directory.resolve(name).toString();
  }
}
