// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.ownwrites;

import static dev.windlass.object.ConfigMaps.key;
import static dev.windlass.object.ConfigMaps.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ConfigMaps;
import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.ConfigMap;
import org.junit.jupiter.api.Test;

/** What {@link OverlayModelTest} does not reach: bounds, ages, odd versions, restored servers. */
final class OverlayTest extends OverlayHarness {

  @Test
  void handsOutWhatTheStoreHasWhileNothingIsOverlaid() {
    CachedObject<ConfigMap> stored = state("a", 1);
    cache.put(stored);
    assertThat(overlay.get(key("a"))).containsSame(stored);
    assertThat(overlay.list()).containsExactly(stored);
    assertThat(overlay.unclearKeys("")).isEmpty();
    assertThat(overlay.isPending(key("a"))).isFalse();

    written("a", "a", "2");
    assertThat(overlay.get(key("a"))).isNotEqualTo(cache.get(key("a")));
    assertThat(overlay.list()).hasSize(1).doesNotContain(stored);
    cache.put(state("a", 2));

    assertThat(overlay.get(key("a"))).containsSame(cache.get(key("a")).orElseThrow());
    assertThat(overlay.waiting()).isZero();
  }

  /** A watch event may be in the store already while the overlay is yet to learn of it. */
  @Test
  void showsNothingLessThanTheStoreNorWaitsForWhatItHas() {
    written("a", "a", "5");
    cache.put(state("a", 7));
    assertThat(shown("a")).isEqualTo("7");
    cache.put(state("b", 5));
    written("b", "b", "5");
    assertThat(overlay.isPending(key("b"))).isFalse();
  }

  @Test
  void isPendingUntilTheStoreHasWhatWasWrittenOrHasLostWhatWasDeleted() {
    cache.put(state("a", 1));
    written("b", "b", "2");
    overlay.deleted(key("a"), "a");
    assertThat(overlay.isPending(key("a"))).isTrue();
    assertThat(overlay.isPending(key("b"))).isTrue();
    assertThat(overlay.isPending(key("c"))).isFalse();
    assertThat(overlay.waiting()).isEqualTo(2);

    cache.remove(key("a"));
    cache.put(state("b", 2));

    assertThat(overlay.isPending(key("a"))).isFalse();
    assertThat(overlay.isPending(key("b"))).isFalse();
    assertThat(overlay.waiting()).isZero();
  }

  @Test
  void keepsNoMoreStatesThanItMay() {
    for (int i = 0; i < UnconfirmedWrites.MAX_STATES; i++) {
      written("o" + i, "u", "5");
    }
    written("more", "u", "6");
    assertThat(isUnclear("o0")).isFalse();
    assertThat(isUnclear("more")).isTrue();
    assertThat(shown("more")).isEqualTo("none");
    assertThat(overlay.unclearKeys("")).containsExactly(key("more"));

    written("o0", "u", "7");
    assertThat(shown("o0")).as("in place of the state that was kept before").isEqualTo("7");

    cache.put(state("o1", "u", 5));
    written("more", "u", "8");
    assertThat(shown("more")).as("there is room again").isEqualTo("8");
    assertThat(isUnclear("more")).isFalse();
    assertThat(overlay.forgotten()).isZero();
  }

  @Test
  void keepsNoMoreBytesThanItMay() {
    String large = "x".repeat(4 * 1024 * 1024);
    for (int i = 0; i < 16; i++) {
      written(large("o" + i, 5, large));
    }
    assertThat(overlay.unclearKeys("")).as("of 16 times a bit over 4").containsExactly(key("o15"));

    written("small", "u", "6");
    assertThat(shown("small")).isEqualTo("6");

    written(large("o0", 7, large));
    assertThat(shown("o0")).as("in place of the state that was kept before").isEqualTo("7");

    overlay.deleted(key("o1"), "u");
    written(large("o15", 8, large));
    assertThat(shown("o15")).as("there is room again").isEqualTo("8");
  }

  private static String large(String name, long version, String text) {
    return """
        {"metadata":{"namespace":"default","name":"%s","uid":"u","resourceVersion":"%d"},\
        "data":{"v":"%s"}}"""
        .formatted(name, version, text);
  }

