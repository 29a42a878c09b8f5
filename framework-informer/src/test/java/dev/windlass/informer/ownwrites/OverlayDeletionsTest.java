// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.ownwrites;

import static dev.windlass.object.ConfigMaps.key;
import static dev.windlass.object.ConfigMaps.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.index.Labelled;
import dev.windlass.object.CachedObject;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What an {@link Overlay} hides, how late answers and restored servers confuse it, its indices. */
final class OverlayDeletionsTest extends OverlayHarness {

  @Test
  void hidesWhatIsShownIfTheServerDoesNotTellTheUid() {
    cache.put(state("a", "u1", 1));
    overlay.deleted(key("a"), "");
    assertThat(shown("a")).isEqualTo("none");
    assertThat(overlay.list()).isEmpty();

    cache.put(state("b", "u1", 1));
    written("b", "u2", "5");
    overlay.deleted(key("b"), "");
    assertThat(shown("b")).isEqualTo("none");
    cache.put(state("b", "u2", 4));
    assertThat(shown("b")).as("not the object that was written").isEqualTo("none");
    cache.put(state("b", "u3", 7));
    assertThat(shown("b")).as("another object").isEqualTo("7");
  }

  @Test
  void asksTheServerIfItDoesNotTellTheUidOfWhatTheStoreHasNotSeen() {
    overlay.deleted(key("a"), "");
    cache.put(state("a", "u1", 4));
    assertThat(isUnclear("a")).isTrue();
    time.advance(UNCONFIRMED);
    assertThat(isUnclear("a")).isFalse();
  }

  @Test
  void hidesAnObjectThatTheStoreSeesAfterItsEndOnly() {
    overlay.deleted(key("a"), "u1");
    assertThat(isUnclear("a")).as("nothing is there").isFalse();
    cache.put(state("a", "u1", 4));
    assertThat(shown("a")).isEqualTo("none");
    assertThat(isUnclear("a")).isFalse();
    cache.remove(key("a"));
    assertThat(overlay.waiting()).isZero();
  }

  /** Of a uid that the store never saw nobody knows whether it came before or after another. */
  @Test
  void isUnclearWhetherAnotherObjectWasBeforeOneThatTheStoreNeverSaw() {
    cache.put(state("a", "u0", 4));
    overlay.deleted(key("a"), "u1");
    assertThat(isUnclear("a")).isTrue();
    time.advance(FORGOTTEN.minus(MOMENT));
    assertThat(isUnclear("a")).isTrue();
    time.advance(MOMENT);
    assertThat(isUnclear("a")).isFalse();
    assertThat(shown("a")).isEqualTo("4");
    cache.listed(5);
    assertThat(overlay.waiting()).isZero();
  }

  @Test
  void hidesWhatHadTheNameBefore() {
    cache.put(state("a", "u0", 4));
    written("a", "u1", "6");
    overlay.deleted(key("a"), "u1");
    assertThat(shown("a")).isEqualTo("none");
    assertThat(isUnclear("a")).isFalse();
    cache.put(state("a", "u1", 5));
    cache.put(state("a", "u2", 9));
    assertThat(shown("a")).isEqualTo("9");
    assertThat(overlay.waiting()).isZero();
  }

  @Test
  void doesNotShowTheAnswerToAnEarlierWriteAfterTheDeletion() {
    overlay.deleted(key("a"), "u1");
    written("a", "u1", "3");
    assertThat(shown("a")).isEqualTo("none");
    assertThat(overlay.waiting()).isOne();
    overlay.deleted(key("a"), "u1");
    cache.put(state("a", "u0", 2));
    assertThat(shown("a")).as("before version 3").isEqualTo("none");
  }

