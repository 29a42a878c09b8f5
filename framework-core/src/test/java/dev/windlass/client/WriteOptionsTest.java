// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.windlass.client.apply.FieldOwners;
import dev.windlass.client.pipeline.WriterContext;
import dev.windlass.leader.Fence;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class WriteOptionsTest {

  private static final WriteOptions PLAIN = WriteOptions.DEFAULT.outsideOfReconciles("program");

  private final WriterContext foo = new WriterContext("foo", Fence.OPEN);

  @Test
  void namesTheRunningControllerAsTheOwner() throws Exception {
    assertThat(foo.<String>call(PLAIN::applier)).isEqualTo("foo");
    assertThat(foo.<String>call(PLAIN.withFieldOwner("chosen")::applier)).isEqualTo("chosen");
    assertThat(PLAIN.applier()).as("outside of reconciles").isEqualTo("program");
    assertThat(PLAIN.withFieldOwner("chosen").applier()).isEqualTo("chosen");
  }

  @Test
  void refusesAnApplyWithoutAnOwner() {
    assertThat(WriteOptions.DEFAULT.owner("")).as("the server chooses").isEmpty();
    assertThatIllegalStateException()
        .isThrownBy(WriteOptions.DEFAULT::applier)
        .withMessageContaining("ManagerBuilder.fieldOwner(...)")
        .withMessageContaining("ReconcileContext.client()");
  }

  @Test
  void isOfOneThreadAndEndsWithTheTask() {
    WriterContext bar = new WriterContext("bar", Fence.OPEN);
    foo.run(
        () -> {
          assertThat(CompletableFuture.supplyAsync(WriterContext::current).join()).isEmpty();
          bar.run(() -> assertThat(WriterContext.current()).contains(bar));
          assertThat(WriterContext.current()).contains(foo);
        });
    assertThat(WriterContext.current()).isEmpty();
  }

  @Test
  void observesNoWriteOfATaskThatOutlivesItsReconcile() throws Exception {
    WriterContext observed = foo.observedBy(write -> (name, version) -> {});
    assertThat(observed.<Boolean>call(PLAIN::isObserved)).isTrue();
    observed.reconcile(() -> assertThat(PLAIN.isObserved()).isTrue());
    assertThat(observed.observer()).isEmpty();
    assertThat(observed.<Boolean>call(PLAIN::isObserved)).isFalse();
    assertThat(foo.observedBy(write -> (name, version) -> {}).observer()).isPresent();
  }

  /** Where the API server's limit is: in bytes. */
  @Test
  void shortensNamesThatNoServerAccepts() {
    String longest = "x".repeat(128);
    assertThat(FieldOwners.of(longest)).isEqualTo(longest);
    String one = FieldOwners.of("x".repeat(200) + "1");
    String two = FieldOwners.of("x".repeat(200) + "2");
    assertThat(one).startsWith("xxx").hasSize(128).isNotEqualTo(two);
    assertThat(FieldOwners.of("x".repeat(200) + "1")).as("the next time").isEqualTo(one);
    for (String name : new String[] {"é".repeat(100), "a\nb", "😀".repeat(40), "", "\u202Eevil"}) {
      String owner = FieldOwners.of(name);
      assertThat(FieldOwners.isValid(owner)).as(owner).isTrue();
      assertThat(owner.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(128);
    }
    assertThat(Optional.of(new WriterContext("x".repeat(200), Fence.OPEN).fieldOwner()))
        .contains(FieldOwners.of("x".repeat(200)));
  }
}
