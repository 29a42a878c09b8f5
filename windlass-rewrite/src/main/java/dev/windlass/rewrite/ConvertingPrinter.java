// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.openrewrite.Cursor;
import org.openrewrite.PrintOutputCapture;
import org.openrewrite.Tree;
import org.openrewrite.java.JavaPrinter;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JRightPadded;
import org.openrewrite.java.tree.Space;
import org.openrewrite.java.tree.Statement;

/**
 * Prints a compilation unit. If a {@link Rule} converts a node, prints the text from the rule
 * instead of the node. White space and comments are kept, so only converted lines change.
 *
 * <p>The printer visits a node of the syntax tree before the node's children. The rules are
 * therefore applied to a statement before they are applied to its expressions.
 *
 * <p>A printer can be used for only one compilation unit.
 */
final class ConvertingPrinter extends JavaPrinter<Integer> implements Source {

  private final List<Rule> rules;
  private final Imports imports;
  private final String step;

  /** The original classes of the unit, which implement the SDK's interfaces, keyed by id. */
  private final Map<UUID, J.ClassDeclaration> classes;

  /** The {@code TODO} comments for the line that is being printed. */
  private Set<String> todos = new LinkedHashSet<>();

  /** The indentation of each enclosing statement or declaration, the innermost last. */
  private final List<String> indents = new ArrayList<>(List.of(""));

  /** The node to print without applying the rules, because they have already been applied to it. */
  private @Nullable J asked;

  private boolean verbatim;

  ConvertingPrinter(J.CompilationUnit unit, List<Rule> rules) {
    this.rules = rules;
    this.imports = new Imports(unit);
    this.step = stepOf(unit);
    this.classes = Search.classes(unit);
  }

  /** Returns the indentation of the first indented member of a class, or four spaces. */
  private static String stepOf(J.CompilationUnit unit) {
    return unit.getClasses().stream()
        .flatMap(type -> type.getBody().getStatements().stream())
        .map(member -> member.getPrefix().getIndent())
        .filter(indent -> !indent.isEmpty())
        .findFirst()
        .orElse("    ");
  }

  /** Returns the text of the unit after the conversion. */
  String convert(J.CompilationUnit unit) {
    PrintOutputCapture<Integer> body = new PrintOutputCapture<>(0);
    setCursor(new Cursor(getCursor(), unit));
    unit.getClasses().forEach(type -> visit(type, body));
    visitSpace(unit.getEof(), Space.Location.COMPILATION_UNIT_EOF, body);
    setCursor(getCursor().getParent());
    String head = print(unit.withClasses(List.of()).withImports(List.of()).withEof(Space.EMPTY));
    String rest = imports.text(body.getOut()) + body.getOut();
    return head.isBlank() ? rest.stripLeading() : head + rest;
  }

  private String print(J.CompilationUnit head) {
    PrintOutputCapture<Integer> out = new PrintOutputCapture<>(0);
    new JavaPrinter<Integer>().visit(head, out);
    return out.getOut();
  }

  @Override
  public @Nullable J visit(@Nullable Tree tree, PrintOutputCapture<Integer> out) {
    if (!(tree instanceof J node) || node == asked || tree instanceof J.CompilationUnit) {
      asked = null;
      return super.visit(tree, out);
    }
    if (isLine(node)) {
      printLine(node, out);
    } else {
      visitSpace(node.getPrefix(), Space.Location.ANY, out);
      out.append(converted(node));
    }
    return node;
  }

  /** Returns whether a comment can be inserted on a separate line above a node. */
  private boolean isLine(J node) {
    J parent = getCursor().firstEnclosing(J.class);
    return parent instanceof J.CompilationUnit
        || parent instanceof J.Block
        || (parent instanceof J.Case aCase && aCase.getStatements().contains(node));
  }

  /**
   * Prints a statement. Omits the semicolon after a return statement that has been converted to a
   * block, because the semicolon would be a syntax error before {@code else}.
   */
  @Override
  protected void visitStatement(
      @Nullable JRightPadded<Statement> statement,
      JRightPadded.Location location,
      PrintOutputCapture<Integer> out) {
    int start = out.out.length();
    super.visitStatement(statement, location, out);
    if (statement != null && statement.getElement() instanceof J.Return) {
      String text = out.out.substring(start);
      if (text.strip().startsWith("{") && text.endsWith("};")) {
        out.out.setLength(out.out.length() - 1);
      }
    }
  }

  private void printLine(J node, PrintOutputCapture<Integer> out) {
    Set<String> outer = todos;
    todos = new LinkedHashSet<>();
    Space prefix = node.getPrefix();
    boolean own = prefix.getLastWhitespace().contains("\n") || indents.size() == 1;
    String indent = own ? prefix.getIndent() : indents.get(indents.size() - 1);
    indents.add(indent);
    String text = converted(node);
    indents.remove(indents.size() - 1);
    visitSpace(prefix, Space.Location.ANY, out);
    todos.stream()
        .filter(todo -> !isThere(todo, prefix))
        .forEach(todo -> out.append(todo + "\n" + indent));
    out.append(text);
    todos = outer;
  }

  /**
   * Returns whether a {@code TODO} comment is already present, for example because the recipe has
   * been run before.
   */
  private boolean isThere(String todo, Space prefix) {
    return prefix.getComments().stream()
        .anyMatch(comment -> comment.printComment(getCursor()).contains(todo));
  }

  private String converted(J node) {
    J bare = node.withPrefix(Space.EMPTY);
    setCursor(new Cursor(getCursor(), bare));
    try {
      if (!verbatim) {
        for (Rule rule : rules) {
          String text = rule.convert(bare, this);
          if (text != null) {
            return text;
          }
        }
      }
      return withConvertedChildren(bare);
    } finally {
      setCursor(getCursor().getParent());
    }
  }

  @Override
  public String withConvertedChildren(J node) {
    Cursor cursor = getCursor();
    if (node instanceof J.Identifier identifier) {
      imports.printed(identifier);
    }
    J bare = node.withPrefix(Space.EMPTY);
    PrintOutputCapture<Integer> out = new PrintOutputCapture<>(0);
    setCursor(cursor.getParent());
    asked = bare;
    visit(bare, out);
    setCursor(cursor);
    return out.getOut();
  }

  @Override
  public String text(J child) {
    PrintOutputCapture<Integer> out = new PrintOutputCapture<>(0);
    visit(child, out);
    return out.getOut().strip();
  }

  @Override
  public String verbatim(J node) {
    boolean before = verbatim;
    verbatim = true;
    String text = node == cursor().getValue() ? withConvertedChildren(node) : text(node);
    verbatim = before;
    return text;
  }

  @Override
  public String name(String type) {
    return imports.name(type);
  }

  @Override
  public void todo(String what, Heading heading) {
    todos.add(Todo.line(what, heading));
  }

  @Override
  public Cursor cursor() {
    return getCursor();
  }

  @Override
  public Optional<J.ClassDeclaration> reconciler() {
    return Optional.ofNullable(getCursor().firstEnclosing(J.ClassDeclaration.class))
        .map(it -> classes.get(it.getId()))
        .filter(Sdk::isReconciler);
  }

  @Override
  public String indent() {
    return indents.get(indents.size() - 1);
  }

  @Override
  public String step() {
    return step;
  }
}
