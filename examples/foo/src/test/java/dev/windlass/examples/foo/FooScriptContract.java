// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.windlass.behaviour.Proves;
import dev.windlass.controller.Controller;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The life of a Foo from the first step to the last, with all that is said, sent and told. */
abstract class FooScriptContract extends FooHarness {

  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final List<Logger> loggers =
      Stream.of(Controller.class, FooReconciler.class)
          .map(type -> (Logger) LoggerFactory.getLogger(type))
          .toList();

  FooScriptContract() {
    log.start();
    loggers.forEach(logger -> logger.addAppender(log));
    loggers.forEach(logger -> logger.setLevel(Level.INFO));
  }

  @AfterEach
  void stopsListening() {
    loggers.forEach(logger -> logger.detachAppender(log));
    loggers.forEach(logger -> logger.setLevel(null));
  }

  private List<String> said() {
    return List.copyOf(log.list).stream()
        .filter(event -> event.getLevel() == Level.INFO)
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  @Test
  @Proves({"001-01", "001-97", "001-101", "R5"})
  void playsFromTheFirstStepToTheLast() {
    String key = namespace + "/" + NAME;
    Foo foo = createExample();
    Deployment first = awaitDeployment(NAME);
    eventually().until(() -> said().contains("Successfully synced '" + key + "'"));
    awaitSynced();
    assertThat(requests.actions()).first().isEqualTo("POST deployments");
    makeAvailable(1);
    awaitAvailable(1);

    changeFoo(
        changed -> {
          changed.getSpec().setReplicas(3);
          return changed;
        });
    eventually().until(() -> awaitDeployment(NAME).getSpec().getReplicas() == 3);
    makeAvailable(3);
    awaitAvailable(3);

    kubectl.resource(first).delete();
    eventually()
        .until(
            () -> {
              Deployment now = deployment(NAME);
              return now != null
                  && !now.getMetadata().getUid().equals(first.getMetadata().getUid());
            });
    assertThat(Objects.requireNonNull(foo()).getMetadata().getUid())
        .isEqualTo(foo.getMetadata().getUid());

    // Whoever hears of the end of the Deployment before that of the Foo makes it once more.
    assertThat(requests.actions()).filteredOn("POST deployments"::equals).hasSize(2);
    kubectl.resource(foo).delete();
    eventually().until(() -> foo() == null);
    if (server().capabilities().garbageCollection()) {
      eventually().until(() -> deployment(NAME) == null);
    }
    assertThat(manager.stop()).isTrue();

    assertThat(requests.actions())
        .containsSubsequence(
            "POST deployments",
            "PUT foos/status",
            "PUT deployments",
            "PUT foos/status",
            "POST deployments")
        .noneMatch(action -> action.startsWith("DELETE"));
    assertThat(requests.actions()).filteredOn("PUT deployments"::equals).hasSize(1);
    assertThat(said())
        .containsSubsequence(
            "Starting Foo controller",
            "Waiting for informer caches to sync",
            "Starting workers",
            "Started workers",
            "Successfully synced '" + key + "'",
            "Shutting down workers");
    assertThat(said()).last().isEqualTo("Shutting down workers");
    assertThat(events("Synced")).singleElement().matches(event -> count(event) > 1);
  }
}
