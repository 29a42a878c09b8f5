// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.operators;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Follows a Dockerfile without Docker: all stages share one folder, which stands for the root of
 * the image's file system. Knows only what the examples' files contain.
 */
final class Dockerfile {

  /** A path of the image, alone or as the value of an option. */
  private static final Pattern PATH = Pattern.compile("(?<=^|=)/");

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path context;
  private final Path root;
  private final UnaryOperator<String> here;
  private final Map<String, String> environment = new HashMap<>();
  private List<String> entrypoint = List.of();

  /**
   * Makes a builder of images.
   *
   * @param context the folder with the Dockerfile
   * @param here what an argument is on this machine, such as the path of java
   */
  Dockerfile(Path context, Path root, UnaryOperator<String> here) {
    this.context = context;
    this.root = root;
    this.here = here;
  }

  /** Follows all instructions, and returns the command of the entry point. */
  List<String> build() throws IOException, InterruptedException {
    String text = Files.readString(context.resolve("Dockerfile")).replaceAll("\\\\\n", " ");
    for (String line : text.lines().filter(line -> !line.matches("#.*|\\s*")).toList()) {
      String rest = line.substring(line.indexOf(' ')).strip();
      switch (line.substring(0, line.indexOf(' '))) {
        case "FROM", "USER" -> {}
        case "COPY" -> copy(List.of(rest.split("\\s+")));
        case "ENV" -> {
          String[] variable = rest.split("=", 2);
          environment.put(variable[0], JSON.readValue(variable[1], String.class));
        }
        case "RUN" -> run(command(rest));
        case "ENTRYPOINT" -> entrypoint = command(rest);
        default -> throw new AssertionError("unknown instruction: " + line);
      }
    }
    return entrypoint;
  }

  /** Returns the variables that the instructions have set. */
  Map<String, String> environment() {
    return environment;
  }

  private void copy(List<String> words) throws IOException {
    String target = words.get(words.size() - 1);
    List<String> sources = words.subList(0, words.size() - 1);
    if (sources.get(0).startsWith("--from=")) {
      for (String source : sources.subList(1, sources.size())) {
        if (!Files.exists(root.resolve(source.substring(1)))) {
          throw new AssertionError("the first stage has not made " + source);
        }
      }
      return;
    }
    for (String source : sources) {
      Path from = context.resolve(source);
      Path to = root.resolve(target.substring(1));
      if (Files.isDirectory(from)) {
        try (Stream<Path> files = Files.list(from)) {
          for (Path file : files.toList()) {
            copy(file, to.resolve(file.getFileName()));
          }
        }
      } else {
        copy(from, target.endsWith("/") ? to.resolve(from.getFileName()) : to);
      }
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to.getParent());
    Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES);
  }

  private List<String> command(String json) throws IOException {
    List<String> command = new ArrayList<>();
    for (String word : JSON.readValue(json, String[].class)) {
      command.add(here.apply(PATH.matcher(word).replaceAll(root + "/")));
    }
    return command;
  }

  private void run(List<String> command) throws IOException, InterruptedException {
    Path output = root.resolve("output");
    ProcessBuilder program =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    program.environment().putAll(environment);
    int exit = program.start().waitFor();
    if (exit != 0) {
      throw new AssertionError(command + " exited with " + exit + ":\n" + Files.readString(output));
    }
  }
}
