// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

/** How much of each object the cache keeps. */
public enum Projection {

  /** Everything that the server sends. */
  FULL,

  /**
   * Everything but {@code metadata.managedFields}, which makes up a third of a typical object and
   * which controllers don't read. The default.
   */
  STRIPPED,

  /**
   * The metadata only, without managedFields. The server is asked for nothing else, so objects that
   * are large cost little. Reading the content throws {@link NotCachedException}.
   */
  METADATA
}