  @Test
  void dropsADeletionThatAListConfirms() {
    cache.put(state("a", "u1", 4));
    overlay.deleted(key("a"), "u1");
    cache.listed(9);
    assertThat(overlay.waiting()).as("the store has it still").isOne();
    written("b", "u2", "17");
    overlay.deleted(key("b"), "u2");
    cache.listed(16);
    assertThat(overlay.waiting()).isEqualTo(2);
    cache.listed(17);
    assertThat(overlay.waiting()).isOne();
    cache.remove(key("a"));
    assertThat(overlay.waiting()).isZero();
  }

  @Test
  void dropsAnAnswerThatComesAfterTheStoreSawTheEnd() {
    overlay.begin();
    overlay.begin();
    cache.put(state("a", "u1", 4));
    cache.remove(key("a"));
    written("a", "u1", "3");
    written("a", "u1", "5");
    assertThat(shown("a")).isEqualTo("none");
    overlay.unclear(key("a"), 4);
    overlay.deleted(key("a"), "u1");
    assertThat(overlay.waiting()).isZero();
    overlay.end();
    written("a", "u1", "3");
    assertThat(shown("a")).as("one is still on its way").isEqualTo("none");

    overlay.end();
    overlay.begin();
    written("a", "u1", "3");
    assertThat(shown("a")).as("nothing is kept of what ended before").isEqualTo("3");
  }

  @Test
  void dropsAnAnswerAboutAnObjectThatTheStoreSawReplaced() {
    overlay.begin();
    cache.put(state("a", "u1", 4));
    cache.put(state("a", "u2", 9));
    written("a", "u1", "5");
    overlay.deleted(key("a"), "u1");
    assertThat(shown("a")).isEqualTo("9");
    assertThat(overlay.waiting()).isZero();
  }

  @Test
  void keepsNoEndsWhileNoWriteIsOnItsWay() {
    cache.put(state("a", "u1", 4));
    cache.remove(key("a"));
    overlay.begin();
    written("a", "u1", "3");
    assertThat(shown("a")).isEqualTo("3");
  }

  @Test
  void dropsAnAnswerAfterTheListThatConfirmedTheDeletion() {
    overlay.begin();
    overlay.deleted(key("a"), "u1");
    time.advance(FORGOTTEN);
    cache.listed(-1);
    assertThat(overlay.waiting()).isZero();
    written("a", "u1", "x3");
    assertThat(shown("a")).isEqualTo("none");
  }

  @Test
  void dropsWhatWasWrittenWithTheObject() {
    cache.put(state("a", "u1", 4));
    written("a", "u1", "5");
    cache.remove(key("a"));
    assertThat(shown("a")).isEqualTo("none");
    assertThat(overlay.waiting()).isZero();
  }

  @Test
  void keepsWhatWasWrittenWhenAnEarlierObjectOfTheNameGoes() {
    cache.put(state("a", "u1", 4));
    written("a", "u2", "6");
    cache.remove(key("a"));
    assertThat(shown("a")).isEqualTo("6");
  }

  @Test
  void dropsAnAnswerThatAListWouldHaveShown() {
    written("b", "u1", "9");
    cache.listed(9);
    assertThat(overlay.waiting()).isZero();
    written("a", "u1", "9");
    assertThat(shown("a")).isEqualTo("none");
    written("a", "u1", "10");
    assertThat(shown("a")).isEqualTo("10");
  }

  @Test
  void remembersNoMoreEndsThanItMay() {
    overlay.begin();
    for (int i = 0; i <= RemovalsInFlight.MAX; i++) {
      cache.put(state("o" + i, "u" + i, 5));
      cache.remove(key("o" + i));
    }
    written("o0", "u0", "5");
    written("o1", "u1", "5");
    assertThat(overlay.waiting()).as("the first is forgotten").isOne();
    assertThat(isUnclear("o0")).as("so its answer is not believed").isTrue();
    overlay.end();
    written("o2", "u3", "6");
    assertThat(shown("o2")).as("when nothing is on its way").isEqualTo("6");
  }

