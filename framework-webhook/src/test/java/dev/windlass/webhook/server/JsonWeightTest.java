// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.ThreadMXBean;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonWeightTest {

  private static final int ELEMENTS = 20_000;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static byte[] list(String element) {
    StringBuilder text = new StringBuilder("{\"data\":[");
    for (int i = 0; i < ELEMENTS; i++) {
      text.append(i == 0 ? "" : ",").append(element.replace("#", "key-" + i));
    }
    return text.append("]}").toString().getBytes(StandardCharsets.UTF_8);
  }

  /** The bytes that a parser allocates, most of which the tree keeps. */
  private static long allocated(byte[] json) throws Exception {
    ObjectMapper mapper = new ObjectMapper();
    var unused = mapper.readTree(json); // loads the classes
    long before = THREADS.getCurrentThreadAllocatedBytes();
    var tree = mapper.readTree(json);
    long after = THREADS.getCurrentThreadAllocatedBytes();
    assertThat(tree.isObject()).isTrue();
    return after - before;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "[{}]",
        "[[]]",
        "[0]",
        "12",
        "\"\"",
        "\"a\"",
        "\"a \\\" , [ { : ] }\"",
        "{\"a\":{}}",
        "{\"\":{}}",
        "{\"a\":[{\"b\":1,\"c\":\"d\"}]}"
      })
  void isNotLessThanATreeTakes(String element) throws Exception {
    byte[] json = list(element);
    assertThat(JsonWeight.of(json)).isGreaterThan(allocated(json) * 9 / 10);
    assertThat(JsonWeight.of(json)).isLessThan(50L * json.length);
  }

  /** New keys also enter a table that all parsers share. */
  @Test
  void countsKeys() throws Exception {
    byte[] json = list("{\"#\":0}");
    assertThat(JsonWeight.of(json)).isGreaterThan(allocated(json) / 2);
  }

  @Test
  void isSmallForOrdinaryObjects() {
    byte[] pod =
        Serialization.asJson(
                new PodBuilder()
                    .withNewMetadata()
                    .withName("web-5f7d8c9b6-x2x4q")
                    .withNamespace("shop")
                    .addToLabels("app.kubernetes.io/name", "web")
                    .endMetadata()
                    .withNewSpec()
                    .addNewContainer()
                    .withName("web")
                    .withImage("registry.example.com/shop/web:1.27.3")
                    .withCommand("/bin/web", "--address=https://example.com/some/long/address")
                    .endContainer()
                    .endSpec()
                    .build())
            .getBytes(StandardCharsets.UTF_8);
    assertThat(JsonWeight.of(pod)).isLessThan(14L * pod.length);
    byte[] text = ("{\"data\":\"" + "x".repeat(1_000_000) + "\"}").getBytes(StandardCharsets.UTF_8);
    assertThat(JsonWeight.of(text)).isLessThan(text.length + 1_000L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\"", "\"\\", "[{", "{\"a", "}]"})
  void readsWhatIsNotJson(String text) {
    assertThat(JsonWeight.of(text.getBytes(StandardCharsets.UTF_8))).isLessThan(300);
  }
}
