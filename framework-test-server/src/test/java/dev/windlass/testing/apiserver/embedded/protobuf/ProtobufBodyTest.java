// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class ProtobufBodyTest {

  /** A field that contains a text, a message or bytes shorter than 128. */
  private static byte[] field(int number, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    ByteArrayOutputStream field = new ByteArrayOutputStream();
    field.write(number << 3 | 2);
    field.write(content.size());
    field.writeBytes(content.toByteArray());
    return field.toByteArray();
  }

  private static byte[] field(int number, String text) {
    return field(number, text.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] integer(int number, int value) {
    return new byte[] {(byte) (number << 3), (byte) value};
  }

  private static byte[] body(String apiVersion, String kind, byte[]... fields) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes(new byte[] {'k', '8', 's', 0});
    body.writeBytes(field(1, field(1, apiVersion), field(2, kind)));
    body.writeBytes(field(2, fields));
    return body.toByteArray();
  }

  @Test
  void hasTheFieldsThatJsonWouldHave() {
    byte[] metadata = field(1, field(1, "c"), field(2, ""), field(8, new byte[0]));
    byte[] data = field(2, field(1, "key"), field(2, "value"));
    assertThat(ProtobufBody.parse(body("v1", "ConfigMap", metadata, data)).toString())
        .isEqualTo(
            """
            {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"data":{"key":"value"}}\
            """);
  }

  /** Zero replicas differ from none, and a port without a number is not one. */
  @Test
  void keepsZeroWhereItSaysSomething() {
    byte[] spec = field(2, integer(1, 0), integer(5, 0), integer(7, 0));
    assertThat(ProtobufBody.parse(body("apps/v1", "Deployment", spec)).path("spec").toString())
        .isEqualTo("{\"replicas\":0}");
  }

  @Test
  void decodesQuantitiesNumbersOrTextsTimesAndBytes() {
    byte[] hard = field(2, field(1, field(1, "cpu"), field(2, field(1, "100m"))));
    assertThat(ProtobufBody.parse(body("v1", "ResourceQuota", hard)).at("/spec/hard/cpu").asText())
        .isEqualTo("100m");
    byte[] minimum = field(2, field(1, integer(1, 1), integer(2, 0), field(3, "50%")));
    assertThat(
            ProtobufBody.parse(body("policy/v1", "PodDisruptionBudget", minimum))
                .at("/spec/minAvailable")
                .asText())
        .isEqualTo("50%");
    byte[] deleted = field(1, field(9, integer(1, 60), integer(2, 0)));
    assertThat(
            ProtobufBody.parse(body("v1", "Secret", deleted))
                .at("/metadata/deletionTimestamp")
                .asText())
        .isEqualTo("1970-01-01T00:01:00Z");
    byte[] data = field(2, field(1, "a"), field(2, "b"));
    assertThat(ProtobufBody.parse(body("v1", "Secret", data)).at("/data/a").asText())
        .isEqualTo("Yg==");
  }

  /** Each prefix of a body is refused or read, and nothing else happens. */
  @Test
  void refusesWhatIsDamaged() {
    byte[] whole =
        body("v1", "ConfigMap", field(1, field(1, "c")), field(2, field(1, "k"), field(2, "v")));
    for (int length = 0; length < whole.length; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      try {
        assertThat(ProtobufBody.parse(part).path("data")).isEmpty();
      } catch (StatusException e) {
        assertThat(e.code()).isEqualTo(400);
      }
    }
    byte[] negative = whole.clone();
    Arrays.fill(negative, 5, negative.length, (byte) 0xFF);
    assertThatExceptionOfType(StatusException.class).isThrownBy(() -> ProtobufBody.parse(negative));
    assertThatExceptionOfType(StatusException.class)
        .isThrownBy(() -> ProtobufBody.parse(body("example.com/v1", "Unknown")));
  }
}
