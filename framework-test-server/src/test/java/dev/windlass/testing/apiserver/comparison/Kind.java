// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.comparison;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A kind whose objects are compared, as described in {@code kinds.txt}.
 *
 * @param minimal the content of the smallest valid object
 * @param patches the merge patches by their prefix: empty, "?", "s" or a subresource
 */
record Kind(
    String url,
    String name,
    String apiVersion,
    List<String> subresources,
    ObjectNode minimal,
    Map<String, List<ObjectNode>> patches) {

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES, JsonReadFeature.ALLOW_SINGLE_QUOTES)
          .build();

  /** Returns the kinds, without the pattern for all kinds. */
  static List<Kind> all() {
    List<Kind> kinds = new ArrayList<>();
    for (String line : lines("kinds.txt")) {
      int brace = line.indexOf('{');
      if (brace < 0) {
        String[] words = line.split(" ");
        List<String> subresources = List.of(words).subList(Math.min(3, words.length), words.length);
        String version = words.length < 3 ? "" : words[2];
        kinds.add(
            new Kind(words[0], words[1], version, subresources, Json.object(), new HashMap<>()));
        continue;
      }
      Kind kind = kinds.get(kinds.size() - 1);
      ObjectNode json = parse(line.substring(brace));
      if (brace == 0 && kind.minimal().isEmpty() && kind.patches().isEmpty()) {
        kind.minimal().setAll(json);
        kind.patches().put("", new ArrayList<>(List.of(json)));
      } else {
        kind.patches().computeIfAbsent(line.substring(0, brace), p -> new ArrayList<>()).add(json);
      }
    }
    Kind every = kinds.remove(0);
    kinds.forEach(
        kind ->
            every
                .patches()
                .forEach(
                    (prefix, more) ->
                        kind.patches()
                            .computeIfAbsent(prefix, p -> new ArrayList<>())
                            .addAll(more)));
    return kinds;
  }

  /** Returns the definitions of the custom resources. */
  static List<ObjectNode> definitions() {
    return lines("crds.txt").stream().map(Kind::parse).toList();
  }

  private static List<String> lines(String file) {
    try (InputStream in = Kind.class.getResourceAsStream("/comparison/" + file)) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return text.lines().filter(line -> !line.startsWith("#")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ObjectNode parse(String json) {
    try {
      return (ObjectNode) MAPPER.readTree(json);
    } catch (IOException e) {
      throw new UncheckedIOException(json, e);
    }
  }
}
