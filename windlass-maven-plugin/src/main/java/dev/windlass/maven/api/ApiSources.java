// SPDX-License-Identifier: Apache-2.0
package dev.windlass.maven.api;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The source files of a custom resource, its reconciler and its tests. They are the same as in a
 * project that the archetype generates.
 *
 * @param kind the kind, such as {@code Website}
 * @param group the API group, such as {@code example.com}
 * @param packageName the package of the new classes
 */
public record ApiSources(String kind, String group, String packageName) {

  /** The pattern of a valid kind. The archetype uses the same patterns for kinds and groups. */
  static final Pattern KIND = Pattern.compile("[A-Z][A-Za-z0-9]*");

  static final Pattern GROUP =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+");

  /** The files of the archetype. In their names, {@code __kind__} stands for the kind. */
  private static final List<String> CLASSES =
      List.of(
          "src/main/java/__kind__.java",
          "src/main/java/__kind__Spec.java",
          "src/main/java/__kind__Status.java",
          "src/main/java/__kind__Reconciler.java",
          "src/test/java/__kind__Test.java",
          "src/test/java/__kind__IT.java");

  private static final Pattern REGISTER =
      Pattern.compile("( *)protected void registerWith\\(Manager (\\w+)\\) \\{\\R");

  /**
   * Checks the kind and the group.
   *
   * @throws IllegalArgumentException if the kind or the group is invalid
   */
  public ApiSources {
    if (!KIND.matcher(kind).matches()) {
      throw new IllegalArgumentException("'" + kind + "' is not a kind, such as Website");
    }
    if (!GROUP.matcher(group).matches()) {
      throw new IllegalArgumentException(
          "'" + group + "' is not an API group, such as example.com");
    }
  }

  /** Returns the contents of the files, keyed by their paths in the project. */
  public Map<String, String> files() {
    Map<String, String> files = new LinkedHashMap<>();
    String folder = "java/" + packageName.replace('.', '/') + "/";
    for (String template : CLASSES) {
      String path = template.replace("java/", folder).replace("__kind__", kind);
      files.put(path, filled(template));
    }
    files.put("config/" + kind.toLowerCase(Locale.ROOT) + ".yaml", filled("config/sample.yaml"));
    return files;
  }

  private String filled(String template) {
    return text(template)
        .replace("${package}", packageName)
        .replace("${kind}", kind)
        .replace("${group}", group);
  }

  private static String text(String template) {
    try (InputStream in = ApiSources.class.getResourceAsStream("/archetype/" + template)) {
      if (in == null) {
        throw new IllegalStateException("there is no template " + template);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Adds a statement that registers the new controller to the end of a program's method {@code
   * registerWith}.
   *
   * @param program the source of the program
   * @return the changed source, or empty if it has no method {@code registerWith}
   */
  public Optional<String> registeredIn(String program) {
    Matcher method = REGISTER.matcher(program);
    if (!method.find()) {
      return Optional.empty();
    }
    String indent = method.group(1);
    Matcher end = Pattern.compile("(?m)^" + indent + "\\}").matcher(program);
    if (!end.find(method.end())) {
      return Optional.empty();
    }
    String call = kind + "Reconciler.register(" + method.group(2) + ", workers());\n";
    return Optional.of(
        program.substring(0, end.start()) + indent + "  " + call + program.substring(end.start()));
  }
}
