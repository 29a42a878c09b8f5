// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import com.fasterxml.jackson.databind.JsonMappingException;

/**
 * An object does not fit the class that stands for its type. The object stays in the cache with its
 * metadata; only reading its content fails, until somebody corrects the object or the class.
 */
public final class UndecodableException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** How much is shown of a place, whose names others may have chosen: 256 characters. */
  private static final int LONGEST_PATH = 256;

  private final String problem;

  UndecodableException(CachedObject<?> object, String why) {
    super(object + " can't be read: " + why);
    problem = "can't be read: " + why;
  }

  UndecodableException(CachedObject<?> object, Class<?> target, Throwable cause) {
    this(object, "does not fit " + target.getName() + path(cause), withoutMessage(cause));
  }

  private UndecodableException(CachedObject<?> object, String problem, Throwable cause) {
    super(object + " " + problem, cause);
    this.problem = problem;
  }

  /**
   * What is wrong, without saying of which object: {@code does not fit com.example.Foo at
   * spec.replicas}. The same for each version of the object that is wrong in the same place.
   */
  public String problem() {
    return problem;
  }

  /** The place in the object, such as {@code spec.containers[0].image}. */
  private static String path(Throwable cause) {
    if (!(cause instanceof JsonMappingException mapping) || mapping.getPath().isEmpty()) {
      return "";
    }
    StringBuilder path = new StringBuilder();
    for (JsonMappingException.Reference step : mapping.getPath()) {
      if (step.getFieldName() == null) {
        path.append('[').append(step.getIndex()).append(']');
      } else {
        path.append(path.isEmpty() ? "" : ".").append(step.getFieldName());
      }
    }
    return " at " + OneLine.of(path.toString(), LONGEST_PATH);
  }

  /** The cause's own message quotes the value, which may be secret and must not be logged. */
  private static Throwable withoutMessage(Throwable cause) {
    Throwable stripped = new IllegalArgumentException(cause.getClass().getName());
    stripped.setStackTrace(cause.getStackTrace());
    return stripped;
  }
}
