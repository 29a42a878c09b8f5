// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import dev.windlass.logging.OneLine;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A view of the conditions in an object's status. Conditions report a controller's observations of
 * the object. The list contains at most one condition of each type, such as {@code Ready}.
 *
 * <p>A condition's transition time changes only when its status changes. Setting a condition to its
 * current value has no effect. If no condition has changed, you do not have to write the status.
 *
 * <p>Changes are written through to the list that was passed to {@link #of}. This class is not
 * thread-safe.
 */
public final class Conditions {

  /** The maximum length of a condition's type: 316 characters, as in meta/v1 {@code Condition}. */
  private static final int LONGEST_TYPE = 316;

  /**
   * The maximum length of a condition's reason: 1024 characters, as in meta/v1 {@code Condition}.
   */
  private static final int LONGEST_REASON = 1024;

  /**
   * The maximum length of a condition's message: 32768 characters, as in meta/v1 {@code Condition}.
   */
  static final int LONGEST_MESSAGE = 32_768;

  private static final String CUT = "...";

  private static final Pattern TYPE =
      Pattern.compile(
          "([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?"
              + "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])");

  private static final Pattern REASON = Pattern.compile("[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?");

  private static final String REASON_RULE =
      "letters, digits, '_', ',' and ':', beginning with a letter and not ending with ',' or ':',"
          + " such as 'MinimumReplicasAvailable'";

  private static final String TYPE_RULE =
      "letters, digits, '-', '_' and '.', beginning and ending with a letter or digit, optionally"
          + " after a lower-case domain and '/', such as 'Ready' or 'example.com/Ready'";

  private final List<Condition> list;
  private final Clock clock;

  private Conditions(List<Condition> list, Clock clock) {
    this.list = list;
    this.clock = clock;
  }

  /** The status of a condition, which specifies whether the condition is met. */
  public enum Status {
    /** The condition is met. */
    TRUE("True"),
    /** The condition is not met. */
    FALSE("False"),
    /** The controller cannot determine whether the condition is met. */
    UNKNOWN("Unknown");

    private final String text;

    Status(String text) {
      this.text = text;
    }

    /** Returns {@link #TRUE} if the condition is met, and {@link #FALSE} otherwise. */
    public static Status of(boolean met) {
      return met ? TRUE : FALSE;
    }

    /** Returns the value as it appears in the API. */
    public String text() {
      return text;
    }
  }

  /**
   * Returns a view of the conditions in a list.
   *
   * @param list the list of conditions in a status; {@link #set} and {@link #remove} modify this
   *     list
   * @param clock the clock for transition times, which are truncated to whole seconds
   * @throws IllegalArgumentException if the list is null
   */
  public static Conditions of(@Nullable List<Condition> list, Clock clock) {
    if (list == null) {
      throw new IllegalArgumentException(
          "the status has no list of conditions: set a new ArrayList<>() first, preferably where"
              + " the field is declared");
    }
    return new Conditions(list, clock);
  }

  /**
   * Returns the condition of the given type, if it exists. The result is the list element itself,
   * not a copy. Use {@link #set} to change it.
   */
  public Optional<Condition> get(String type) {
    return list.stream().filter(condition -> type.equals(condition.getType())).findFirst();
  }

  /** Returns whether the condition of the given type has the status {@link Status#TRUE}. */
  public boolean isTrue(String type) {
    return is(type, Status.TRUE);
  }

  /**
   * Returns whether the condition of the given type has the status {@link Status#FALSE}. Returns
   * false if there is no such condition.
   */
  public boolean isFalse(String type) {
    return is(type, Status.FALSE);
  }

  private boolean is(String type, Status status) {
    return get(type).filter(found -> status.text().equals(found.getStatus())).isPresent();
  }

  /**
   * Sets a condition. The transition time changes only if the status changes.
   *
   * @param type the condition type, such as {@code Ready} or {@code example.com/Ready}
   * @param reason the machine-readable reason, as one word in CamelCase
   * @param message the human-readable message, which can be empty; it is truncated to 32,768
   *     characters
   * @param observedGeneration the {@code metadata.generation} on which the condition is based.
   *     Readers use it to determine whether the condition describes the current spec
   * @return whether the condition changed
   * @throws IllegalArgumentException if the API would reject the type, the reason or the generation
   */
  public boolean set(
      String type, Status status, String reason, String message, long observedGeneration) {
    check("reason", reason, REASON, LONGEST_REASON, REASON_RULE);
    return put(type, status, reason, fit(message), observedGeneration);
  }

  /**
   * Sets a condition without a reason and without a message. If the condition already has them,
   * this method clears them. Use this method only for types whose conditions do not require a
   * reason, such as Pods. The schema of meta/v1 {@code Condition} requires one.
   *
   * @return whether the condition changed
   * @throws IllegalArgumentException if the API would reject the type or the generation
   */
  public boolean set(String type, Status status, long observedGeneration) {
    return put(type, status, null, null, observedGeneration);
  }

  private boolean put(
      String type,
      Status status,
      @Nullable String reason,
      @Nullable String message,
      long observedGeneration) {
    check("type", type, TYPE, LONGEST_TYPE, TYPE_RULE);
    if (observedGeneration < 0) {
      throw new IllegalArgumentException(
          "the observed generation of condition "
              + type
              + " must not be negative: "
              + observedGeneration
              + "; use metadata.generation of the object");
    }
    Condition before = get(type).orElse(null);
    String transition =
        before != null && status.text().equals(before.getStatus())
            ? Objects.requireNonNullElseGet(before.getLastTransitionTime(), this::now)
            : now();
    Condition after =
        new ConditionBuilder()
            .withType(type)
            .withStatus(status.text())
            .withReason(reason)
            .withMessage(message)
            .withObservedGeneration(observedGeneration)
            .withLastTransitionTime(transition)
            .build();
    if (after.equals(before)) {
      return false;
    }
    change(
        () -> {
          if (before == null) {
            list.add(after);
          } else {
            list.set(list.indexOf(before), after);
          }
        });
    return true;
  }

  private static void change(Runnable change) {
    try {
      change.run();
    } catch (UnsupportedOperationException e) {
      throw new IllegalStateException(
          "the list of conditions can't be changed: set a new ArrayList<>(list) in the status first",
          e);
    }
  }

  /**
   * Removes the condition of the given type.
   *
   * @return whether the condition existed
   */
  public boolean remove(String type) {
    Optional<Condition> found = get(type);
    found.ifPresent(condition -> change(() -> list.remove(condition)));
    return found.isPresent();
  }

  private String now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static void check(String what, String text, Pattern pattern, int longest, String rule) {
    if (text.length() > longest || !pattern.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "'%s' can't be the %s of a condition; use up to %d characters: %s"
              .formatted(OneLine.of(text, 100), what, longest, rule));
    }
  }

  /**
   * Returns the message, truncated to the maximum length. A message that is too long is not
   * rejected: it may report a failure, and must not cause another one.
   */
  private static String fit(String message) {
    String text = Objects.requireNonNullElse(message, "");
    if (text.codePointCount(0, text.length()) <= LONGEST_MESSAGE) {
      return text;
    }
    int end = text.offsetByCodePoints(0, LONGEST_MESSAGE - CUT.length());
    return text.substring(0, end) + CUT;
  }
}