  @Test
  void callsEverythingUnclearThatIsMoreThanItCanMark() {
    for (int i = 0; i < Overlay.MAX_MARKS; i++) {
      overlay.unclear(key("o" + i), 5);
    }
    assertThat(overlay.forgotten()).isZero();
    cache.put(state("gone", 1));

    overlay.unclear(key("more"), 5);
    overlay.deleted(key("gone"), "gone");

    assertThat(overlay.forgotten()).isEqualTo(2);
    assertThat(overlay.waiting()).isEqualTo(Overlay.MAX_MARKS);
    assertThat(isUnclear("more")).isTrue();
    assertThat(isUnclear("gone")).isTrue();
    assertThat(isUnclear("never written")).isTrue();
    assertThat(overlay.isAnyUnclear("default")).isTrue();

    written("o0", "u", "6");
    assertThat(shown("o0")).as("a key that is marked already").isEqualTo("6");
    assertThat(overlay.forgotten()).isEqualTo(2);

    time.advance(FORGOTTEN);
    assertThat(isUnclear("never written")).as("the watch is still behind").isTrue();
    cache.put(state("later", 9));
    assertThat(isUnclear("never written")).isFalse();
    assertThat(overlay.isAnyUnclear("")).isFalse();
  }

  /** A deletion of many whose answer was lost. */
  @Test
  void callsAWholeNamespaceUnclear() {
    cache.put(state("a", 1));
    overlay.allUnclear("default");
    assertThat(isUnclear("a")).isTrue();
    assertThat(overlay.isPending(key("a"))).isTrue();
    assertThat(overlay.isAnyUnclear("")).isTrue();
    assertThat(overlay.isUnclear(ObjectKey.of("other", "a"))).isFalse();
    assertThat(overlay.isAnyUnclear("other")).isFalse();
    time.advance(UNCONFIRMED);
    assertThat(isUnclear("a")).isFalse();
  }

  /** As after a deletion of many: what became of each object is later than its last version. */
  @Test
  void isUnclearThoughTheListWasNewerThanTheObjectIfItShowsAnEarlierState() {
    cache.put(state("a", "u1", 1));
    cache.listed(7);
    overlay.unclear(key("a"), "u1", 2);
    assertThat(isUnclear("a")).isTrue();
    cache.listed(8);
    assertThat(isUnclear("a")).as("a list that was read before the write").isTrue();
    cache.put(state("a", "u1", 9));
    assertThat(isUnclear("a")).isFalse();
    assertThat(overlay.waiting()).isZero();
  }

  @Test
  void isClearAgainWhenTheObjectInDoubtIsGone() {
    cache.put(state("a", "u1", 1));
    overlay.unclear(key("a"), "u1", 2);
    assertThat(isUnclear("a")).isTrue();
    cache.remove(key("a"));
    assertThat(isUnclear("a")).isFalse();
    assertThat(overlay.waiting()).isZero();
  }

  @Test
  void callsAStateUnclearThatTheStoreDoesNotConfirmInTime() {
    cache.put(state("a", 1));
    written("a", "a", "5");
    time.advance(UNCONFIRMED.minus(MOMENT));
    assertThat(isUnclear("a")).isFalse();
    assertThat(overlay.unclearKeys("")).isEmpty();

    time.advance(MOMENT);
    assertThat(isUnclear("a")).isTrue();
    assertThat(overlay.unclearKeys("")).containsExactly(key("a"));
    assertThat(shown("a")).isEqualTo("5");

    cache.put(state("a", 5));
    assertThat(isUnclear("a")).isFalse();
  }

  @Test
  void forgetsAStateInTheEndOnlyIfTheStoreHasGoneOn() {
    cache.put(state("a", 1));
    written("a", "a", "5");
    written("b", "b", "9");
    cache.put(state("c", 4));
    time.advance(FORGOTTEN);
    assertThat(isUnclear("a")).as("the store has come to 4").isTrue();
    assertThat(shown("a")).isEqualTo("5");

    cache.put(state("c", 5));
    assertThat(isUnclear("a")).isFalse();
    assertThat(shown("a")).isEqualTo("1");
    assertThat(isUnclear("b")).isTrue();
    assertThat(shown("b")).isEqualTo("9");
  }

  @Test
  void doesNotForgetAStateEarly() {
    written("a", "a", "5");
    cache.put(state("c", 6));
    time.advance(FORGOTTEN.minus(MOMENT));
    assertThat(isUnclear("a")).isTrue();
    assertThat(shown("a")).isEqualTo("5");
    time.advance(MOMENT);
    assertThat(isUnclear("a")).isFalse();
    assertThat(shown("a")).isEqualTo("none");
  }

