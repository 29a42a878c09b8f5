// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.openrewrite.Cursor;
import org.openrewrite.java.JavaPrinter;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.Space;
import org.openrewrite.java.tree.TypeUtils;

/**
 * Updates the imports of a compilation unit. This class adds the imports that the converted code
 * needs. It removes an import if its simple name no longer appears in the unit or, for an import of
 * the Java Operator SDK, if the name appears only in comments.
 */
final class Imports {

  private final List<J.Import> before;
  private final Map<String, String> taken = new LinkedHashMap<>();
  private final Set<String> added = new TreeSet<>();
  private final Set<String> printed = new HashSet<>();
  private final Set<String> printedPackages = new HashSet<>();

  Imports(J.CompilationUnit unit) {
    before = unit.getImports();
    before.stream()
        .filter(line -> !line.isStatic())
        .forEach(line -> taken.put(line.getQualid().getSimpleName(), line.getTypeName()));
    unit.getClasses().forEach(this::take);
  }

  /**
   * Records the names of a class and its nested classes. These names hide imported classes with the
   * same names.
   */
  private void take(J.ClassDeclaration type) {
    taken.put(type.getSimpleName(), "");
    type.getBody().getStatements().stream()
        .filter(J.ClassDeclaration.class::isInstance)
        .forEach(member -> take((J.ClassDeclaration) member));
  }

  /** Records that the converted code contains an identifier. */
  void printed(J.Identifier identifier) {
    printed.add(identifier.getSimpleName());
    JavaType.FullyQualified type = TypeUtils.asFullyQualified(identifier.getType());
    if (type != null && type.getClassName().endsWith(identifier.getSimpleName())) {
      printedPackages.add(type.getPackageName());
    }
  }

  /**
   * Returns the name with which the converted code refers to a type. Imports the type and returns
   * its simple name, unless the simple name already refers to another type. In this case, returns
   * the full name.
   */
  String name(String type) {
    String simple = type.substring(type.lastIndexOf('.') + 1);
    String other = taken.getOrDefault(simple, type);
    if (!other.equals(type) && !other.startsWith(Sdk.ROOT)) {
      return type;
    }
    added.add(type);
    return simple;
  }

  /** Returns the import declarations for the given code. */
  String text(String body) {
    List<J.Import> kept = before.stream().filter(line -> stays(line, body)).toList();
    Set<String> names = new HashSet<>();
    List<Line> lines = new ArrayList<>();
    for (J.Import line : kept) {
      names.add(line.getTypeName());
      lines.add(
          new Line(line.isStatic(), withComments(line), !lines.isEmpty() && blankLineBefore(line)));
    }
    List<Line> fresh =
        added.stream()
            .filter(type -> !names.contains(type))
            .map(type -> new Line(false, "import " + type, false))
            .toList();
    return render(merge(lines, fresh));
  }

  private static String withComments(J.Import line) {
    Cursor root = new Cursor(null, Cursor.ROOT_VALUE);
    String comments =
        line.getPrefix().getComments().stream()
            .map(comment -> comment.printComment(root) + comment.getSuffix())
            .collect(Collectors.joining());
    return comments + line.withPrefix(Space.EMPTY).printTrimmed(new JavaPrinter<>()).strip();
  }

  private static boolean blankLineBefore(J.Import line) {
    return line.getPrefix().getLastWhitespace().chars().filter(c -> c == '\n').count() > 1;
  }

  /**
   * Adds new imports to the existing imports. If the existing imports are sorted, the result is
   * sorted. Otherwise, the new imports follow the existing ones.
   */
  private static List<Line> merge(List<Line> lines, List<Line> fresh) {
    List<Line> types = new ArrayList<>(lines.stream().filter(line -> !line.isStatic()).toList());
    List<Line> statics = lines.stream().filter(Line::isStatic).toList();
    List<Line> sorted = types.stream().sorted(Comparator.comparing(Line::text)).toList();
    boolean isSorted = sorted.equals(types) && types.stream().skip(1).noneMatch(Line::apart);
    types.addAll(fresh);
    if (isSorted) {
      types.sort(Comparator.comparing(Line::text));
    }
    boolean staticsFirst = !lines.isEmpty() && lines.get(0).isStatic();
    List<Line> merged = new ArrayList<>(staticsFirst ? statics : types);
    merged.addAll(staticsFirst ? types : statics);
    return merged;
  }

  private static String render(List<Line> lines) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < lines.size(); i++) {
      Line line = lines.get(i);
      boolean group = i > 0 && (line.apart() || line.isStatic() != lines.get(i - 1).isStatic());
      text.append(i == 0 || group ? "\n\n" : "\n").append(line.text()).append(";");
    }
    return text.toString();
  }

  private boolean stays(J.Import line, String body) {
    String name = line.getQualid().getSimpleName();
    boolean ofTheSdk = line.getTypeName().startsWith(Sdk.ROOT);
    if (name.equals("*")) {
      return !ofTheSdk || printedPackages.contains(line.getPackageName());
    }
    if (ofTheSdk) {
      return printed.contains(name) && added.stream().noneMatch(type -> type.endsWith("." + name));
    }
    return Pattern.compile("\\b" + Pattern.quote(name) + "\\b").matcher(body).find();
  }

  private record Line(boolean isStatic, String text, boolean apart) {}
}
