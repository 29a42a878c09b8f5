// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import dev.windlass.benchmarks.InformerComparison.Heap;
import dev.windlass.benchmarks.InformerRun.Library;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Prints the figures of {@link InformerComparison} and their targets as Markdown tables. KB and MB
 * are 1,000 and 1,000,000 bytes.
 */
final class InformerReport {

  /** The minimum number of objects at which the targets for large caches apply. */
  private static final int LARGE = 100_000;

  private final int objects;
  private final Map<Heap, Map<Library, List<InformerFigures>>> rounds;

  InformerReport(int objects, Map<Heap, Map<Library, List<InformerFigures>>> rounds) {
    this.objects = objects;
    this.rounds = rounds;
  }

  void print() {
    System.out.println("| heap | | transport alone | Windlass | fabric8 | ratio | target | |");
    System.out.println("|---|---|---|---|---|---|---|---|");
    boolean large = objects >= LARGE;
    row(Heap.ROOMY, "wall s", "%.2f", InformerFigures::seconds, large ? 0.6 : 0);
    row(Heap.ROOMY, "CPU s", "%.2f", InformerFigures::cpuSeconds, large ? 0.45 : 0);
    row(Heap.ROOMY, "heap MB", "%.1f", f -> f.heapBytes() / 1e6, 0);
    if (large) {
      limit(Heap.ROOMY, "heap MB", f -> f.heapBytes() / 1e6, 130);
    }
    row(
        Heap.ROOMY,
        "heap KB per object",
        "%.2f",
        f -> f.heapBytes() / 1e3 / objects,
        large ? 0 : 0.3);
    if (!large) {
      limit(Heap.ROOMY, "heap KB per object", f -> f.heapBytes() / 1e3 / objects, 1.3);
    }
    row(Heap.ROOMY, "peak RSS MB", "%.0f", f -> f.residentBytes() / 1e6, 0);
    row(Heap.ROOMY, "typed objects made", "%.0f", f -> f.typedObjects(), 0);
    row(Heap.TIGHT, "wall s", "%.2f", InformerFigures::seconds, 0);
    row(Heap.TIGHT, "CPU s", "%.2f", InformerFigures::cpuSeconds, 0);
    row(Heap.TIGHT, "peak RSS MB", "%.0f", f -> f.residentBytes() / 1e6, 0);
    if (large) {
      limit(Heap.TIGHT, "peak RSS MB", f -> f.residentBytes() / 1e6, 300);
    }
    row(Heap.POD, "wall s", "%.2f", InformerFigures::seconds, 0);
    row(Heap.POD, "CPU s", "%.2f", InformerFigures::cpuSeconds, 0);
    row(Heap.POD, "peak RSS MB", "%.0f", f -> f.residentBytes() / 1e6, 0);
    limit(Heap.ROOMY, "typed objects made", f -> f.typedObjects(), 0);
    System.out.println();
  }

  private @Nullable InformerFigures median(Heap heap, Library library) {
    List<InformerFigures> figures = rounds.getOrDefault(heap, Map.of()).get(library);
    return figures == null || figures.isEmpty() ? null : InformerFigures.median(figures);
  }

  /**
   * Prints one figure of both libraries.
   *
   * @param target the maximum ratio of Windlass to fabric8; 0 if there is no target
   */
  private void row(
      Heap heap,
      String name,
      String format,
      ToDoubleFunction<InformerFigures> figure,
      double target) {
    InformerFigures ours = median(heap, Library.WINDLASS);
    InformerFigures theirs = median(heap, Library.FABRIC8);
    String ratioText = "";
    String verdict = "";
    if (ours != null && theirs != null && figure.applyAsDouble(theirs) > 0) {
      double ratio = figure.applyAsDouble(ours) / figure.applyAsDouble(theirs);
      ratioText = "%.2f".formatted(ratio);
      verdict = target == 0 ? "" : verdict(ratio <= target);
    } else if (target != 0) {
      verdict = ours == null ? "fail" : "pass: only Windlass got there";
    }
    print(
        heap,
        name,
        text(median(heap, Library.TRANSPORT), format, figure),
        text(ours, format, figure),
        text(theirs, format, figure),
        ratioText,
        target == 0 ? "" : "ratio ≤ " + target,
        verdict);
  }

  /** Prints one figure of Windlass and compares it with a limit. */
  private void limit(
      Heap heap, String name, ToDoubleFunction<InformerFigures> figure, double limit) {
    InformerFigures ours = median(heap, Library.WINDLASS);
    print(
        heap,
        name,
        "",
        text(ours, "%.2f", figure),
        "",
        "",
        "≤ " + limit,
        verdict(ours != null && figure.applyAsDouble(ours) <= limit));
  }

  private static String verdict(boolean reached) {
    return reached ? "pass" : "**fail**";
  }

  private static String text(
      @Nullable InformerFigures figures, String format, ToDoubleFunction<InformerFigures> figure) {
    return figures == null
        ? "does not sync"
        : String.format(Locale.ROOT, format, figure.applyAsDouble(figures));
  }

  private static void print(Heap heap, Object... cells) {
    StringBuilder row = new StringBuilder("| ").append(heap.title()).append(" |");
    for (Object cell : cells) {
      row.append(' ').append(cell).append(" |");
    }
    System.out.println(row);
  }
}
