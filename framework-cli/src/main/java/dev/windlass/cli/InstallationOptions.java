// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import dev.windlass.cli.install.HelmChart;
import dev.windlass.cli.install.ImageName;
import dev.windlass.cli.install.InstallYaml;
import dev.windlass.cli.install.Installation;
import dev.windlass.cli.install.WrittenFile;
import dev.windlass.cli.install.WrittenFolder;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/**
 * The options for writing the files that install a program in a cluster. An option that was not
 * given is null. This class is not thread-safe.
 */
final class InstallationOptions {

  @Option(
      names = "--write-helm",
      paramLabel = "DIR",
      converter = NamedPath.class,
      description =
          "Writes a Helm chart, whose Deployment runs this program with the other options given.")
  @Nullable Path helm;

  @Option(
      names = "--write-manifests",
      paramLabel = "FILE",
      converter = NamedPath.class,
      description = "Writes the objects of the chart to a YAML file for kubectl apply.")
  @Nullable Path manifests;

  @Option(
      names = "--write-image",
      paramLabel = "IMAGE",
      converter = Image.class,
      description = "Image in the written files, with its tag or digest. Default: NAME:VERSION.")
  @Nullable ImageName image;

  @Option(
      names = "--write-namespace",
      paramLabel = "NAME",
      description = "Namespace of the program in that YAML file. Default: NAME-system.")
  @Nullable String namespace;

  /** Returns whether the program writes installation files instead of running. */
  boolean isWanted() {
    return helm != null || manifests != null;
  }

  /**
   * Rejects an option if it requires another option that was not given.
   *
   * @throws ParameterException if a required option is missing
   */
  void requireMeaning(CommandLine line) {
    if (image != null && !isWanted()) {
      throw new ParameterException(
          line, "--write-image requires --write-helm or --write-manifests");
    }
    if (namespace != null && manifests == null) {
      throw new ParameterException(
          line,
          "--write-namespace requires --write-manifests; 'helm install --namespace' sets that of a"
              + " chart");
    }
  }

  /**
   * Writes the files of an installation, and prints what it has written.
   *
   * @throws dev.windlass.manager.InvalidSettingException if a folder cannot be created, or if a
   *     file is there that Windlass did not write
   */
  void write(Installation installation, PrintWriter out) {
    ImageName run = installation.identity().image();
    if (helm != null) {
      int count = new WrittenFolder(helm).write(HelmChart.files(installation));
      out.println("Wrote the Helm chart " + helm + ", " + count + " files, with the image " + run);
    }
    if (manifests != null) {
      String home =
          Objects.requireNonNullElse(namespace, installation.identity().name() + "-system");
      new WrittenFile(manifests).write(InstallYaml.text(installation, home));
      out.println("Wrote " + manifests + " with the image " + run);
    }
    out.flush();
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
