// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import dev.windlass.cli.install.HelmChart;
import dev.windlass.cli.install.ImageName;
import dev.windlass.cli.install.Installation;
import dev.windlass.cli.install.KustomizeFolder;
import dev.windlass.cli.install.WrittenFolder;
import dev.windlass.object.ObjectKey;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
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
      converter = NamedPath.OfFolder.class,
      description =
          "Writes a Helm chart, whose Deployment runs this program with the other options given.")
  @Nullable Path helm;

  @Option(
      names = "--write-kustomize",
      paramLabel = "DIR",
      converter = NamedPath.OfFolder.class,
      description = "Writes a kustomize folder with the objects of the chart.")
  @Nullable Path kustomize;

  @Option(
      names = "--write-image",
      paramLabel = "IMAGE",
      converter = Image.class,
      description = "Image in the written files, with its tag or digest. Default: NAME:VERSION.")
  @Nullable ImageName image;

  @Option(
      names = "--write-namespace",
      paramLabel = "NAME",
      description = "Namespace of the program in the kustomize folder. Default: NAME-system.")
  @Nullable String namespace;

  /** Returns whether the program writes installation files instead of running. */
  boolean isWanted() {
    return helm != null || kustomize != null;
  }

  /**
   * Rejects an option if it requires another option that was not given.
   *
   * @throws ParameterException if a required option is missing
   */
  void requireMeaning(CommandLine line) {
    if (image != null && !isWanted()) {
      throw new ParameterException(
          line, "--write-image requires --write-helm or --write-kustomize");
    }
    if (namespace != null && kustomize == null) {
      throw new ParameterException(
          line,
          "--write-namespace requires --write-kustomize; 'helm install --namespace' sets that of a"
              + " chart");
    }
  }

  /**
   * Writes the files of an installation, and prints what it has written.
   *
   * @throws dev.windlass.manager.InvalidSettingException if a folder cannot be created, or contains
   *     files that Windlass did not write
   */
  void write(Installation installation, PrintWriter out) {
    Map<String, String> chart = HelmChart.files(installation);
    String image = name(installation.identity().image());
    if (helm != null) {
      String count = new WrittenFolder(helm).write(chart) + " files";
      out.println("Wrote the Helm chart " + helm + ", " + count + ", with " + image);
    }
    if (kustomize != null) {
      String name = installation.identity().name();
      String home = namespace == null ? name + "-system" : namespace;
      Map<String, String> files = KustomizeFolder.files(chart, ObjectKey.of(home, name));
      String count = new WrittenFolder(kustomize).write(files) + " files";
      out.println("Wrote the kustomize folder " + kustomize + ", " + count + ", with " + image);
    }
    out.flush();
  }

  private static String name(ImageName image) {
    String version = image.digest().isEmpty() ? ":" + image.tag() : "@" + image.digest();
    return "the image " + image.repository() + version;
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
