// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.real.RealApiServer;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.FieldValidateable.Validation;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** And what only a real server refuses. */
final class BadFoosOnRealIT extends BadFoosContract {

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
    GenericKubernetesResource foo = foo("strict", ",\"spec\":{\"colour\":\"red\"}");
    eventually()
        .untilAsserted(
            () ->
                assertThatThrownBy(
                        () ->
                            foos()
                                .inNamespace(namespace)
                                .resource(foo)
                                .fieldValidation(Validation.STRICT)
                                .create())
                    .hasMessageContaining("strict decoding error: unknown field \"spec.colour\""));
  }

  @Test
  void areRefusedForAnAnnotationOfMoreThanAQuarterOfAMegabyte() {
    GenericKubernetesResource foo = foo("large", "");
    foo.getMetadata().setAnnotations(Map.of("large", "a".repeat(1_400_000)));
    assertThatThrownBy(() -> foos().inNamespace(namespace).resource(foo).create())
        .hasMessageContaining("metadata.annotations: Too long: may not be more than 262144 bytes");
  }

  @Test
  void areRefusedIfTheyAreLargerThanEtcdTakes() {
    GenericKubernetesResource foo =
        foo("larger", ",\"spec\":{\"deploymentName\":\"%s\"}".formatted("a".repeat(2_000_000)));
    assertThatThrownBy(() -> foos().inNamespace(namespace).resource(foo).create())
        .hasMessageContaining("etcdserver: request is too large");
  }
}
