// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.logging.OneLine;
import java.math.BigInteger;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Thrown when the program reads an object that cannot be decoded into its class. The object remains
 * in the cache, and its metadata can be read. Reading its content fails until the object or the
 * class is corrected.
 */
public final class UndecodableException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * The maximum length of a path in the message, in characters: 256. The length is limited because
   * the path can contain names chosen by users.
   */
  private static final int LONGEST_PATH = 256;

  private static final Set<Class<?>> INTEGERS =
      Set.of(
          byte.class,
          Byte.class,
          short.class,
          Short.class,
          int.class,
          Integer.class,
          long.class,
          Long.class,
          BigInteger.class);

  private static final String UNKNOWN = ", a field that the class does not have";

  private final String problem;
  private final String path;
  private final @Nullable String expectedType;
  private final boolean unknownField;
  private final @Nullable ObjectKey key;

  UndecodableException(CachedObject<?> object, String why) {
    super(object + " can't be read: " + why);
    key = object.key();
    problem = "can't be read: " + why;
    path = "";
    expectedType = null;
    unknownField = false;
  }

  UndecodableException(CachedObject<?> object, Class<?> target, Throwable cause) {
    this(object + " ", object.key(), target, cause);
  }

  UndecodableException(Class<?> target, Throwable cause) {
    this("the object ", null, target, cause);
  }

  /**
   * Creates the exception for a response of the server.
   *
   * @param name the name of the object; empty if the response is not about a single object
   * @param cause an exception of Jackson, or one that has such a cause
   */
  public UndecodableException(
      String kind, String namespace, String name, Class<?> target, Throwable cause) {
    this(
        name.isEmpty() ? "the response " : kind + " " + ObjectKey.of(namespace, name) + " ",
        name.isEmpty() ? null : ObjectKey.of(namespace, name),
        target,
        cause);
  }

  private static Throwable mapping(Throwable failure) {
    Throwable cause = failure;
    while (!(cause instanceof JsonMappingException) && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  private UndecodableException(
      String name, @Nullable ObjectKey key, Class<?> target, Throwable failure) {
    super(name + misfit(target, failure), withoutMessage(mapping(failure)));
    Throwable cause = mapping(failure);
    this.key = key;
    problem = misfit(target, failure);
    path = path(cause);
    expectedType = jsonType(cause);
    unknownField = isUnknownField(cause);
  }

  /**
   * Returns a description of a decoding failure, such as {@code does not fit com.example.Foo at
   * spec.replicas}. The description contains the class and the path of the value, but not the
   * value.
   *
   * @param failure the exception that Jackson threw, or one that has such a cause
   */
  public static String misfit(Class<?> target, Throwable failure) {
    Throwable cause = mapping(failure);
    return "does not fit " + target.getName() + at(cause) + (isUnknownField(cause) ? UNKNOWN : "");
  }

  private static boolean isUnknownField(Throwable cause) {
    return cause instanceof UnrecognizedPropertyException;
  }

  /**
   * Returns a description of the problem without the object's name, such as {@code does not fit
   * com.example.Foo at spec.replicas}. Different versions of an object have the same description if
   * they have the same error in the same field.
   */
  public String problem() {
    return problem;
  }

  /**
   * Returns the path of the value that cannot be decoded, such as {@code spec.containers[0].image},
   * or an empty string if it is not known.
   */
  public String path() {
    return path;
  }

  /**
   * Returns the type that the class requires for the value at {@link #path()}. The type is named as
   * in an OpenAPI schema, such as {@code integer}. The result is empty if the type is not known.
   */
  public Optional<String> expectedType() {
    return Optional.ofNullable(expectedType);
  }

  /** Returns the key of the cached object, or empty if the object was not read from a cache. */
  public Optional<ObjectKey> key() {
    return Optional.ofNullable(key);
  }

  /** Returns one sentence, without a full stop, that describes how to correct the problem. */
  public String remedy() {
    return unknownField
        ? "Add the field to the class, or annotate the class with"
            + " @JsonIgnoreProperties(ignoreUnknown = true)"
        : "Correct it to match the CRD or, if the CRD has several versions, configure their"
            + " conversion";
  }

  /**
   * Returns the JSON type that corresponds to the Java type that Jackson expected. Returns null if
   * the Java type does not determine the JSON type, for example if it is an enum or has a custom
   * deserialiser.
   */
  private static @Nullable String jsonType(Throwable cause) {
    if (!(cause instanceof MismatchedInputException mismatch) || mismatch.getTargetType() == null) {
      return null;
    }
    Class<?> type = mismatch.getTargetType();
    if (INTEGERS.contains(type)) {
      return "integer";
    }
    if (type == double.class || type == float.class || Number.class.isAssignableFrom(type)) {
      return "number";
    }
    if (type == boolean.class || type == Boolean.class) {
      return "boolean";
    }
    if (type == String.class) {
      return "string";
    }
    if (Collection.class.isAssignableFrom(type)) {
      return "array";
    }
    return Map.class.isAssignableFrom(type) ? "object" : null;
  }

  private static String at(Throwable cause) {
    String path = path(cause);
    return path.isEmpty() ? "" : " at " + path;
  }

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
    return OneLine.of(path.toString(), LONGEST_PATH);
  }

  /**
   * Returns a replacement for the cause that does not contain the cause's message. The message
   * quotes the value, which may be secret and must not be logged.
   */
  private static Throwable withoutMessage(Throwable cause) {
    Throwable stripped = new IllegalArgumentException(cause.getClass().getName());
    stripped.setStackTrace(cause.getStackTrace());
    return stripped;
  }

  /**
   * Logs one warning for each version of an object that cannot be decoded into its class, even if
   * several index functions, predicates and mappings fail because of it. Each {@link ObjectCodec}
   * has a log of its own, so all readers of one cache share a log.
   *
   * <p>A log remembers up to {@value #REMEMBERED} versions for which it has logged a warning. It
   * forgets a version that is no longer referenced elsewhere. Once the limit is reached, it logs
   * one further warning, and logs further versions at the debug level. If the class itself is
   * wrong, one warning for each of 100,000 objects would not be useful. This class is thread-safe.
   */
  public static final class Log {

    static final int REMEMBERED = 1_000;

    private static final Logger log = LoggerFactory.getLogger(UndecodableException.class);

    /**
     * The versions of objects for which a warning was logged. A version is removed when it is no
     * longer referenced elsewhere, for example because the cache contains a newer version.
     */
    @GuardedBy("this")
    private final Map<CachedObject<?>, Boolean> warned = new WeakHashMap<>();

    @GuardedBy("this")
    private boolean full;

    Log() {}

    private enum Level {
      NONE,
      DEBUG,
      LAST_WARNING,
      WARNING
    }

    /**
     * Logs that an object is omitted, unless this version of the object has already been logged.
     */
    public static void omitted(CachedObject<?> object, UndecodableException problem) {
      switch (object.undecodableLog().level(object)) {
        case NONE -> {}
        case DEBUG -> log.debug("Indices and mappings omit {}: it {}", object, problem.problem());
        case LAST_WARNING ->
            log.warn(
                "Indices and mappings omit more than {} objects of the type {}. The others are"
                    + " logged at the debug level",
                REMEMBERED,
                object.type().kind());
        case WARNING ->
            log.warn(
                "Indices and mappings omit {}: it {}. {}",
                object,
                problem.problem(),
                problem.remedy());
      }
    }

    /** Returns whether a warning has been logged for this version of the object. */
    public static boolean hasWarned(CachedObject<?> object) {
      return object.undecodableLog().contains(object);
    }

    private synchronized boolean contains(CachedObject<?> object) {
      return warned.containsKey(object);
    }

    private synchronized Level level(CachedObject<?> object) {
      if (warned.containsKey(object)) {
        return Level.NONE;
      }
      if (warned.size() < REMEMBERED) {
        warned.put(object, true);
        full = false;
        return Level.WARNING;
      }
      Level level = full ? Level.DEBUG : Level.LAST_WARNING;
      full = true;
      return level;
    }
  }
}
