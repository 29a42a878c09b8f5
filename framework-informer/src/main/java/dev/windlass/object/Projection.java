// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

/** The part of each object that the cache keeps. */
public enum Projection {

  /** The whole object as the server sends it. */
  FULL,

  /**
   * The default: the whole object except {@code metadata.managedFields}. The managedFields make up
   * a third of a typical object, and controllers do not read them.
   */
  STRIPPED,

  /**
   * Only the metadata, without managedFields. The framework requests only this part from the
   * server, which saves memory and bandwidth if the objects are large. Reading the rest of an
   * object throws {@link NotCachedException}.
   */
  METADATA
}
