// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real.processes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The folder in which setup-envtest installs the programs of API servers, with a folder for each
 * version and platform.
 *
 * @param folder the folder, which need not exist
 * @param platform the platform, in the notation of Go, such as {@code linux-amd64}
 */
record EnvtestStore(Path folder, String platform) {

  static EnvtestStore ofThisPlatform() {
    return of(
        System.getenv(),
        System.getProperty("user.home"),
        System.getProperty("os.name").toLowerCase(Locale.ROOT),
        System.getProperty("os.arch"));
  }

  /** Returns the folder that setup-envtest uses by default. */
  static EnvtestStore of(Map<String, String> environment, String home, String os, String arch) {
    String cpu =
        switch (arch) {
          case "x86_64" -> "amd64";
          case "aarch64" -> "arm64";
          default -> arch;
        };
    if (os.startsWith("mac")) {
      Path data = Path.of(home, "Library", "Application Support", "io.kubebuilder.envtest");
      return new EnvtestStore(data.resolve("k8s"), "darwin-" + cpu);
    }
    boolean windows = os.startsWith("windows");
    String data = environment.getOrDefault(windows ? "LOCALAPPDATA" : "XDG_DATA_HOME", "");
    Path base = data.isEmpty() ? Path.of(home, ".local", "share") : Path.of(data);
    return new EnvtestStore(
        base.resolve("kubebuilder-envtest").resolve("k8s"),
        (windows ? "windows-" : "linux-") + cpu);
  }

  /** Returns the folder of the newest version for the platform. */
  Optional<Path> newest() {
    if (!Files.isDirectory(folder)) {
      return Optional.empty();
    }
    try (Stream<Path> versions = Files.list(folder)) {
      return versions
          .filter(path -> path.getFileName().toString().matches("[0-9].*-" + platform))
          .max(Comparator.comparing(path -> Version.parse(path.getFileName().toString())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
