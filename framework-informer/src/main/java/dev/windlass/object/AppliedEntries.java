// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The {@code managedFields} entries with the operation Apply, stored as hashes, which are kept even
 * if the entries themselves are dropped. Each entry has three numbers: a hash of its manager and
 * subresource, a hash of its fields and their apiVersion, and a hash of its time. The lowest bit of
 * the second number indicates whether the entry shares lists. Most objects have no entry of this
 * kind, and need no memory for it.
 */
final class AppliedEntries {

  private static final int NUMBERS = 3;

  private static final long SHARES_LISTS = 1;

  /** The offset basis of the FNV-1a hash with 64 bits. */
  private static final long BASIS = 0xcbf29ce484222325L;

  private static final long PRIME = 0x100000001b3L;

  private AppliedEntries() {}

  /**
   * Reads the array at the cursor and moves past it.
   *
   * @return the hashes, or null if no entry has the operation Apply
   */
  static long @Nullable [] read(JsonCursor cursor, byte[] buffer) {
    long[] found = null;
    cursor.enterArray();
    while (cursor.nextElement()) {
      if (!cursor.isObject()) {
        cursor.skipValue();
        continue;
      }
      long[] entry = readEntry(cursor, buffer);
      if (entry != null) {
        int length = found == null ? 0 : found.length;
        found = found == null ? entry : Arrays.copyOf(found, length + NUMBERS);
        System.arraycopy(entry, 0, found, length, NUMBERS);
      }
    }
    return found;
  }

  private static long @Nullable [] readEntry(JsonCursor cursor, byte[] buffer) {
    String manager = "";
    String subresource = "";
    String apiVersion = "";
    String time = "";
    boolean applies = false;
    int from = 0;
    int to = 0;
    cursor.enterObject();
    while (cursor.nextField()) {
      Field field = cursor.field();
      int value = cursor.valueStart();
      cursor.skipValue();
      switch (field) {
        case OPERATION -> applies = cursor.text(value, StringPool.SHARED).equals("Apply");
        case MANAGER -> manager = cursor.text(value, StringPool.SHARED);
        case SUBRESOURCE -> subresource = cursor.text(value, StringPool.SHARED);
        case API_VERSION -> apiVersion = cursor.text(value, StringPool.SHARED);
        case TIME -> time = cursor.text(value, null);
        case FIELDS_V1 -> {
          from = value;
          to = cursor.position();
        }
        default -> {}
      }
    }
    if (!applies) {
      return null;
    }
    long fields = mixed(hash(hash(BASIS, apiVersion), buffer, from, to)) & ~SHARES_LISTS;
    return new long[] {
      owner(manager, subresource),
      namesElements(buffer, from, to) ? fields | SHARES_LISTS : fields,
      mixed(hash(BASIS, time))
    };
  }

  /** Returns whether fields include elements of a list, which are named by "k:" or "v:". */
  private static boolean namesElements(byte[] buffer, int from, int to) {
    for (int i = from; i + 2 < to; i++) {
      if (buffer[i] == '"'
          && (buffer[i + 1] == 'k' || buffer[i + 1] == 'v')
          && buffer[i + 2] == ':') {
        return true;
      }
    }
    return false;
  }

  /** Returns the entry of a manager, if there is one. */
  static Optional<AppliedEntry> find(
      long @Nullable [] entries, String manager, String subresource) {
    if (entries != null) {
      long owner = owner(manager, subresource);
      for (int i = 0; i < entries.length; i += NUMBERS) {
        if (entries[i] == owner) {
          boolean sharesLists = (entries[i + 1] & SHARES_LISTS) != 0;
          return Optional.of(new AppliedEntry(entries[i + 1], entries[i + 2], sharesLists));
        }
      }
    }
    return Optional.empty();
  }

  private static long owner(String manager, String subresource) {
    return mixed(hash(hash(hash(BASIS, manager), "\n"), subresource));
  }

  private static long hash(long seed, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return hash(seed, bytes, 0, bytes.length);
  }

  private static long hash(long seed, byte[] bytes, int from, int to) {
    long hash = seed;
    for (int i = from; i < to; i++) {
      hash = (hash ^ bytes[i]) * PRIME;
    }
    return hash;
  }

  private static long mixed(long hash) {
    long mixed = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ (mixed >>> 33);
  }
}
