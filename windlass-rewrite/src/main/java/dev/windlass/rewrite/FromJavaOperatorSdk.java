// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import java.util.List;
import org.openrewrite.ExecutionContext;
import org.openrewrite.Recipe;
import org.openrewrite.SourceFile;
import org.openrewrite.TreeVisitor;
import org.openrewrite.java.JavaIsoVisitor;
import org.openrewrite.java.JavaParser;
import org.openrewrite.java.tree.J;

/**
 * An OpenRewrite recipe that converts operators from the Java Operator SDK 5.x to Windlass. It
 * converts reconcilers, their results, clean-up, event sources and the program. Code that uses the
 * SDK and cannot be converted remains unchanged. The recipe inserts a comment {@code // TODO
 * Windlass: ...} above it, which refers to the migration guide.
 *
 * <p>The SDK must be on the class path of the sources. Do not run other recipes in the same run: a
 * converted file is parsed again and then has no type information.
 */
public final class FromJavaOperatorSdk extends Recipe {

  private static final List<Rule> RULES =
      List.of(
          new SdkSubclassRule(),
          new ReconcilerRule(),
          new OperatorRule(),
          new ControlRule(),
          new ContextRule(),
          new ResourceOperationsRule(),
          new OwnerReferenceRule(),
          new ResourceIdRule(),
          new TypeRule(),
          new LeftoverRule());

  /** Creates the recipe, which has no options. */
  public FromJavaOperatorSdk() {}

  @Override
  public String getDisplayName() {
    return "Convert operators from the Java Operator SDK to Windlass";
  }

  @Override
  public String getDescription() {
    return "Converts reconcilers, their results, clean-up, event sources and the program. What it"
        + " cannot convert stays, with a comment that refers to the guide.";
  }

  @Override
  public TreeVisitor<?, ExecutionContext> getVisitor() {
    return new JavaIsoVisitor<>() {
      @Override
      public J.CompilationUnit visitCompilationUnit(
          J.CompilationUnit unit, ExecutionContext context) {
        boolean ofTheSdk = unit.getTypesInUse().getTypesInUse().stream().anyMatch(Sdk::owns);
        return ofTheSdk || OwnerReferenceRule.concerns(unit) ? converted(unit, context) : unit;
      }
    };
  }

  private static J.CompilationUnit converted(J.CompilationUnit unit, ExecutionContext context) {
    String text = new ConvertingPrinter(unit, RULES).convert(unit);
    if (text.equals(unit.printAll())) {
      return unit;
    }
    SourceFile parsed =
        JavaParser.fromJavaVersion()
            .build()
            .parse(context, text)
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("no unit in " + unit.getSourcePath()));
    if (!(parsed instanceof J.CompilationUnit converted)) {
      throw new IllegalStateException(
          "the converted code of %s is not Java:%n%s".formatted(unit.getSourcePath(), text));
    }
    return converted
        .withId(unit.getId())
        .withSourcePath(unit.getSourcePath())
        .withMarkers(unit.getMarkers());
  }
}
