// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import dev.windlass.logging.OneLine;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Formats the exception of a log event, for output after the event's log line. The exception and
 * each of its causes have one line each, followed by stack frames. A message that the log line
 * already contains is not repeated.
 *
 * <p>By default, each exception has only one stack frame: the first frame outside Windlass and the
 * JDK, which shows where the failed call was made. This is enough to run an operator. Developers
 * can set {@code WINDLASS_LOG_TRACES=full} to print all frames. This class is immutable.
 */
final class TraceLines {

  /**
   * The end of the class name of a throwable that represents the current code location of a thread.
   * The stack trace of such a throwable is always printed in full.
   */
  private static final String THREAD_LOCATION = ".ThreadLocation";

  /**
   * The text to remove from the output. If the message of an exception has to be escaped, the log
   * contains an {@code EscapedThrowable} instead. Its message begins with the class name of the
   * original exception.
   */
  private static final String ESCAPED = "dev.windlass.logging.EscapedThrowable: ";

  /** The packages of Windlass, of the libraries that it uses, and of the JDK. */
  private static final List<String> LIBRARIES =
      List.of("dev.windlass.", "io.fabric8.", "io.vertx.", "io.netty.", "java.", "jdk.");

  private static final String EXAMPLES = "dev.windlass.examples.";

  private final int frames;

  /**
   * Creates a formatter for exceptions.
   *
   * @param full whether to print all stack frames instead of one per exception
   */
  TraceLines(boolean full) {
    frames = full ? Integer.MAX_VALUE : 1;
  }

  /**
   * Returns the lines that follow an event's log line. The result is empty if the event has no
   * exception.
   */
  String of(ILoggingEvent event) {
    StringBuilder lines = new StringBuilder();
    Set<IThrowableProxy> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    String before = "";
    String said = OneLine.of(String.valueOf(event.getFormattedMessage()));
    for (@Nullable IThrowableProxy each = event.getThrowableProxy();
        each != null && seen.add(each);
        each = each.getCause()) {
      lines.append('\t').append(before).append(headline(each, said)).append('\n');
      StackTraceElementProxy[] trace = each.getStackTraceElementProxyArray();
      int shown = each.getClassName().endsWith(THREAD_LOCATION) ? trace.length : frames;
      int first = shown < trace.length ? firstOutsideOfLibraries(trace) : 0;
      for (int i = first; i < Math.min(first + shown, trace.length); i++) {
        lines.append("\t\t").append(OneLine.of(trace[i].getSTEAsString())).append('\n');
      }
      before = "caused by ";
    }
    return lines.toString();
  }

  /**
   * Returns the index of the first frame that does not belong to a library, or 0 if all frames do.
   */
  private static int firstOutsideOfLibraries(StackTraceElementProxy[] trace) {
    for (int i = 0; i < trace.length; i++) {
      String type = trace[i].getStackTraceElement().getClassName();
      if (type.startsWith(EXAMPLES) || LIBRARIES.stream().noneMatch(type::startsWith)) {
        return i;
      }
    }
    return 0;
  }

  /**
   * Returns the class name of an exception and its message. Omits the message if the log line
   * already contains it.
   */
  private static String headline(IThrowableProxy each, String said) {
    String message = each.getMessage();
    boolean known = message == null || said.contains(OneLine.of(withoutFullStop(message)));
    return OneLine.of((each.getClassName() + (known ? "" : ": " + message)).replace(ESCAPED, ""));
  }

  /**
   * Returns a message without its full stop. A log line that quotes the message in the middle of a
   * sentence omits the full stop as well.
   */
  private static String withoutFullStop(String message) {
    return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
  }
}
