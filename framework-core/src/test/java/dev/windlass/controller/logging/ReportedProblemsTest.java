// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.logging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.object.ObjectKey;
import org.junit.jupiter.api.Test;

final class ReportedProblemsTest {

  private final ReportedProblems told = new ReportedProblems();

  private static ObjectKey key(int number) {
    return ObjectKey.of("default", "o" + number);
  }

  @Test
  void areReportedOnce() {
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
    for (int i = 0; i <= ReportedProblems.MOST; i++) {
      told.add(key(i), "u", "p");
    }
    assertThat(told.add(key(ReportedProblems.MOST), "u", "p")).isFalse();
    assertThat(told.add(key(1), "u", "p")).isFalse();
    assertThat(told.add(key(0), "u", "p")).as("the oldest").isTrue();
  }
}
