// SPDX-License-Identifier: Apache-2.0

/** The command-line interface of an operator: options, log, startup and exit code. */
module dev.windlass.cli {
  requires static com.google.errorprone.annotations;
  requires transitive dev.windlass.webhook;
  requires static transitive org.jspecify;
  requires transitive ch.qos.logback.classic;
  requires transitive ch.qos.logback.core;
  requires transitive dev.windlass.core;
  requires transitive info.picocli;
  requires kubernetes.client;
  requires org.slf4j;

  exports dev.windlass.cli;
  exports dev.windlass.crd;

  // Picocli sets the options.
  opens dev.windlass.cli to
      info.picocli;

  provides ch.qos.logback.classic.spi.Configurator with
      dev.windlass.cli.DefaultLogging;
}
