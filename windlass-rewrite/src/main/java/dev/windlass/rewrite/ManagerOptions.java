// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;

/**
 * Converts the configuration of the Java Operator SDK's {@code Operator} to calls to the manager's
 * builder.
 */
final class ManagerOptions {

  private final Source source;
  private final String indent;

  ManagerOptions(Source source, String indent) {
    this.source = source;
    this.indent = indent;
  }

  /** Returns the expression that builds the manager, including the white space before it. */
  String builder(OperatorBlock operator) {
    List<String> calls = new ArrayList<>();
    for (Expression argument : operator.arguments()) {
      calls.addAll(configured(argument));
    }
    operator.stopTimeouts().forEach(it -> calls.add(".stopTimeout(" + source.text(it) + ")"));
    calls.add(".build()");
    String builder = source.name(Windlass.MANAGER) + ".builder()";
    if (calls.size() == 1) {
      return " " + builder + calls.get(0);
    }
    String next = "\n" + indent + source.step() + source.step();
    return next
        + builder
        + next
        + source.step()
        + source.step()
        + String.join(next + source.step() + source.step(), calls);
  }

  private List<String> configured(Expression argument) {
    if (argument instanceof J.Lambda lambda && lambda.getBody() instanceof Expression chain) {
      return chain(chain);
    }
    if (argument instanceof J.Lambda lambda && lambda.getBody() instanceof J.Block block) {
      List<String> calls = new ArrayList<>();
      block.getStatements().stream()
          .map(it -> it instanceof Expression chain ? chain(chain) : List.of(todo(it)))
          .forEach(calls::addAll);
      return calls;
    }
    return List.of(todo(argument));
  }

  private List<String> chain(Expression chain) {
    List<String> calls = new ArrayList<>();
    Expression next = chain;
    while (next instanceof J.MethodInvocation call && call.getSelect() != null) {
      calls.add(0, option(call));
      next = call.getSelect();
    }
    return calls;
  }

  private String option(J.MethodInvocation call) {
    Expression argument = call.getArguments().get(0);
    return switch (call.getSimpleName()) {
      case "withKubernetesClient" -> ".client(" + source.text(argument) + ")";
      case "withLeaderElectionConfiguration" ->
          lease(argument).map(it -> ".leaderElection(" + it + ")").orElseGet(() -> todo(call));
      default -> todo(call);
    };
  }

  private Optional<String> lease(Expression configuration) {
    List<Expression> arguments = new ArrayList<>();
    Expression next = configuration;
    while (next instanceof J.MethodInvocation call) {
      boolean known =
          List.of("build", "withLeaseNamespace", "aLeaderElectionConfiguration")
              .contains(call.getSimpleName());
      if (!known) {
        return Optional.empty();
      }
      if (!call.getSimpleName().equals("build")) {
        arguments.add(0, call.getArguments().get(0));
      }
      next = call.getSelect();
    }
    if (next instanceof J.NewClass created) {
      arguments.addAll(created.getArguments());
    }
    if (arguments.isEmpty() || arguments.size() > 2) {
      return Optional.empty();
    }
    String options =
        source.name(Windlass.LEADER_ELECTION) + ".of(" + source.text(arguments.get(0)) + ")";
    return Optional.of(
        arguments.size() == 1
            ? options
            : options + ".withNamespace(" + source.text(arguments.get(1)) + ")");
  }

  private String todo(J call) {
    String text =
        call instanceof J.MethodInvocation option
            ? option.getSimpleName() + "(" + Todo.quoted(option.getArguments().get(0)) + ")"
            : Todo.quoted(call);
    return Todo.line("convert " + text, Heading.OPERATOR);
  }
}