  /** Between two lists may lie days. */
  @Test
  void dropsWhatItForgetsWithoutAList() {
    written("a", "a", "5");
    overlay.unclear(key("b"), -1);
    overlay.deleted(key("c"), "c");
    assertThat(overlay.waiting()).isEqualTo(3);

    time.advance(UNCONFIRMED);
    cache.put(state("x", 6));
    assertThat(overlay.waiting()).as("without b").isEqualTo(2);

    time.advance(FORGOTTEN);
    cache.put(state("x", 7));
    assertThat(overlay.waiting()).isZero();
  }

  @Test
  void comparesVersionsThatAreNoNumbersByEquality() {
    cache.put(ConfigMaps.decode(ConfigMaps.json("a", "a", "x1")));
    written("a", "a", "x2");
    assertThat(shown("a")).isEqualTo("x2");
    cache.put(ConfigMaps.decode(ConfigMaps.json("a", "a", "x9")));
    assertThat(shown("a")).isEqualTo("x2");

    cache.put(ConfigMaps.decode(ConfigMaps.json("a", "a", "x2")));
    assertThat(overlay.waiting()).isZero();
    cache.put(ConfigMaps.decode(ConfigMaps.json("a", "a", "x3")));
    assertThat(shown("a")).isEqualTo("x3");
  }

  @Test
  void forgetsVersionsThatAreNoNumbersWithTheNextListThatIsLateEnough() {
    written("a", "a", "x2");
    cache.listed(-1);
    assertThat(shown("a")).isEqualTo("x2");
    time.advance(UNCONFIRMED.minus(MOMENT));
    cache.listed(-1);
    assertThat(overlay.waiting()).isOne();
    time.advance(MOMENT);
    cache.listed(-1);
    assertThat(overlay.waiting()).isZero();
    assertThat(shown("a")).isEqualTo("none");
  }

  @Test
  void isUnclearForAMinuteAfterAWriteOfWhichNothingIsKnown() {
    cache.put(state("a", 1));
    overlay.unclear(key("a"), -1);
    cache.put(state("a", 7));
    cache.listed(8);
    time.advance(UNCONFIRMED.minus(MOMENT));
    assertThat(isUnclear("a")).isTrue();
    assertThat(overlay.isPending(key("a"))).isTrue();

    time.advance(MOMENT);
    assertThat(isUnclear("a")).isFalse();
    assertThat(shown("a")).isEqualTo("7");
    cache.listed(9);
    assertThat(overlay.waiting()).isZero();
  }

  /** A write is answered, the next is not, and the watch is late. */
  @Test
  void keepsInMindWhatWasWrittenBeforeAWriteOfWhichNothingIsKnown() {
    cache.put(state("a", 1));
    written("a", "a", "5");
    overlay.unclear(key("a"), -1);
    overlay.unclear(key("a"), -1);
    time.advance(UNCONFIRMED);
    assertThat(isUnclear("a")).as("the store still has version 1").isTrue();
    cache.listed(4);
    assertThat(isUnclear("a")).isTrue();

    cache.listed(5);
    assertThat(isUnclear("a")).isFalse();
    assertThat(overlay.waiting()).isZero();
  }

  @Test
  void takesTheStateOfALaterAnswerInPlaceOfAnUnclearOne() {
    overlay.unclear(key("a"), 5);
    assertThat(isUnclear("a")).isTrue();
    written("a", "a", "4");
    assertThat(isUnclear("a")).as("an answer that is late").isTrue();
    written("a", "a", "6");
    assertThat(isUnclear("a")).isFalse();
    assertThat(shown("a")).isEqualTo("6");
    overlay.unclear(key("a"), 7);
    cache.put(state("a", 7));
    assertThat(isUnclear("a")).isFalse();
  }

  @Test
  void namesUnclearKeysByNamespace() {
    overlay.unclear(ObjectKey.of("n", "a"), 5);
    overlay.unclear(ObjectKey.of("m", "b"), 5);
    written("c", "c", "5");
    assertThat(overlay.unclearKeys("n")).containsExactly(ObjectKey.of("n", "a"));
    assertThat(overlay.unclearKeys("")).hasSize(2);
    assertThat(overlay.unclearKeys("default")).isEmpty();
  }
}
