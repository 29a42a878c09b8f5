// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.cli;

import ch.qos.logback.classic.pattern.ThrowableHandlingConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import dev.windlass.object.OneLine;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What follows a line that reports an exception: the exception and its causes, a line each, and
 * under each the places in the code that it came by. One place is enough for who runs an operator;
 * who writes one sets {@code WINDLASS_LOG_TRACES=full}. Stateless.
 */
public final class TraceLines extends ThrowableHandlingConverter {

  /** No failure, but the place where a reconcile hangs: a single line of it says little. */
  private static final String THREAD_LOCATION = ".ThreadLocation";

  /** In place of an exception whose message had to be escaped; its message names the class. */
  private static final String ESCAPED = "dev.windlass.object.EscapedThrowable: ";

  /** For logback, which makes it by name. */
  public TraceLines() {}

  @Override
  public String convert(ILoggingEvent event) {
    StringBuilder lines = new StringBuilder();
    Set<IThrowableProxy> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    int places = "full".equals(getFirstOption()) ? Integer.MAX_VALUE : 1;
    String before = "";
    for (@Nullable IThrowableProxy each = event.getThrowableProxy();
        each != null && seen.add(each);
        each = each.getCause()) {
      lines.append('\t').append(before).append(headline(each)).append('\n');
      StackTraceElementProxy[] trace = each.getStackTraceElementProxyArray();
      int shown = each.getClassName().endsWith(THREAD_LOCATION) ? trace.length : places;
      for (int i = 0; i < Math.min(shown, trace.length); i++) {
        lines.append("\t\t").append(OneLine.of(trace[i].getSTEAsString())).append('\n');
      }
      before = "caused by ";
    }
    return lines.toString();
  }

  private static String headline(IThrowableProxy each) {
    String message = each.getMessage();
    return OneLine.of(
        withItsOwnClass(each.getClassName() + (message == null ? "" : ": " + message)));
  }

  /** The text of an exception or a stack trace, in which each exception has its own class. */
  static String withItsOwnClass(String text) {
    return text.replace(ESCAPED, "");
  }
}
