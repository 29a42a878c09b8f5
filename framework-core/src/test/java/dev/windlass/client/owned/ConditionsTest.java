// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.client.owned.Conditions.Status;
import dev.windlass.scheduling.ManualScheduler;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ConditionsTest {

  private final ManualScheduler time = new ManualScheduler();
  private final List<Condition> list = new ArrayList<>();
  private final Conditions conditions = Conditions.of(list, time.clock());

  private boolean ready(Status status, String reason, String message) {
    return conditions.set("Ready", status, reason, message, 1);
  }

  @Test
  void addsWhatWasNeverSet() {
    time.advance(Duration.ofMillis(61_999));
    assertThat(ready(Status.TRUE, "Synced", "all is well")).isTrue();
    assertThat(list)
        .containsExactly(
            new ConditionBuilder()
                .withType("Ready")
                .withStatus("True")
                .withReason("Synced")
                .withMessage("all is well")
                .withObservedGeneration(1L)
                .withLastTransitionTime("1970-01-01T00:01:01Z")
                .build());
  }

  /** The entry of the list itself changes, not a copy. */
  @Test
  void changesTheTransitionTimeWithTheStatusOnly() {
    ready(Status.FALSE, "Failed", "no quota");
    time.advance(Duration.ofMinutes(1));
    assertThat(ready(Status.FALSE, "Failed", "no node")).isTrue();
    assertThat(list)
        .singleElement()
        .satisfies(c -> assertThat(c.getMessage()).isEqualTo("no node"))
        .satisfies(c -> assertThat(c.getLastTransitionTime()).isEqualTo("1970-01-01T00:00:00Z"));
    assertThat(ready(Status.TRUE, "Synced", "")).isTrue();
    assertThat(list)
        .singleElement()
        .satisfies(c -> assertThat(c.getStatus()).isEqualTo("True"))
        .satisfies(c -> assertThat(c.getMessage()).as("the message of the success").isEmpty())
        .satisfies(c -> assertThat(c.getLastTransitionTime()).isEqualTo("1970-01-01T00:01:00Z"));
  }

  /** Conditions of Pods, for example, have neither reason nor message. */
  @Test
  void clearsReasonAndMessageWhereThereNeedBeNone() {
    ready(Status.FALSE, "Failed", "no quota");
    assertThat(conditions.set("Ready", Status.TRUE, 2)).isTrue();
    assertThat(list)
        .containsExactly(
            new ConditionBuilder()
                .withType("Ready")
                .withStatus("True")
                .withObservedGeneration(2L)
                .withLastTransitionTime("1970-01-01T00:00:00Z")
                .build());
    assertThat(conditions.set("Ready", Status.TRUE, 2)).isFalse();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> conditions.set("not a type", Status.TRUE, 2));
  }

  /** An unchanged status is not written. */
  @Test
  void touchesNothingIfNothingIsNew() {
    ready(Status.TRUE, "Synced", "m");
    Condition entry = list.get(0);
    time.advance(Duration.ofHours(1));
    assertThat(ready(Status.TRUE, "Synced", "m")).isFalse();
    assertThat(list).singleElement().isSameAs(entry);
  }

  @Test
  void tellsWhichGenerationItIsAbout() {
    ready(Status.TRUE, "Synced", "m");
    time.advance(Duration.ofHours(1));
    assertThat(conditions.set("Ready", Status.TRUE, "Synced", "m", 2)).isTrue();
    assertThat(list.get(0).getObservedGeneration()).isEqualTo(2);
    assertThat(list.get(0).getLastTransitionTime()).isEqualTo("1970-01-01T00:00:00Z");
  }

  @Test
  void keepsTheOthersAndTheirOrder() {
    conditions.set("A", Status.TRUE, "R", "", 1);
    conditions.set("B", Status.TRUE, "R", "", 1);
    conditions.set("C", Status.TRUE, "R", "", 1);
    conditions.set("B", Status.FALSE, "R", "", 1);
    assertThat(list).extracting(Condition::getType).containsExactly("A", "B", "C");
    assertThat(conditions.remove("B")).isTrue();
    assertThat(conditions.remove("B")).isFalse();
    assertThat(list).extracting(Condition::getType).containsExactly("A", "C");
  }

  @Test
  void readsWhatIsSet() {
    assertThat(conditions.get("Ready")).isEmpty();
    assertThat(conditions.isTrue("Ready")).isFalse();
    assertThat(conditions.isFalse("Ready")).as("nobody knows").isFalse();
    ready(Status.TRUE, "R", "");
    assertThat(conditions.isTrue("Ready")).isTrue();
    assertThat(conditions.get("Ready")).contains(list.get(0));
    ready(Status.FALSE, "R", "");
    assertThat(conditions.isFalse("Ready")).isTrue();
    assertThat(conditions.isTrue("Ready")).isFalse();
    ready(Status.UNKNOWN, "R", "");
    assertThat(conditions.isFalse("Ready")).isFalse();
    assertThat(list.get(0).getStatus()).isEqualTo("Unknown");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "with space", "1st", "Bad-Reason", "ends:", "new\nline"})
  void refusesReasonsThatTheServerRefuses(String reason) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ready(Status.TRUE, reason, ""))
        .withMessageEndingWith(
            "can't be the reason of a condition; use up to 1024 characters: letters, digits, '_',"
                + " ',' and ':', beginning with a letter and not ending with ',' or ':', such as"
                + " 'MinimumReplicasAvailable'")
        .withMessageNotContaining("\n");
    assertThat(list).isEmpty();
  }

  @Test
  void refusesReasonsThatAreTooLong() {
    assertThat(ready(Status.TRUE, "R".repeat(1024), "")).isTrue();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ready(Status.TRUE, "R".repeat(1025), ""))
        .withMessageContaining("RRR...");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Ready", "example.com/Ready", "a", "A_b.c-d"})
  void takesTypesThatTheServerTakes(String type) {
    assertThat(conditions.set(type, Status.TRUE, "R", "", 0)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Not Ready", "Example.com/Ready", "/Ready", "Ready-"})
  void refusesTypesThatTheServerRefuses(String type) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> conditions.set(type, Status.TRUE, "R", "", 0))
        .withMessageContaining("the type of a condition; use up to 316 characters: letters, ");
  }

  @Test
  void refusesANegativeGeneration() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> conditions.set("Ready", Status.TRUE, "R", "", -1))
        .withMessageContaining("metadata.generation");
  }

  /** A message that reports a failure must not be the reason for another one. */
  @Test
  void cutsMessagesThatAreTooLong() {
    String grin = "\ud83d\ude00";
    ready(Status.FALSE, "R", grin.repeat(Conditions.LONGEST_MESSAGE));
    assertThat(list.get(0).getMessage()).isEqualTo(grin.repeat(32_768));
    ready(Status.FALSE, "R", grin.repeat(40_000));
    assertThat(list.get(0).getMessage()).isEqualTo(grin.repeat(32_765) + "...");
  }

  @Test
  void saysWhatIsWrongWithTheList() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Conditions.of(null, Clock.systemUTC()))
        .withMessageContaining("new ArrayList<>()");
    Conditions fixed = Conditions.of(List.of(), Clock.systemUTC());
    assertThatThrownBy(() -> fixed.set("Ready", Conditions.Status.of(true), "Up", "", 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("can't be changed");
    assertThat(fixed.remove("Ready")).isFalse();
  }

  @Test
  void isMetOrNot() {
    assertThat(Conditions.Status.of(true)).isEqualTo(Conditions.Status.TRUE);
    assertThat(Conditions.Status.of(false)).isEqualTo(Conditions.Status.FALSE);
  }

  /** The schema of a condition asks for one. */
  @Test
  void givesAConditionOfOthersTheTimeThatItLacks() {
    List<Condition> list = new ArrayList<>();
    list.add(new ConditionBuilder().withType("Ready").withStatus("True").build());
    Conditions.of(list, Clock.systemUTC()).set("Ready", Conditions.Status.TRUE, "Up", "", 1);
    assertThat(list.get(0).getLastTransitionTime()).isNotNull();
  }
}
