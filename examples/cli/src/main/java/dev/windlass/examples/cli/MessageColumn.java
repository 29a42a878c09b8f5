// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.cli;

import ch.qos.logback.classic.pattern.ClassicConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.windlass.logging.OneLine;

/**
 * The fourth column of a log line: the message, escaped so that it can't break the line or the
 * terminal.
 */
public final class MessageColumn extends ClassicConverter {

  /** Creates a converter. Logback calls this constructor by reflection. */
  public MessageColumn() {}

  @Override
  public String convert(ILoggingEvent event) {
    return OneLine.of(String.valueOf(event.getFormattedMessage()));
  }
}
