// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

/**
 * Thrown if the program reads the content of an object of which only the metadata is cached. This
 * is a programming error. Watch whole objects, or read only {@link CachedObject#metadata()}.
 */
public final class NotCachedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  NotCachedException(CachedObject<?> object) {
    super(
        "the cache holds only the metadata of "
            + object
            + ", because its type is watched with Projection.METADATA; watch it with"
            + " Projection.STRIPPED to read its content, or call metadata()");
  }
}
