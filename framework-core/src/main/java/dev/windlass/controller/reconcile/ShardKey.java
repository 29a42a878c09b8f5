// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

import java.nio.charset.StandardCharsets;

/**
 * What decides to which shard an object belongs. Each shard is a range of 64-bit hashes, and all
 * ranges have the same size.
 */
public enum ShardKey {
  /** The object's cluster, namespace and name. The objects of a namespace are spread evenly. */
  OBJECT,
  /**
   * The object's namespace, so that one replica reconciles all objects of a namespace. The hash is
   * that of the Kubernetes enhancement 5866, FNV-1a. Cluster-scoped objects are spread evenly.
   */
  NAMESPACE;

  private static final long OFFSET = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  /**
   * Returns the shard of a request, from 0 to {@code shards - 1}.
   *
   * @param shards the number of shards
   */
  public int shardOf(Request request, int shards) {
    return shards == 1 ? 0 : (int) highProduct(hash(request), shards);
  }

  private long hash(Request request) {
    if (this == NAMESPACE && !request.namespace().isEmpty()) {
      return hash(OFFSET, request.namespace());
    }
    long hash = hash(OFFSET, request.cluster());
    hash = hash(hash(hash, "/"), request.namespace());
    return mixed(hash(hash(hash, "/"), request.name()));
  }

  /** Continues a hash of the variant FNV-1a. */
  private static long hash(long begun, String text) {
    long hash = begun;
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (each & 0xff)) * PRIME;
    }
    return hash;
  }

  /**
   * Spreads a hash over all bits. The last characters of a text hardly change the highest bits of
   * FNV-1a, so that names such as {@code web-1} to {@code web-9} would fall into one range.
   */
  private static long mixed(long hash) {
    long mixed = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ (mixed >>> 33);
  }

  /** Returns the upper 64 bits of the product of an unsigned number and a positive number. */
  private static long highProduct(long unsigned, long factor) {
    return Math.multiplyHigh(unsigned, factor) + ((unsigned >> 63) & factor);
  }
}
