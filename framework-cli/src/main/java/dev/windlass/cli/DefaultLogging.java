// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.DefaultJoranConfigurator;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.List;

/**
 * Configures logback for a program that does not have a {@code logback.xml}. Log lines go to
 * standard error, in the format of {@link TextLines}. The default level is INFO; the environment
 * variable {@code WINDLASS_LOG_LEVEL} overrides it. The client libraries log only errors, because
 * Windlass itself logs failed requests. Logback finds this class through {@code ServiceLoader}.
 * This class is stateless.
 */
public final class DefaultLogging extends ContextAwareBase implements Configurator {

  private static final List<String> CLIENT = List.of("io.fabric8", "io.vertx", "io.netty");

  /** Creates a configurator. {@code ServiceLoader} requires this constructor. */
  public DefaultLogging() {}

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    // Logback calls its own configurators only after those in other jars, regardless of their
    // ranks.
    DefaultJoranConfigurator files = new DefaultJoranConfigurator();
    files.setContext(context);
    if (files.configure(context) == ExecutionStatus.INVOKE_NEXT_IF_ANY) {
      configureConsole(context);
    }
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  static void configureConsole(LoggerContext context) {
    TextLines encoder = new TextLines();
    encoder.setContext(context);
    encoder.start();
    ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
    console.setContext(context);
    console.setName("console");
    console.setTarget("System.err");
    console.setEncoder(encoder);
    console.start();
    Level level = Level.toLevel(System.getenv("WINDLASS_LOG_LEVEL"), Level.INFO);
    Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.setLevel(level);
    root.addAppender(console);
    context.getLogger(LogbackOptions.WINDLASS).setLevel(level);
    CLIENT.forEach(name -> context.getLogger(name).setLevel(Level.ERROR));
    context.getLogger("org.eclipse.jetty").setLevel(Level.WARN);
    // Jetty logs a WARN with a stack trace for each connection that a client has reset.
    context.getLogger("org.eclipse.jetty.io.AbstractConnection").setLevel(Level.ERROR);
  }
}
