// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import dev.windlass.object.OneLine;
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
 * The conditions in a status: what a controller has found out about an object, one entry per type
 * of condition, such as {@code Ready}.
 *
 * <p>The transition time of a condition changes with its status, and with nothing else. A condition
 * that is set to what it is stays untouched, so a status without news differs in nothing and need
 * not be written.
 *
 * <p>A view: changes go into the list that it was made of. Not thread safe.
 */
public final class Conditions {

  /** The longest type (meta/v1 {@code Condition}: 316 characters). */
  private static final int LONGEST_TYPE = 316;

  /** The longest reason (the same: 1024 characters). */
  private static final int LONGEST_REASON = 1024;

  /** The longest message (the same: 32768 characters). */
  static final int LONGEST_MESSAGE = 32_768;

  private static final String CUT = "...";

  private static final Pattern TYPE =
      Pattern.compile(
          "([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?"
              + "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])");

  private static final Pattern REASON = Pattern.compile("[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?");

  private final List<Condition> list;
  private final Clock clock;

  private Conditions(List<Condition> list, Clock clock) {
    this.list = list;
    this.clock = clock;
  }

  /** Whether a condition is met. */
  public enum Status {
    /** It is. */
    TRUE("True"),
    /** It is not. */
    FALSE("False"),
    /** Nobody knows. */
    UNKNOWN("Unknown");

    private final String text;

    Status(String text) {
      this.text = text;
    }

    /** True or false. */
    public static Status of(boolean met) {
      return met ? TRUE : FALSE;
    }

    /** The word that the API uses. */
    public String text() {
      return text;
    }
  }

  /**
   * The conditions in a list.
   *
   * @param list of a status; is changed by {@link #set} and {@link #remove}
   * @param clock for transition times, which have whole seconds
   * @throws IllegalArgumentException if there is no list
   */
  public static Conditions of(@Nullable List<Condition> list, Clock clock) {
    if (list == null) {
      throw new IllegalArgumentException(
          "the status has no list of conditions: set a new ArrayList<>() first, best where the field"
              + " is declared");
    }
    return new Conditions(list, clock);
  }

  /** The condition of a type, if it was ever set. It belongs to the list; change it by set only. */
  public Optional<Condition> get(String type) {
    return list.stream().filter(condition -> type.equals(condition.getType())).findFirst();
  }

  /** Whether the condition is known to be met. */
  public boolean isTrue(String type) {
    return is(type, Status.TRUE);
  }

  /** Whether the condition is known not to be met; one that was never set is not known. */
  public boolean isFalse(String type) {
    return is(type, Status.FALSE);
  }

  private boolean is(String type, Status status) {
    return get(type).filter(found -> status.text().equals(found.getStatus())).isPresent();
  }

  /**
   * Sets a condition, and the time of its transition if its status is new.
   *
   * @param type such as {@code Ready}, or {@code example.com/Ready}
   * @param reason one word in CamelCase for programs
   * @param message for people; may be empty; cut after 32,768 characters
   * @param observedGeneration {@code metadata.generation} of the object that this was found out of,
   *     so that readers can tell whether it is about the current specification
   * @return whether anything is different now
   * @throws IllegalArgumentException if the API would refuse the type, the reason or the generation
   */
  public boolean set(
      String type, Status status, String reason, String message, long observedGeneration) {
    check("reason", reason, REASON, LONGEST_REASON, "'MinimumReplicasAvailable'");
    return put(type, status, reason, fit(message), observedGeneration);
  }

  /**
   * As {@link #set(String, Status, String, String, long)}, without reason and message; those that
   * it had are cleared. Only for a type of objects whose conditions need no reason, as those of
   * Pods do not: the schema of meta/v1 {@code Condition} asks for one.
   *
   * @return whether anything is different now
   * @throws IllegalArgumentException if the API would refuse the type or the generation
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
    check("type", type, TYPE, LONGEST_TYPE, "'Ready'");
    if (observedGeneration < 0) {
      throw new IllegalArgumentException(
          "the observed generation of condition "
              + type
              + " is "
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
   * Takes a condition away.
   *
   * @return whether it was there
   */
  public boolean remove(String type) {
    Optional<Condition> found = get(type);
    found.ifPresent(condition -> change(() -> list.remove(condition)));
    return found.isPresent();
  }

  private String now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static void check(
      String what, String text, Pattern pattern, int longest, String example) {
    if (text.length() > longest || !pattern.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "'%s' can't be the %s of a condition; one is %s"
              .formatted(OneLine.of(text, 100), what, example));
    }
  }

  /** A message that reports a failure must not be the reason for another one. */
  private static String fit(String message) {
    String text = Objects.requireNonNullElse(message, "");
    if (text.codePointCount(0, text.length()) <= LONGEST_MESSAGE) {
      return text;
    }
    int end = text.offsetByCodePoints(0, LONGEST_MESSAGE - CUT.length());
    return text.substring(0, end) + CUT;
  }
}
