// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes the table of fields with which the embedded API server reads protobuf: {@code java
 * .ci/ProtobufFields.java DIRECTORY VERSION}, where the directory contains the Go modules {@code
 * api@VERSION} and {@code apimachinery@VERSION} of Kubernetes.
 *
 * <p>The numbers and types come from {@code generated.proto}, the names in JSON, and whether a
 * field is inlined or omitted if it is zero, from the tags in the Go types.
 */
public final class ProtobufFields {

  private static final Path TABLE =
      Path.of(
          "framework-test-server/src/main/resources",
          "dev/windlass/testing/apiserver/embedded/protobuf/fields.txt");

  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
  private static final Pattern MESSAGE = Pattern.compile("(?ms)^message (\\w+) \\{(.*?)^\\}");
  private static final Pattern FIELD =
      Pattern.compile(
          "(?m)^  (optional |repeated |)(map<(\\w+), ([\\w.]+)>|[\\w.]+) (\\w+) = (\\d+);");
  private static final Pattern STRUCT = Pattern.compile("(?ms)^type (\\w+) struct \\{(.*?)^\\}");
  private static final Pattern TAG =
      Pattern.compile(
          "(?m)^\\s*(\\w+ )?\\s*(\\S+)\\s+`json:\"([^\"]*)\" [^`]*?protobuf:\"\\w+,(\\d+),[^`]*`");

  private record Tag(String json, boolean pointer) {}

  /** By the full names of messages: the lines of their fields. */
  private final Map<String, List<String>> messages = new TreeMap<>();

  /** The full names of the messages to which a message refers. */
  private final Map<String, List<String>> references = new HashMap<>();

  private final List<String> kinds = new ArrayList<>();

  private void read(Path proto) throws IOException {
    Map<String, Tag> tags = tags(proto.getParent());
    String text = Files.readString(proto);
    Matcher name = PACKAGE.matcher(text);
    name.find();
    for (var message : MESSAGE.matcher(text).results().toList()) {
      List<String> lines = new ArrayList<>();
      List<String> inner = new ArrayList<>();
      for (var field : FIELD.matcher(message.group(2)).results().toList()) {
        boolean map = field.group(3) != null;
        String type = map ? field.group(4) : field.group(2);
        if (Character.isUpperCase(type.charAt(0))) {
          type = name.group(1) + "." + type;
        }
        type = type.startsWith(".") ? type.substring(1) : type;
        inner.add(type);
        String tagged = message.group(1) + " " + field.group(6);
        Tag tag = tags.getOrDefault(tagged, new Tag(field.group(5), false));
        String json = tag.json().split(",")[0];
        boolean inline = tag.json().contains(",inline");
        boolean repeated = field.group(1).startsWith("repeated");
        boolean omitted = tag.json().contains(",omitempty") && !tag.pointer() && !repeated && !map;
        lines.add(
            "%s\t%s\t%s%s%s"
                .formatted(
                    field.group(6),
                    inline ? "." : json,
                    map ? "{}" : repeated ? "[]" : "",
                    shorten(type),
                    omitted ? "?" : ""));
        boolean kind = field.group(5).equals("metadata") && type.endsWith("ObjectMeta");
        if (kind || message.group(1).equals("DeleteOptions")) {
          kinds.add(name.group(1) + "." + message.group(1));
        }
      }
      messages.put(name.group(1) + "." + message.group(1), lines);
      references.put(name.group(1) + "." + message.group(1), inner);
    }
  }

  private static Map<String, Tag> tags(Path folder) throws IOException {
    Map<String, Tag> tags = new HashMap<>();
    try (var files = Files.list(folder)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".go")).toList()) {
        if (file.toString().contains("generated")) {
          continue;
        }
        for (var struct : STRUCT.matcher(Files.readString(file)).results().toList()) {
          for (var tag : TAG.matcher(struct.group(2)).results().toList()) {
            tags.put(
                struct.group(1) + " " + tag.group(4),
                new Tag(tag.group(3), tag.group(2).startsWith("*")));
          }
        }
      }
    }
    return tags;
  }

  private static String shorten(String type) {
    return type.replace("k8s.io.apimachinery.pkg.", "").replace("k8s.io.api.", "");
  }

  /** Writes the table. */
  public static void main(String[] arguments) throws IOException {
    ProtobufFields fields = new ProtobufFields();
    for (String module : List.of("api", "apimachinery")) {
      try (var files = Files.walk(Path.of(arguments[0], module + "@" + arguments[1]))) {
        for (Path file :
            files
                .filter(path -> path.endsWith("generated.proto"))
                .filter(path -> path.toString().matches(".*/(v\\d+|resource|intstr|runtime)/[^/]*"))
                .filter(path -> !path.toString().contains("testapigroup"))
                .sorted()
                .toList()) {
          fields.read(file);
        }
      }
    }
    TreeSet<String> reached = new TreeSet<>();
    Deque<String> next = new ArrayDeque<>(fields.kinds);
    while (!next.isEmpty()) {
      String message = next.pop();
      if (fields.messages.containsKey(message) && reached.add(message)) {
        next.addAll(fields.references.get(message));
      }
    }
    List<String> lines = new ArrayList<>();
    for (String message : reached) {
      lines.add(shorten(message));
      lines.addAll(fields.messages.get(message));
    }
    Files.createDirectories(TABLE.getParent());
    Files.write(TABLE, lines);
    System.out.println(reached.size() + " messages, " + lines.size() + " lines: " + TABLE);
  }
}
