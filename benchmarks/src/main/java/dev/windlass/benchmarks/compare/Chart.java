// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks.compare;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * A bar chart as SVG. Each row has one bar for each of two columns of the report. A figure that was
 * not measured has no bar.
 */
final class Chart {

  private static final int WIDTH = 760;
  private static final int LABELS = 230;
  private static final int BARS = 430;
  private static final int ROW = 40;
  private static final int TOP = 58;
  private static final List<String> COLOURS = List.of("#2f6f9f", "#c98a2b");

  /**
   * A row of the chart.
   *
   * @param figures one figure for each column
   */
  record Row(String label, List<OptionalDouble> figures) {}

  private Chart() {}

  /**
   * Returns the chart.
   *
   * @param columns the titles of the two columns
   */
  static String svg(String title, List<String> columns, List<Row> rows) {
    StringBuilder svg = new StringBuilder();
    int height = TOP + rows.size() * ROW + 8;
    svg.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"13\">\n"
            .formatted(WIDTH, height));
    svg.append("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n".formatted(WIDTH, height));
    svg.append("<text x=\"10\" y=\"24\" font-size=\"16\">%s</text>\n".formatted(escaped(title)));
    for (int column = 0; column < columns.size(); column++) {
      int x = LABELS + column * 120;
      svg.append(
          "<rect x=\"%d\" y=\"36\" width=\"12\" height=\"12\" fill=\"%s\"/><text x=\"%d\" y=\"47\">%s</text>\n"
              .formatted(x, COLOURS.get(column), x + 18, escaped(columns.get(column))));
    }
    double most =
        rows.stream()
            .flatMap(row -> row.figures().stream())
            .flatMapToDouble(OptionalDouble::stream)
            .max()
            .orElse(1);
    for (int row = 0; row < rows.size(); row++) {
      bars(svg, rows.get(row), TOP + row * ROW, most);
    }
    return svg.append("</svg>\n").toString();
  }

  private static void bars(StringBuilder svg, Row row, int y, double most) {
    svg.append(
        "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n"
            .formatted(LABELS - 8, y + 20, escaped(row.label())));
    for (int column = 0; column < row.figures().size(); column++) {
      OptionalDouble figure = row.figures().get(column);
      if (figure.isPresent()) {
        double width = BARS * figure.getAsDouble() / most;
        int top = y + column * 15;
        svg.append(
            String.format(
                Locale.ROOT,
                "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"13\" fill=\"%s\"/><text x=\"%.1f\" y=\"%d\" font-size=\"11\">%.2f</text>\n",
                LABELS,
                top,
                width,
                COLOURS.get(column),
                LABELS + width + 6,
                top + 11,
                figure.getAsDouble()));
      }
    }
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
