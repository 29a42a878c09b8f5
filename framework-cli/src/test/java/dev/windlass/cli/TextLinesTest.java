// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.windlass.logging.OneLine;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

/** The lines of the log for people, as TextLines lays them out. */
final class TextLinesTest {

  private final TextLines encoder = new TextLines(false, false);

  private String line(LoggingEvent event) {
    return new String(encoder.encode(event), StandardCharsets.UTF_8);
  }

  @Test
  void haveFiveColumnsWithATabBetween() {
    LoggingEvent event =
        Events.of("Received request", new KeyValuePair("hello", "default/hello-sample"));
    assertThat(line(event))
        .matches(
            "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}[+-]\\d{4}\tINFO\tcontrollers.Hello"
                + "\tReceived request\t\\{\"hello\": \"default/hello-sample\"}\\R");
  }

  @Test
  void haveNoFifthColumnWithoutFields() {
    assertThat(line(Events.of(Map.of("name", "a"), "x"))).endsWith("\tx\n");
  }

  @Test
  void haveAJsonObjectInTheFifthColumnWhateverTheValuesAre() {
    LoggingEvent event =
        Events.of(
            "x", new KeyValuePair("a\"b", "c\\d\n\te"), new KeyValuePair("Name", "hello-sample"));
    assertThat(line(event))
        .endsWith("\t{\"a\\\"b\": \"c\\\\d\\u000a\\u0009e\", \"Name\": \"hello-sample\"}\n");
  }

  /** Whoever may name an object must not write lines of the log, nor hide some on a terminal. */
  @Test
  void keepWhatOthersWroteOnOneLine() {
    String hostile = "a\nb\u001b[2Jc\u202ed\u0085e";
    String line = line(Events.of(hostile, new KeyValuePair("n\n", hostile)));
    assertThat(line.strip())
        .doesNotContain("\n", "\u001b", "\u202e", "\u0085")
        .endsWith(
            "\ta\\u000ab\\u001b[2Jc\\u202ed\\u0085e"
                + "\t{\"n\\u000a\": \"a\\u000ab\\u001b[2Jc\\u202ed\\u0085e\"}");
  }

  @Test
  void showAnExceptionAndItsCausesWithOnePlaceEach() {
    Exception thrown =
        new IllegalStateException("outer", new IllegalArgumentException("inner\n2026 INFO forged"));
    String[] lines = line(Events.of(Level.ERROR, "It failed", thrown)).split("\\R", -1);
    assertThat(lines).hasSize(6);
    assertThat(lines[0]).endsWith("\tERROR\tcontrollers.Hello\tIt failed");
    assertThat(lines[1]).isEqualTo("\tjava.lang.IllegalStateException: outer");
    assertThat(lines[2]).startsWith("\t\tat ");
    assertThat(lines[3])
        .isEqualTo("\tcaused by java.lang.IllegalArgumentException: inner\\u000a2026 INFO forged");
    assertThat(lines[4]).startsWith("\t\tat ");
    assertThat(lines[5]).isEmpty();
  }

  /** A failure of the client shows which call of the program failed. */
  @Test
  void skipTheFramesOfTheClient() {
    Exception thrown = new IllegalStateException("no quota");
    thrown.setStackTrace(
        new StackTraceElement[] {
          new StackTraceElement("dev.windlass.client.RestClient", "send", "RestClient.java", 1),
          new StackTraceElement("java.util.ArrayList", "forEach", "ArrayList.java", 2),
          new StackTraceElement("com.example.Parts", "create", "Parts.java", 3),
        });
    assertThat(line(Events.of(Level.ERROR, "It failed", thrown)).lines().toList().subList(2, 3))
        .containsExactly("\t\tat com.example.Parts.create(Parts.java:3)");
    thrown.setStackTrace(Arrays.copyOf(thrown.getStackTrace(), 1));
    assertThat(line(Events.of(Level.ERROR, "It failed", thrown)))
        .contains("\t\tat dev.windlass.client.RestClient.send(RestClient.java:1)");
  }

  /** The log of a program with several controllers. */
  @Test
  void nameTheControllerOfAReconcile() {
    LoggingEvent event =
        Events.of(Map.of("controller", "backup", "name", "a"), "error syncing 'default/a'");
    assertThat(line(event).strip())
        .endsWith("\terror syncing 'default/a'\t{\"controller\": \"backup\"}");
  }

  /** A user's mistake shows in the user's line, not in that of the class that rejects it. */
  @Test
  void skipTheFramesOfWindlass() {
    Exception thrown = new IllegalArgumentException("a/b");
    thrown.setStackTrace(
        new StackTraceElement[] {
          new StackTraceElement("dev.windlass.object.ObjectKey", "<init>", "ObjectKey.java", 1),
          new StackTraceElement("com.example.Parts", "create", "Parts.java", 3),
        });
    assertThat(line(Events.of(Level.ERROR, "It failed", thrown)))
        .contains("\t\tat com.example.Parts.create(Parts.java:3)")
        .doesNotContain("ObjectKey");
  }

  /** Windlass puts the message of a failure into its line, without a full stop at the end. */
  @Test
  void showAMessageOnce() {
    Exception thrown =
        new IllegalStateException("no quota.", new IllegalArgumentException("the limit is 3"));
    String[] lines =
        line(Events.of(
                Level.ERROR, "error syncing 'default/a': no quota, requeuing in 5 ms", thrown))
            .split("\\R", -1);
    assertThat(lines[0]).endsWith("\terror syncing 'default/a': no quota, requeuing in 5 ms");
    assertThat(lines[1]).isEqualTo("\tjava.lang.IllegalStateException");
    assertThat(lines[3])
        .isEqualTo("\tcaused by java.lang.IllegalArgumentException: the limit is 3");
  }

  /** Tools that gather errors tell them apart by class. */
  @Test
  void nameTheClassOfAnExceptionWhoseMessageWasEscaped() {
    Throwable escaped = OneLine.of(new IllegalStateException("a\nb"));
    assertThat(line(Events.of(Level.ERROR, "It failed", escaped)).split("\\R", -1)[1])
        .isEqualTo("\tjava.lang.IllegalStateException: a\\u000ab");
  }

  @Test
  void areColouredByTheirLevelOnATerminalOnly() {
    TextLines coloured = new TextLines(true, false);
    LoggingEvent error = Events.of(Level.ERROR, "x", null);
    assertThat(new String(coloured.encode(Events.of("x")), StandardCharsets.UTF_8))
        .contains("\t\u001b[34mINFO\u001b[0m\t");
    assertThat(new String(coloured.encode(error), StandardCharsets.UTF_8))
        .contains("\t\u001b[31mERROR\u001b[0m\t");
    assertThat(line(error)).contains("\tERROR\t");
  }

  @Test
  void showAllPlacesIfTheUserWantsThat() {
    LoggingEvent event = Events.of(Level.ERROR, "It failed", new IllegalStateException("outer"));
    byte[] lines = new TextLines(false, true).encode(event);
    assertThat(new String(lines, StandardCharsets.UTF_8).lines()).hasSizeGreaterThan(10);
  }
}
