// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.LoggingEvent;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

/** The last column of the log. */
final class JsonFieldsTest {

  private static LoggingEvent event(KeyValuePair... pairs) {
    return Events.of("x", pairs);
  }

  @Test
  void showsWhatALineCarriesInItsOrder() {
    assertThat(
            JsonFields.column(
                event(
                    new KeyValuePair("hello", "default/hello-sample"),
                    new KeyValuePair("Name", "hello-sample"))))
        .isEqualTo("\t{\"hello\": \"default/hello-sample\", \"Name\": \"hello-sample\"}");
  }

  @Test
  void showsNothingOfALineThatCarriesNothing() {
    assertThat(JsonFields.column(Events.of(Map.of("name", "a"), "x"))).isEmpty();
    assertThat(JsonFields.column(event())).isEmpty();
  }

  @Test
  void staysJsonWhateverTheValuesAre() {
    assertThat(JsonFields.column(event(new KeyValuePair("a\"b", "c\\d\n\te"))))
        .isEqualTo("\t{\"a\\\"b\": \"c\\\\d\\u000a\\u0009e\"}");
  }
}
