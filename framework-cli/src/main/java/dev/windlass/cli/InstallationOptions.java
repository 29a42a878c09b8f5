// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import dev.windlass.cli.install.HelmChart;
import dev.windlass.cli.install.ImageName;
import dev.windlass.cli.install.Installation;
import dev.windlass.cli.install.KustomizeFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * The options with which a program writes the files that install it in a cluster. An option that
 * was not given is null. This class is not thread-safe.
 */
final class InstallationOptions {

  @Option(
      names = "--write-helm",
      paramLabel = "DIR",
      description =
          "Writes a Helm chart, whose Deployment runs this program with the other options given.")
  @Nullable Path helm;

  @Option(
      names = "--write-kustomize",
      paramLabel = "DIR",
      description = "Writes a kustomize folder with the objects of the chart.")
  @Nullable Path kustomize;

  @Option(
      names = "--write-image",
      paramLabel = "IMAGE",
      converter = Image.class,
      description = "Image in the written files, with its tag. Default: NAME:VERSION.")
  @Nullable ImageName image;

  @Option(
      names = "--write-namespace",
      paramLabel = "NAME",
      description = "Namespace of the program in the kustomize folder. Default: NAME-system.")
  @Nullable String namespace;

  /** Reports whether the program has to write files, instead of running. */
  boolean isWanted() {
    return helm != null || kustomize != null;
  }

  /** Writes the files of an installation. */
  void write(Installation installation) {
    Map<String, String> chart = HelmChart.files(installation);
    if (helm != null) {
      write(helm, chart);
    }
    if (kustomize != null) {
      String name = installation.identity().name();
      String home = namespace == null ? name + "-system" : namespace;
      write(kustomize, KustomizeFolder.files(chart, home));
    }
  }

  private static void write(Path folder, Map<String, String> files) {
    try {
      for (Map.Entry<String, String> file : files.entrySet()) {
        Path path = folder.resolve(file.getKey());
        Files.createDirectories(path.getParent());
        Files.writeString(path, file.getValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Converts the name of an image. */
  static final class Image implements ITypeConverter<ImageName> {
    @Override
    public ImageName convert(String value) {
      try {
        return ImageName.parse(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
