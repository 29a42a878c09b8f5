// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.writes;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Generates the values that the server assigns: uids, the suffixes of generated names, and the
 * cluster IPs of Services. This class is thread-safe.
 */
public final class IdGenerator {
  /**
   * The characters of generated suffixes. As in apimachinery's {@code rand.go}, there are no vowels
   * and no characters that look alike.
   */
  private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";

  private static final int SUFFIX = 5;

  private static final int LAST_BYTE = 254;

  @GuardedBy("this")
  private final RandomGenerator random;

  @GuardedBy("this")
  private int addresses;

  /** Creates a generator. At most one thread uses {@code random} at a time. */
  public IdGenerator(RandomGenerator random) {
    this.random = random;
  }

  /** Returns a random UUID of version 4. */
  synchronized String uid() {
    long high = (random.nextLong() & ~0xF000L) | 0x4000L;
    long low = (random.nextLong() >>> 2) | (1L << 63);
    return new UUID(high, low).toString();
  }

  /** Returns {@code generateName} followed by five random characters. */
  synchronized String name(String generateName) {
    StringBuilder name = new StringBuilder(generateName);
    for (int i = 0; i < SUFFIX; i++) {
      name.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return name.toString();
  }

  /** Returns the next cluster IP for a Service. */
  public synchronized String address() {
    int number = addresses++;
    return "10.0." + number / LAST_BYTE % LAST_BYTE + "." + (1 + number % LAST_BYTE);
  }
}
