// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.real.RealApiServer;
import io.fabric8.kubernetes.client.dsl.FieldValidateable.Validation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** And what only a real server refuses. */
final class BadHellosOnRealIT extends BadHellosContract {

  private static RealApiServer server;

  @BeforeAll
  static void startsTheServer() {
    server = RealApiServer.builder().withControllerManager().start();
  }

  @AfterAll
  static void stopsTheServer() {
    server.close();
  }

  @Override
  TestApiServer server() {
    return server;
  }

  /** As kubectl asks for it. */
  @Test
  void areRefusedForAFieldThatNobodyKnowsIfSoAsked() {
    eventually()
        .untilAsserted(
            () ->
                assertThatThrownBy(
                        () ->
                            hello("strict", ",\"spec\":{\"colour\":\"red\"}")
                                .fieldValidation(Validation.STRICT)
                                .create())
                    .hasMessageContaining("strict decoding error: unknown field \"spec.colour\""));
  }

  @Test
  void areRefusedForAnAnnotationOfMoreThanAQuarterOfAMegabyte() {
    String fields =
        ",\"metadata\":{\"name\":\"large\",\"annotations\":{\"large\":\"%s\"}}"
            .formatted("a".repeat(1_400_000));
    assertThatThrownBy(() -> hello("ignored", fields).create())
        .hasMessageContaining("metadata.annotations: Too long: may not be more than 262144 bytes");
  }
}
