// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

/**
 * The reason why the cache keeps only the metadata of one object, although it keeps the content of
 * other objects.
 */
enum MetadataOnlyReason {
  /** A {@link Transform} threw an exception, or changed a field that identifies the object. */
  TRANSFORM_FAILED("a transform failed on it, so it was not kept"),

  /** The content has more levels than {@link JsonLimits} allows for decoding. */
  TOO_DEEP("its content is nested more than 1,000 levels deep, so it was not kept");

  /** The reason, as it appears in messages. */
  final String why;

  MetadataOnlyReason(String why) {
    this.why = why;
  }
}
