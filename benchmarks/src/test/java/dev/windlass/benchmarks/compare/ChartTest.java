// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.List;
import java.util.OptionalDouble;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

final class ChartTest {

  @Test
  void drawsABarForEachFigureInProportionToTheLargest() throws Exception {
    String svg =
        Chart.svg(
            "sync <1>",
            List.of("wall s", "CPU s"),
            List.of(
                new Chart.Row("a", List.of(OptionalDouble.of(2), OptionalDouble.of(4))),
                new Chart.Row("b & c", List.of(OptionalDouble.of(1), OptionalDouble.empty()))));
    Document parsed =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(svg)));
    assertThat(parsed.getElementsByTagName("rect").getLength()).isEqualTo(1 + 2 + 3);
    assertThat(svg)
        .contains("width=\"430.0\"", "width=\"215.0\"", "width=\"107.5\"")
        .contains(">2.00<", ">4.00<", ">1.00<")
        .contains("sync &lt;1&gt;", "b &amp; c");
  }
}
