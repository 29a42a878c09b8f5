// SPDX-License-Identifier: Apache-2.0
package dev.windlass.maven.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Compares the CRDs of two releases, and reports breaking changes.
 *
 * <p>A change is breaking if the API server can reject an object that was valid under the earlier
 * CRD, or can drop a field of such an object. A change is also breaking if clients can no longer
 * send a request that was previously possible. A change whose effect cannot be determined, such as
 * a changed pattern, is reported as well.
 */
public final class CrdDiff {

  private final List<BreakingChange> changes = new ArrayList<>();
  private final Consumer<String> warnings;

  private CrdDiff(Consumer<String> warnings) {
    this.warnings = warnings;
  }

  /**
   * Returns the breaking changes, in the order of the earlier CRDs.
   *
   * @param warnings receives the changes that may be breaking: those that require a conversion
   *     which the program or its chart adds, because the CRD generator never writes one, and new
   *     formats of integers
   */
  public static List<BreakingChange> of(
      Map<String, JsonNode> earlier, Map<String, JsonNode> later, Consumer<String> warnings) {
    CrdDiff diff = new CrdDiff(warnings);
    earlier.forEach(
        (name, before) -> {
          JsonNode after = later.get(name);
          if (after == null) {
            diff.report(name, "was removed");
          } else {
            diff.compare(name, before.path("spec"), after.path("spec"));
          }
        });
    return diff.changes;
  }

  private void report(String subject, String what) {
    changes.add(new BreakingChange(subject, what));
  }

  private void compare(String name, JsonNode before, JsonNode after) {
    compareValue(name, "scope", before.path("scope"), after.path("scope"));
    compareValue(name, "kind", before.at("/names/kind"), after.at("/names/kind"));
    for (JsonNode earlier : before.path("versions")) {
      String version = name + " " + earlier.path("name").asText();
      JsonNode later = version(after, earlier.path("name").asText());
      if (!later.isMissingNode()) {
        compareVersions(version, earlier, later);
      } else if (isServed(earlier) || isStored(earlier)) {
        report(version, "was removed");
      }
    }
    compareStorage(name, before, after);
  }

  private void compareValue(String name, String what, JsonNode before, JsonNode after) {
    if (!before.equals(after)) {
      report(name, "has the " + what + " " + after.asText() + " instead of " + before.asText());
    }
  }

  private void compareVersions(String version, JsonNode before, JsonNode after) {
    if (isServed(before) && !isServed(after)) {
      report(version, "is no longer served");
    }
    for (String subresource : List.of("status", "scale")) {
      if (before.path("subresources").has(subresource)
          && !after.path("subresources").has(subresource)) {
        report(version, "no longer has the subresource " + subresource);
      }
    }
    new SchemaDiff(version + ":", changes::add, it -> warnings.accept(it.toString()))
        .compare("", schema(before), schema(after));
  }

  /**
   * Compares the schemas of the earlier and the later storage version. Without a conversion
   * webhook, an object that is stored in the later version loses the fields that this version does
   * not have.
   */
  private void compareStorage(String name, JsonNode before, JsonNode after) {
    JsonNode earlier = stored(before);
    JsonNode later = stored(after);
    String strategy = after.at("/conversion/strategy").asText();
    boolean isConverted = strategy.equals("Webhook");
    if (isConverted || earlier.path("name").equals(later.path("name"))) {
      return;
    }
    String subject =
        name
            + " stored in "
            + later.path("name").asText()
            + " instead of "
            + earlier.path("name").asText()
            + ", without a conversion webhook:";
    Consumer<BreakingChange> unlessConverted =
        change ->
            warnings.accept(change + ". The program must convert: its file has no conversion");
    new SchemaDiff(subject, strategy.isEmpty() ? unlessConverted : changes::add, it -> {})
        .compare("", schema(earlier), schema(later));
  }

  private static JsonNode version(JsonNode spec, String name) {
    for (JsonNode version : spec.path("versions")) {
      if (version.path("name").asText().equals(name)) {
        return version;
      }
    }
    return MissingNode.getInstance();
  }

  private static JsonNode stored(JsonNode spec) {
    for (JsonNode version : spec.path("versions")) {
      if (isStored(version)) {
        return version;
      }
    }
    return MissingNode.getInstance();
  }

  private static JsonNode schema(JsonNode version) {
    return version.at("/schema/openAPIV3Schema");
  }

  private static boolean isServed(JsonNode version) {
    return version.path("served").asBoolean();
  }

  private static boolean isStored(JsonNode version) {
    return version.path("storage").asBoolean();
  }
}
