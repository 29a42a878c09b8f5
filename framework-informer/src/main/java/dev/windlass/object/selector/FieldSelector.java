// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object.selector;

import dev.windlass.object.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A field selector, as in the {@code fieldSelector} parameter of a request. The server determines
 * which fields each type supports and what they mean. Every type supports {@code metadata.name} and
 * {@code metadata.namespace}.
 *
 * <p>Instances are immutable and thread-safe. Two selectors are equal if they have the same
 * requirements, in any order.
 */
public final class FieldSelector {

  /** The server's escape character. This class does not evaluate selectors that contain it. */
  private static final char ESCAPE = '\\';

  /** The characters that can occur in a value only if they are escaped. */
  private static final String ESCAPED = "\\,=";

  private record Requirement(String field, boolean negated, String value) {

    Optional<Boolean> matches(ObjectKey key) {
      return switch (field) {
        case "metadata.name" -> Optional.of(key.name().equals(value) != negated);
        case "metadata.namespace" -> Optional.of(key.namespace().equals(value) != negated);
        default -> Optional.empty();
      };
    }
  }

  /**
   * The requirements in canonical form, sorted and without duplicates. If the selector contains an
   * {@link #ESCAPE}, the set contains only the unparsed selector.
   */
  private final Set<String> parts;

  private final List<Requirement> requirements;
  private final boolean readable;

  private FieldSelector(Set<String> parts, List<Requirement> requirements, boolean readable) {
    this.parts = parts;
    this.requirements = requirements;
    this.readable = readable;
  }

  /**
   * Parses a selector. An empty string selects all objects. This method does not check whether the
   * resource type supports the fields.
   *
   * @throws IllegalArgumentException if the syntax of the selector is invalid; the message quotes
   *     the string
   */
  public static FieldSelector parse(String text) {
    requireSyntax(text);
    List<Requirement> found = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      int equals = part.indexOf('=');
      if (text.indexOf(ESCAPE) >= 0) {
        return new FieldSelector(Set.of(text), List.of(), false); // left to the server to evaluate
      }
      if (equals >= 0) {
        boolean negated = equals > 0 && part.charAt(equals - 1) == '!';
        boolean twice = !negated && part.startsWith("==", equals);
        found.add(
            new Requirement(
                part.substring(0, negated ? equals - 1 : equals).strip(),
                negated,
                part.substring(twice ? equals + 2 : equals + 1).strip()));
      }
    }
    Set<String> parts = new TreeSet<>();
    found.forEach(each -> parts.add(each.field + (each.negated ? "!=" : "=") + each.value));
    return new FieldSelector(parts, found, true);
  }

  /** Checks the syntax according to the rules of {@code k8s.io/apimachinery/pkg/fields}. */
  private static void requireSyntax(String text) {
    int start = 0;
    for (int at = 0; at <= text.length(); at++) {
      if (at == text.length() || text.charAt(at) == ',') {
        String problem = problemOf(text.substring(start, at));
        if (problem != null) {
          throw new IllegalArgumentException("not a field selector: '" + text + "': " + problem);
        }
        start = at + 1;
      } else if (text.charAt(at) == ESCAPE && at + 1 < text.length()) {
        at++;
      }
    }
  }

  /**
   * Returns a description of the error in a requirement, or null if the requirement is valid. The
   * server ignores empty requirements.
   */
  private static @Nullable String problemOf(String part) {
    int equals = part.indexOf('=');
    if (equals < 0) {
      return part.isEmpty()
          ? null
          : "'" + part + "' is not one of field=value, field==value, field!=value";
    }
    boolean negated = equals > 0 && part.charAt(equals - 1) == '!';
    if (part.substring(0, negated ? equals - 1 : equals).isBlank()) {
      return "'" + part + "' has no field name";
    }
    int value = !negated && part.startsWith("==", equals) ? equals + 2 : equals + 1;
    for (int at = value; at < part.length(); at++) {
      char c = part.charAt(at);
      boolean escapes = c == ESCAPE && at + 1 < part.length();
      if (c == '=' || (c == ESCAPE && !(escapes && ESCAPED.indexOf(part.charAt(at + 1)) >= 0))) {
        return "in the value '"
            + part.substring(value)
            + "', escape each of \\ , = with a \\, and nothing else";
      }
      at += escapes ? 1 : 0;
    }
    return null;
  }

  /**
   * Returns the object name that the selector requires. The result is empty if the selector does
   * not require a specific name, or if it contains an escape character.
   */
  public Optional<String> name() {
    return requirements.stream()
        .filter(requirement -> requirement.field.equals("metadata.name") && !requirement.negated)
        .map(Requirement::value)
        .filter(name -> !name.isEmpty())
        .findFirst();
  }

  /** Returns whether the selector selects all objects. */
  public boolean isEmpty() {
    return parts.isEmpty();
  }

  /**
   * Returns whether the selector selects the object with the given key. The result is empty if it
   * cannot be determined from the key alone.
   */
  public Optional<Boolean> matches(ObjectKey key) {
    boolean sure = readable;
    for (Requirement requirement : requirements) {
      Optional<Boolean> matches = requirement.matches(key);
      if (matches.isPresent() && !matches.get()) {
        return matches;
      }
      sure &= matches.isPresent();
    }
    return sure ? Optional.of(true) : Optional.empty();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FieldSelector that
        && readable == that.readable
        && parts.equals(that.parts);
  }

  @Override
  public int hashCode() {
    return parts.hashCode();
  }

  @Override
  public String toString() {
    return String.join(",", parts);
  }
}