  /** After a restore, versions begin again at lower numbers, and the dead come back. */
  @Test
  void callsUnclearAndEndsWhatAServerHasLost() {
    cache.put(state("a", "u1", 90));
    cache.listed(100);
    written("a", "u1", "120");
    cache.put(state("a", "u1", 40));
    cache.listed(50);
    assertThat(shown("a")).as("the list may come from a cache").isEqualTo("120");
    time.advance(UNCONFIRMED);
    assertThat(isUnclear("a")).isTrue();

    cache.put(state("b", 60));
    written("c", "u2", "61");
    assertThat(shown("c")).as("versions beyond the list count").isEqualTo("61");
    time.advance(FORGOTTEN);
    assertThat(isUnclear("a")).isTrue();
    cache.put(state("b", 121));
    assertThat(isUnclear("a")).isFalse();
    assertThat(shown("a")).isEqualTo("40");
    cache.listed(121);
    assertThat(overlay.waiting()).isZero();
  }

  @Test
  void dropsWithAListWhatAServerHasLost() {
    cache.put(state("a", "u1", 100));
    written("b", "u2", "90");
    time.advance(FORGOTTEN);
    cache.listed(50);
    assertThat(overlay.waiting()).isZero();
  }

  @Test
  void hidesNotForEverWhatARestoredServerHasAgain() {
    cache.put(state("a", "u1", 40));
    written("a", "u1", "120");
    overlay.deleted(key("a"), "u1");
    cache.listed(50);
    assertThat(shown("a")).isEqualTo("none");
    time.advance(UNCONFIRMED.minus(MOMENT));
    assertThat(isUnclear("a")).isFalse();
    time.advance(MOMENT);
    assertThat(isUnclear("a")).as("hidden, but not confirmed").isTrue();
    assertThat(overlay.unclearKeys("")).containsExactly(key("a"));

    time.advance(FORGOTTEN);
    cache.put(state("b", 51));
    assertThat(shown("a")).as("the store has not come to 120").isEqualTo("none");
    cache.listed(60);
    assertThat(shown("a")).isEqualTo("40");
    assertThat(isUnclear("a")).isFalse();
    assertThat(overlay.waiting()).isZero();
  }

  @Test
  void findsWhatIsOverlaidUnderAnIndexThatIsAddedLater() {
    cache.put(Labelled.object("stored", 1, "x"));
    cache.put(Labelled.object("hidden", 1, "x"));
    cache.put(Labelled.object("changed", 1, "x"));
    written(labelled("changed", 2, "y"));
    written(labelled("new", 3, "x"));
    overlay.deleted(key("hidden"), "u");
    overlay.addIndex("v", Labelled::values);

    assertThat(overlay.byIndex("v", "x"))
        .extracting(CachedObject::key)
        .containsExactlyInAnyOrder(key("stored"), key("new"));
    assertThat(overlay.byIndex("v", "y"))
        .extracting(CachedObject::key)
        .containsExactly(key("changed"));
    assertThat(overlay.keys()).containsExactlyInAnyOrder(key("stored"), key("new"), key("changed"));
  }

  @Test
  void tellsTheStoresSizeAndIndexWhateverIsOverlaid() {
    cache.addIndex("v", Labelled::values);
    cache.put(Labelled.object("stored", 1, "x"));
    written(labelled("new", 3, "y"));
    overlay.deleted(key("stored"), "u");

    assertThat(overlay.size()).isOne();
    assertThat(overlay.bytes()).isEqualTo(cache.bytes()).isPositive();
    assertThat(overlay.indexValues("v")).isEqualTo(Set.of("x"));
    assertThat(overlay.indexFailures()).isZero();
    assertThat(overlay.keys()).containsExactly(key("new"));
  }

  private static String labelled(String name, long version, String values) {
    return """
        {"metadata":{"namespace":"default","name":"%s","uid":"u","resourceVersion":"%d",\
        "labels":{"v":"%s"}}}"""
        .formatted(name, version, values);
  }
}
