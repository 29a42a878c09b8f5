// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The {@code managedFields} entries that result from apply requests. The cache keeps these entries
 * even if it drops the {@code managedFields} themselves.
 *
 * <p>Each entry is stored as three numbers: a hash of the manager and the subresource, a hash of
 * the fields and their apiVersion, and the {@linkplain AppliedEntry#stamp stamp}. The lowest bit of
 * the second number is {@link AppliedEntry#sharesLists}. For this process's managers, the JSON of
 * the fields is also stored. Objects with the same fields share this JSON. Most objects do not have
 * such entries, and need no memory for them. Instances are immutable.
 */
final class AppliedEntries {

  /**
   * The maximum number of managers whose fields are stored, besides those of controllers: 100. A
   * process whose field owners are computed, such as one for each tenant, would otherwise store
   * ever more.
   */
  private static final int MOST_APPLIERS = 100;

  private static final Appliers APPLIERS = new Appliers(MOST_APPLIERS);

  private static final int NUMBERS = 3;

  private static final long SHARES_LISTS = 1;

  /** The offset basis of the 64-bit FNV-1a hash. */
  private static final long BASIS = 0xcbf29ce484222325L;

  private static final long PRIME = 0x100000001b3L;

  private final long[] numbers;
  private final @Nullable String[] trees;

  private AppliedEntries(long[] numbers, @Nullable String[] trees) {
    this.numbers = numbers;
    this.trees = trees;
  }

  /** The pools for the fields of this process's managers that send apply requests. */
  static final class Appliers {

    private final int most;

    /** The pools, by the hashes of the managers' names. */
    private final Map<Long, FieldsV1Pool> pools = new ConcurrentHashMap<>();

    Appliers(int most) {
      this.most = most;
    }

    /** Adds a manager. Unless it is a controller, adds it only if there are not too many. */
    void add(String applier, boolean isController) {
      if (isController || pools.size() < most) { // several threads can exceed the limit slightly
        pools.computeIfAbsent(owner(applier, ""), manager -> new FieldsV1Pool());
      }
    }

    @Nullable FieldsV1Pool of(long manager) {
      return pools.get(owner(manager, ""));
    }

    @Nullable FieldsV1Pool of(String applier) {
      return pools.get(owner(applier, ""));
    }
  }

  static void keepFields(String applier, boolean isController) {
    APPLIERS.add(applier, isController);
  }

  /**
   * Reads the {@code managedFields} array at the cursor, and moves the cursor past the array.
   *
   * @return the entries; null if the array contains no entry for an apply request
   */
  static @Nullable AppliedEntries read(JsonCursor cursor, byte[] buffer) {
    AppliedEntries found = null;
    cursor.enterArray();
    while (cursor.nextElement()) {
      if (!cursor.isObject()) {
        cursor.skipValue();
        continue;
      }
      AppliedEntries entry = readEntry(cursor, buffer);
      if (entry != null) {
        found = found == null ? entry : found.with(entry);
      }
    }
    return found;
  }

  private AppliedEntries with(AppliedEntries entry) {
    int length = trees.length;
    long[] all = Arrays.copyOf(numbers, numbers.length + NUMBERS);
    System.arraycopy(entry.numbers, 0, all, numbers.length, NUMBERS);
    @Nullable String[] texts = Arrays.copyOf(trees, length + 1);
    texts[length] = entry.trees[0];
    return new AppliedEntries(all, texts);
  }

  private static @Nullable AppliedEntries readEntry(JsonCursor cursor, byte[] buffer) {
    int managerFrom = 0;
    int managerTo = 0;
    String subresource = "";
    String apiVersion = "";
    String time = "";
    String operation = "";
    int from = 0;
    int to = 0;
    cursor.enterObject();
    while (cursor.nextField()) {
      Field field = cursor.field();
      int value = cursor.valueStart();
      cursor.skipValue();
      switch (field) {
        case OPERATION -> operation = cursor.text(value, StringPool.SHARED);
        case MANAGER -> {
          managerFrom = value + 1; // without quotes; this process's managers have no escapes
          managerTo = cursor.position() - 1;
        }
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
    if (!operation.equals("Apply")) {
      return null;
    }
    long manager = hash(BASIS, buffer, managerFrom, managerTo);
    FieldsV1Pool trees = APPLIERS.of(manager);
    String text = trees == null ? null : trees.of(apiVersion, buffer, from, to);
    long stamp = mixed(hash(BASIS, time));
    return entry(owner(manager, subresource), apiVersion, buffer, from, to, stamp, text);
  }

  private static AppliedEntries entry(
      long owner,
      String apiVersion,
      byte[] buffer,
      int from,
      int to,
      long stamp,
      @Nullable String text) {
    long fields = mixed(hash(hash(BASIS, apiVersion), buffer, from, to)) & ~SHARES_LISTS;
    return new AppliedEntries(
        new long[] {owner, namesElements(buffer, from, to) ? fields | SHARES_LISTS : fields, stamp},
        new @Nullable String[] {text});
  }

  /**
   * Returns whether the fields include single elements of a list. In {@code fieldsV1}, the names of
   * list elements begin with "k:" or "v:".
   */
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

  /**
   * Returns the entry for the apply requests of a field manager to the given subresource, if there
   * is one. If the subresource is empty, returns the entry for the object itself.
   */
  Optional<AppliedEntry> appliedBy(String manager, String subresource) {
    return find(owner(manager, subresource));
  }

  private Optional<AppliedEntry> find(long owner) {
    for (int i = 0; i < trees.length; i++) {
      int at = i * NUMBERS;
      if (numbers[at] == owner) {
        long fields = numbers[at + 1];
        return Optional.of(
            new AppliedEntry(fields, numbers[at + 2], (fields & SHARES_LISTS) != 0, trees[i]));
      }
    }
    return Optional.empty();
  }

  private static long owner(String manager, String subresource) {
    return owner(hash(BASIS, manager), subresource);
  }

  private static long owner(long manager, String subresource) {
    return mixed(hash(hash(manager, "\n"), subresource));
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
