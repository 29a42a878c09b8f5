// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import dev.windlass.architecture.Behaviour.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** {@code docs/behaviour-coverage.md}: what is proven, by which tests, and what is not. */
final class CoveragePage {

  static final String FILE = "docs/behaviour-coverage.md";

  private static final Map<String, String> TITLES =
      Map.of(
          "000", "The Tenant operator: reconciling, watching, children, conditions",
          "001", "The Foo operator, on informers and a queue",
          "002", "How an event reaches a controller",
          "003", "Inside a controller, and the Hello operator",
          "004", "How kube-rs works");

  private final List<Behaviour> behaviours;
  private final Proofs proofs;
  private final List<String> lines = new ArrayList<>();

  CoveragePage(List<Behaviour> behaviours, Proofs proofs) {
    this.behaviours = behaviours;
    this.proofs = proofs;
  }

  /** The whole page, line by line. */
  List<String> render() {
    lines.add("# Behaviours and their proofs");
    lines.add("");
    lines.add(
        "Five documents about controllers describe "
            + behaviours.stream().filter(b -> !b.isRun()).count()
            + " behaviours. `behaviours.tsv` names each in our own words;");
    lines.add(
        "tests declare by `@Proves` which of them they prove. This page is generated from both"
            + " (`BehaviourCoverageTest`);");
    lines.add("do not edit it. `planted-bugs.md` shows for a sample that the tests can fail.");
    lines.add("");
    totals();
    runs();
    new TreeMap<>(TITLES).forEach(this::document);
    return List.copyOf(lines);
  }

  private void totals() {
    lines.add("| document | behaviours | proven | not applicable | decided otherwise | open |");
    lines.add("|---|---|---|---|---|---|");
    new TreeMap<>(TITLES)
        .forEach(
            (document, title) ->
                total(
                    document + " " + title,
                    behaviours.stream()
                        .filter(b -> !b.isRun() && b.document().equals(document))
                        .toList()));
    total("**all**", behaviours.stream().filter(b -> !b.isRun()).toList());
    lines.add("");
  }

  private void total(String title, List<Behaviour> some) {
    Map<State, Long> counts =
        some.stream().collect(Collectors.groupingBy(Behaviour::state, Collectors.counting()));
    lines.add(
        "| %s | %d | %d | %d | %d | %d |"
            .formatted(
                title,
                some.size(),
                counts.getOrDefault(State.PROVEN, 0L),
                counts.getOrDefault(State.NOT_APPLICABLE, 0L),
                counts.getOrDefault(State.DECIDED_OTHERWISE, 0L),
                counts.getOrDefault(State.OPEN, 0L)));
  }

  private void runs() {
    lines.add("## Acceptance runs");
    lines.add("");
    table(behaviours.stream().filter(Behaviour::isRun).toList());
  }

  private void document(String document, String title) {
    lines.add("## " + document + ": " + title);
    lines.add("");
    table(behaviours.stream().filter(b -> !b.isRun() && b.document().equals(document)).toList());
  }

  private void table(List<Behaviour> some) {
    lines.add("| id | what happens | how to observe it | proof |");
    lines.add("|---|---|---|---|");
    some.forEach(
        b -> lines.add("| %s | %s | %s | %s |".formatted(b.id(), b.text(), b.check(), proof(b))));
    lines.add("");
  }

  private String proof(Behaviour behaviour) {
    String tests =
        proofs.of(behaviour.id()).stream()
            .map(test -> "`" + test + "`")
            .collect(Collectors.joining(", "));
    return switch (behaviour.state()) {
      case PROVEN -> behaviour.why().isEmpty() ? tests : tests + ". " + behaviour.why() + ".";
      case NOT_APPLICABLE -> "n/a: " + behaviour.why() + ".";
      case DECIDED_OTHERWISE -> "decided otherwise: " + behaviour.why() + ".";
      case OPEN -> "open: " + behaviour.why() + ".";
    };
  }
}
