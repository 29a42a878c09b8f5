// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import java.util.List;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;

/**
 * Creates the statements with which a {@link Control} writes objects. The statements update the
 * reconciled object, because it contains the resource version that was read. They write other
 * objects with server-side apply, as the Java Operator SDK does by default.
 */
final class Writes {

  private Writes() {}

  /** Returns the statements for {@code patchStatus} and similar methods. */
  static List<String> of(J.MethodInvocation call, Source source) {
    Expression argument = call.getArguments().get(0);
    ReconcileMethod method =
        ReconcileMethod.around(source.cursor()).orElse(new ReconcileMethod("context", "", ""));
    String client = method.context() + ".client()";
    String object = source.text(argument);
    boolean primary = method.isPrimary(argument);
    return switch (call.getSimpleName()) {
      case "patchStatus" -> List.of(status(client, object, primary));
      case "patchResource" -> List.of(client + (primary ? ".update(" : ".apply(") + object + ");");
      default -> primary ? replaceBoth(client, object) : applyBoth(client, object, argument);
    };
  }

  private static String status(String client, String object, boolean primary) {
    return client + (primary ? ".updateStatus(" : ".status().apply(") + object + ");";
  }

  /**
   * Returns the statements that update an object and then its status. The second request contains
   * the resource version that the first request has returned.
   */
  private static List<String> replaceBoth(String client, String object) {
    String updated = client + ".update(" + object + ").getMetadata().getResourceVersion()";
    return List.of(
        object + ".getMetadata().setResourceVersion(" + updated + ");",
        status(client, object, true));
  }

  private static List<String> applyBoth(String client, String object, Expression argument) {
    if (argument instanceof J.Identifier) {
      return List.of(client + ".apply(" + object + ");", status(client, object, false));
    }
    return List.of(
        "var patch = " + object + ";", client + ".apply(patch);", status(client, "patch", false));
  }
}
