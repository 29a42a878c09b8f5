// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager.permissions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.InformerOptions;
import dev.windlass.manager.Manager;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testing.core.Http;
import dev.windlass.testsupport.Eventually;
import dev.windlass.testsupport.Logs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ServerVersionTest {

  private static final String RULES = "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews";

  @AutoClose private final Logs logs = Logs.of(Manager.class);
  private final ManualScheduler time = new ManualScheduler();
  private final Http server = new Http();
  private final Manager manager =
      Manager.builder()
          .config(server.config())
          .informerOptions(InformerOptions.defaults().withScheduler(time))
          .build();

  @AfterEach
  void closes() {
    manager.close();
    server.close();
  }

  /** Asked on the thread that asks for rights, and once. */
  @Test
  void isInTheDiagnosisAndTheLogAsSoonAsItIsKnown() {
    server.answer("GET /version", "{\"gitVersion\":\"v1.34.1\",\"major\":\"1\",\"minor\":\"34\"}");
    server.fail("POST " + RULES, 503);
    manager.eventRecorder("test"); // so that there are rights to ask for
    assertThat(manager.diagnosis().versions().kubernetes()).isEmpty();
    manager.start();
    Eventually.that(
        () -> assertThat(manager.diagnosis().versions().kubernetes()).contains("v1.34.1"));
    Eventually.that(
        () -> assertThat(logs.lines()).contains("DEBUG The API server runs Kubernetes v1.34.1"));
    int reviews = 2;
    Eventually.that(
        time,
        PermissionCheck.RETRY,
        () ->
            assertThat(server.lines().stream().filter(("POST " + RULES)::equals).count())
                .isGreaterThanOrEqualTo(reviews));
    assertThat(server.lines()).filteredOn("GET /version"::equals).hasSize(1);
    assertThat(manager.diagnosis().json()).contains("\"kubernetes\": \"v1.34.1\"");
  }

  @Test
  void isUnknownIfTheServerDoesNotTell() {
    server.fail("GET /version", 403);
    server.fail("POST " + RULES, 404);
    manager.eventRecorder("test");
    manager.start();
    Eventually.that(() -> assertThat(server.lines()).contains("GET /version", "POST " + RULES));
    Eventually.that(
        () ->
            assertThat(logs.lines())
                .filteredOn(
                    line -> line.startsWith("DEBUG The API server's version is not known: "))
                .isNotEmpty());
    assertThat(manager.diagnosis().versions().kubernetes()).isEmpty();
  }

  @Test
  void isOneLineThatIsNotLong() {
    server.answer("GET /version", "{\"gitVersion\":\"v1\\n" + "x".repeat(100) + "\"}");
    manager.eventRecorder("test");
    manager.start();
    Eventually.that(
        () ->
            assertThat(manager.diagnosis().versions().kubernetes())
                .contains("v1\\u000a" + "x".repeat(57) + "..."));
  }
}
