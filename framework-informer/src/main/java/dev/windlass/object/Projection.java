// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

/** The part of each object that the cache keeps. */
public enum Projection {

  /** Everything that the server sends. */
  FULL,

  /**
   * Everything except {@code metadata.managedFields}, which makes up a third of a typical object
   * and which controllers do not read. The default.
   */
  STRIPPED,

  /**
   * The metadata only, without managedFields. The framework requests nothing else from the server,
   * so large objects cost little. Reading the content throws {@link NotCachedException}.
   */
  METADATA
}
