// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

/**
 * An object does not fit the class that stands for its type. The object stays in the cache with its
 * metadata; only reading its content fails, until somebody corrects the object or the class.
 */
public final class UndecodableException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  UndecodableException(CachedObject<?> object, Class<?> target, Throwable cause) {
    // The cause names the field; its own message may quote the value, which may be secret.
    super(object + " does not fit " + target.getName() + reason(cause), cause);
  }

  private static String reason(Throwable cause) {
    if (cause instanceof com.fasterxml.jackson.databind.JsonMappingException mapping) {
      return " at " + mapping.getPathReference().replaceAll("[^\\[]*\\.([A-Za-z$]+)\\[", "$1[");
    }
    return "";
  }
}
