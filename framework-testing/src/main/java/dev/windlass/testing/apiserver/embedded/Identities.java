// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import java.util.UUID;
import java.util.random.RandomGenerator;

/** What the server invents: uids and the ends of generated names. */
final class Identities {
  /** No vowels and nothing that looks like another letter; apimachinery {@code rand.go}. */
  private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";

  private static final int SUFFIX = 5;

  private final RandomGenerator random;

  /** {@code random} is used under the store's lock only. */
  Identities(RandomGenerator random) {
    this.random = random;
  }

  /** A random UUID, version 4. */
  String uid() {
    long high = (random.nextLong() & ~0xF000L) | 0x4000L;
    long low = (random.nextLong() >>> 2) | (1L << 63);
    return new UUID(high, low).toString();
  }

  /** {@code generateName} with five letters behind it. */
  String name(String generateName) {
    StringBuilder name = new StringBuilder(generateName);
    for (int i = 0; i < SUFFIX; i++) {
      name.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return name.toString();
  }
}
