// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.object.ObjectKey;
import org.junit.jupiter.api.Test;

final class ToldObjectsTest {

  private final ToldObjects told = new ToldObjects();

  private static ObjectKey key(int number) {
    return ObjectKey.of("default", "o" + number);
  }

  @Test
  void areNewsOnce() {
    assertThat(told.add(key(1), "u", "p")).isTrue();
    assertThat(told.add(key(1), "u", "p")).isFalse();
    assertThat(told.add(key(2), "u", "p")).isTrue();
    assertThat(told.add(key(1), "u", "other")).isTrue();
    assertThat(told.add(key(1), "v", "other")).isTrue();
    told.forget(key(1));
    assertThat(told.add(key(1), "v", "other")).isTrue();
    assertThat(told.add(key(2), "u", "p")).isFalse();
  }

  @Test
  void areForgottenBeyondTheMost() {
    for (int i = 0; i <= ToldObjects.MOST; i++) {
      told.add(key(i), "u", "p");
    }
    assertThat(told.add(key(ToldObjects.MOST), "u", "p")).isFalse();
    assertThat(told.add(key(1), "u", "p")).isFalse();
    assertThat(told.add(key(0), "u", "p")).as("the oldest").isTrue();
  }
}
