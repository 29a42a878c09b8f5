// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli.install;

import dev.windlass.manager.InvalidSettingException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A folder with generated files. The folder can be written again, for example after the program has
 * changed. The file {@link #RECORD} contains the checksum of each generated file, so that this
 * class replaces and deletes only files that nobody else has written or changed.
 */
public record WrittenFolder(Path folder) {

  /** The file that lists the generated files, in the format of {@code sha256sum}. */
  public static final String RECORD = ".windlass.sha256";

  /**
   * Writes each file that has content. Deletes each file whose content is empty, and each file that
   * was generated before and is not among the given files. Changes nothing if the folder contains a
   * file under one of these names that this class did not write, or that was changed since.
   *
   * @param generated the content of each file, keyed by its path in the folder
   * @return the number of files written
   * @throws InvalidSettingException if the folder cannot be created, or contains such a file
   */
  public int write(Map<String, String> generated) {
    create();
    try {
      Map<String, String> files = new TreeMap<>(generated);
      recorded().forEach(line -> path(line).ifPresent(path -> files.putIfAbsent(path, "")));
      requireOwn(files);
      Map<String, String> written = new TreeMap<>();
      for (Map.Entry<String, String> file : files.entrySet()) {
        Path path = folder.resolve(file.getKey());
        if (file.getValue().isEmpty()) {
          Files.deleteIfExists(path);
          continue;
        }
        Files.createDirectories(path.getParent());
        Files.writeString(path, file.getValue());
        written.put(file.getKey(), checksum(file.getValue().getBytes(StandardCharsets.UTF_8)));
      }
      Files.writeString(
          folder.resolve(RECORD),
          written.entrySet().stream()
              .map(file -> file.getValue() + "  " + file.getKey() + "\n")
              .collect(Collectors.joining()));
      return written.size();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void create() {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new InvalidSettingException(
          "the folder " + folder + " can't be created (" + e.getClass().getSimpleName() + ")");
    }
  }

  private void requireOwn(Map<String, String> files) throws IOException {
    List<String> recorded = recorded();
    for (Map.Entry<String, String> file : files.entrySet()) {
      Path path = folder.resolve(file.getKey());
      if (!Files.exists(path)) {
        continue;
      }
      byte[] content = Files.readAllBytes(path);
      boolean isSame =
          new String(content, StandardCharsets.UTF_8).equals(file.getValue())
              || recorded.contains(checksum(content) + "  " + file.getKey());
      if (!isSame) {
        throw ofOthers(path);
      }
    }
  }

  /** Returns the exception about a file that must not be replaced. */
  static InvalidSettingException ofOthers(Path path) {
    return new InvalidSettingException(
        path
            + " was not written by this program, or has been changed since; move it away, or name"
            + " another place");
  }

  private List<String> recorded() throws IOException {
    Path record = folder.resolve(RECORD);
    return Files.exists(record) ? Files.readAllLines(record) : List.of();
  }

  /** Returns the path in a line of the record. Returns empty if it is not within this folder. */
  private Optional<String> path(String line) {
    String name = line.substring(line.indexOf("  ") + 1).strip();
    Path root = folder.toAbsolutePath().normalize();
    boolean isWithin = root.resolve(name).normalize().startsWith(root);
    return Optional.of(name).filter(path -> !path.isEmpty() && isWithin);
  }

  static String checksum(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each Java platform has SHA-256", e);
    }
  }
}
