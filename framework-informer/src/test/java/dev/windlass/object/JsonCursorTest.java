// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes that are walked over without being understood. */
final class JsonCursorTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static void skip(String json) {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    JsonCursor cursor = new JsonCursor(bytes, 0, bytes.length);
    cursor.skipValue();
    cursor.expectEnd();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1", "-1.5e+10", "true", "false", "null", "\"\"",
        "\"a\\\"b\\\\\"", "[]", "{}", " [ ] ", "[[],{},[{}]]", "{\"a\":[1,{\"b\":\"]}\"}]}",
        "\"\\u00e4ü😀\""
      })
  void passesValues(String json) {
    skip(json);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", "tru", "nul", "truefalse", "x", "\"", "\"\\\"",
        "\"\n\"", "[", "{", "[}", "{]", "[[]", "{\"a\":[}]", "]",
        "}", "1 2", "[] []", "{\"a\":'b'}", "[#]", "NaN", "undefined"
      })
  void refusesWhatIsNoValue(String json) {
    assertThatThrownBy(() -> skip(json)).isInstanceOf(MalformedObjectException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 63, 64, 65, 127, 128, 129, 200, 640, 959})
  void matchesBracesAtAnyDepth(int depth) {
    StringBuilder open = new StringBuilder();
    StringBuilder close = new StringBuilder();
    Random random = new Random(depth);
    for (int i = 0; i < depth; i++) {
      boolean brace = random.nextBoolean();
      open.append(brace ? "{\"a\":" : "[");
      close.append(brace ? '}' : ']');
    }
    String end = close.reverse().toString();
    skip(open + "1" + end);
    for (int i : new int[] {0, depth / 2, depth - 1}) {
      char wrong = end.charAt(i) == '}' ? ']' : '}';
      String broken = end.substring(0, i) + wrong + end.substring(i + 1);
      assertThatThrownBy(() -> skip(open + "1" + broken))
          .isInstanceOf(MalformedObjectException.class);
    }
  }

  /** In time that grows with the bytes, and without a stack. */
  @ParameterizedTest
  @CsvSource({"900, false", "1100, true", "3000000, true"})
  void notesAValueThatIsNestedTooDeepToBeDecoded(int depth, boolean deep) {
    byte[] bytes = ("[".repeat(depth) + "]".repeat(depth) + ",1").getBytes(StandardCharsets.UTF_8);
    JsonCursor cursor = new JsonCursor(bytes, 0, bytes.length);
    cursor.skipValue();
    assertThat(cursor.position()).isEqualTo(depth * 2);
    assertThat(cursor.wasDeep()).isEqualTo(deep);
    assertThat(cursor.wasDeep()).as("told once").isFalse();
    assertThatThrownBy(() -> skip("[".repeat(depth))).isInstanceOf(MalformedObjectException.class);
  }

  /** Whatever is cut off, or changed in one byte, throws or is passed; nothing else happens. */
  @Property(tries = 500)
  void survivesDamage(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    String pod =
        "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\",\"uid\":\"8f0f7c1e-33aa-4f5e-9a51-0d1f2e3a4b5c\","
            + "\"labels\":{\"a\":\"b\\n\"},\"ownerReferences\":[{\"uid\":\"x\"}],\"resourceVersion\":\"12\","
            + "\"managedFields\":[{}]},\"spec\":{\"x\":[1,2.5,null,true]}}";
    byte[] bytes = pod.getBytes(StandardCharsets.UTF_8);
    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    int length = random.nextBoolean() ? bytes.length : random.nextInt(bytes.length);
    try {
      CachedObject<?> object = ConfigMaps.DECODER.decode(bytes, 0, length);
      assertThat(object.key().name()).isNotEmpty();
    } catch (MalformedObjectException e) {
      assertThat(e).hasNoCause();
    }
  }

  /** What it passes and what Jackson reads ends at the same byte. */
  @Property(tries = 300)
  void endsWhereTheValueEnds(@ForAll long seed) throws IOException {
    String value = randomValue(new Random(seed), 0);
    JSON.readTree(value);
    byte[] bytes = (value + ",\"next\"").getBytes(StandardCharsets.UTF_8);
    JsonCursor cursor = new JsonCursor(bytes, 0, bytes.length);
    cursor.skipValue();
    assertThat(cursor.position()).isEqualTo(value.getBytes(StandardCharsets.UTF_8).length);
  }

  private static String randomValue(Random random, int depth) {
    StringBuilder json = new StringBuilder();
    switch (random.nextInt(depth > 5 ? 4 : 6)) {
      case 0 -> json.append(random.nextInt());
      case 1 -> json.append(random.nextDouble());
      case 2 -> json.append(random.nextBoolean());
      case 3 -> json.append("\"ä\\\\{[\\\"😀\\u0000\"");
      case 4 -> {
        json.append('[');
        for (int i = random.nextInt(4); i >= 0; i--) {
          json.append(randomValue(random, depth + 1)).append(i > 0 ? " , " : "");
        }
        json.append(']');
      }
      default -> {
        json.append("{ ");
        for (int i = random.nextInt(4); i >= 0; i--) {
          json.append("\"k").append(i).append("\" :").append(randomValue(random, depth + 1));
          json.append(i > 0 ? "," : "");
        }
        json.append('}');
      }
    }
    return json.toString();
  }
}
