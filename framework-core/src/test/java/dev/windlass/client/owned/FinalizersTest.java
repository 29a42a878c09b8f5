// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.controller.reconcile.Result;
import dev.windlass.testing.core.Foo;
import dev.windlass.testing.core.Samples;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The names; what finalizers do is shown on servers by ObjectHelpersContract. */
final class FinalizersTest {

  private static final Finalizer<Foo> DONE = foo -> Result.done();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "example.com/bucket",
        "example.com/Bucket_1.x",
        "tenant.finalizers.multitenancy.example.com"
      })
  void takesNamesWithADomain(String name) {
    assertThat(Finalizers.<Foo>none().with(name, DONE)).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "bucket", "example/bucket", "example.com/",
        "Example.com/bucket", "a.b/c/d", "example.com/-bucket", "example.com/bucket\n"
      })
  void refusesOtherNames(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Finalizers.<Foo>none().with(name, DONE))
        .withMessageContaining("can't be the name of a finalizer")
        .withMessageContaining("'example.com/bucket'")
        .withMessageNotContaining("\n");
  }

  @Test
  void refusesNamesThatAreTooLong() {
    String domain = "d".repeat(249) + ".com";
    String name = "n".repeat(63);
    assertThat(Finalizers.<Foo>none().with(domain + "/" + name, DONE)).isNotNull();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Finalizers.<Foo>none().with("d" + domain + "/" + name, DONE));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Finalizers.<Foo>none().with(domain + "/n" + name, DONE));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Finalizers.<Foo>none().with("n".repeat(60) + ".com", DONE));
  }

  @Test
  void refusesANameTwice() {
    Finalizers<Foo> one = Finalizers.<Foo>none().with("example.com/a", DONE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> one.with("example.com/a", DONE))
        .withMessage("the finalizer example.com/a is already registered");
  }

  @Test
  @SuppressWarnings("NullAway") // it comes to no request
  void saysWhoseCleanUpReturnedNull() {
    Foo foo = Samples.foo("a");
    foo.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
    foo.getMetadata().setFinalizers(List.of("example.com/a"));
    assertThatThrownBy(
            () -> Finalizers.<Foo>none().with("example.com/a", any -> null).run(null, foo))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "the clean-up of the finalizer example.com/a returned null; it must return"
                + " Result.done() or another result");
  }
}
