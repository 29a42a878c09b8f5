// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import dev.windlass.controller.reconcile.Request;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Writes the log lines of the Hello operator. Each line contains the namespace and name of the
 * Hello.
 */
final class HelloLog {

  private static final Logger log = LoggerFactory.getLogger("controllers.Hello");

  private final Request request;

  private HelloLog(Request request) {
    this.request = request;
  }

  static HelloLog of(Request request) {
    return new HelloLog(request);
  }

  /** Logs the first line of each reconcile. */
  void received() {
    at(Level.INFO)
        .addKeyValue("Namespace", request.namespace())
        .addKeyValue("Name", request.name())
        .log("Received request");
  }

  /**
   * Logs and parses the phase in the status of a Hello.
   *
   * @param text the phase in the status
   * @return the parsed phase
   * @throws IllegalStateException if the text is not a phase
   */
  HelloPhase checked(@Nullable String text) {
    Object phase = HelloPhase.of(text).map(Object.class::cast).orElse(String.valueOf(text));
    at(Level.INFO).addKeyValue("Phase", phase).log("Check phase");
    return HelloPhase.of(text)
        .orElseThrow(
            () -> {
              at(Level.ERROR).addKeyValue("Phase", phase).log("Invalid phase");
              return new IllegalStateException("Invalid phase");
            });
  }

  /** Logs that a Hello needs no further reconciles. */
  void done() {
    at(Level.INFO).log("Done");
  }

  /** Runs a step. If the step fails, logs and rethrows the exception. */
  <T> T step(String failure, Supplier<T> step) {
    try {
      return step.get();
    } catch (RuntimeException e) {
      at(Level.ERROR).addKeyValue("error", e.getMessage()).log(failure);
      throw e;
    }
  }

  /** Runs a step that has no result. If the step fails, logs and rethrows the exception. */
  void step(String failure, Runnable step) {
    step(
        failure,
        () -> {
          step.run();
          return step;
        });
  }

  private LoggingEventBuilder at(Level level) {
    return log.atLevel(level).addKeyValue("hello", request);
  }
}
