// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;

/**
 * What happens to an operator in one run.
 *
 * @param seed the seed of the order of steps
 * @param replicas the number of replicas; several elect a leader
 * @param actions the actions of the user, and the faults, in order
 */
record Schedule(long seed, int replicas, List<Action> actions) {

  /** What an action does. The words of an action are explained in {@link ScheduleRun}. */
  enum Kind {
    CREATE,
    EDIT,
    DELETE,
    BREAK_CHILD,
    DELETE_CHILD,
    KILL,
    STOP,
    DIE_AT_WRITE,
    LOSE_RESPONSE,
    LOSE_REQUESTS,
    REJECT,
    CUT,
    COMPACT,
    WAIT,
    ISOLATE,
    SLOW,
    SLOW_ISOLATED,
    SLOW_STOPPED
  }

  /**
   * An action.
   *
   * @param target the number of a widget or of a replica
   * @param amount the size of a widget, or a number of requests, or milliseconds
   * @param steps the number of steps that run afterwards
   */
  record Action(Kind kind, int target, int amount, int steps) {
    @Override
    public String toString() {
      return kind + " " + target + " " + amount + " " + steps;
    }

    static Action parse(String line) {
      String[] words = line.split(" ", -1);
      return new Action(
          Kind.valueOf(words[0]),
          Integer.parseInt(words[1]),
          Integer.parseInt(words[2]),
          Integer.parseInt(words[3]));
    }
  }

  static final int WIDGETS = 3;

  /** The kinds with their weights: most actions are those of the user. */
  private static final List<Kind> KINDS =
      List.of(
          Kind.CREATE,
          Kind.CREATE,
          Kind.CREATE,
          Kind.EDIT,
          Kind.EDIT,
          Kind.EDIT,
          Kind.DELETE,
          Kind.BREAK_CHILD,
          Kind.DELETE_CHILD,
          Kind.KILL,
          Kind.STOP,
          Kind.DIE_AT_WRITE,
          Kind.LOSE_RESPONSE,
          Kind.LOSE_REQUESTS,
          Kind.REJECT,
          Kind.CUT,
          Kind.COMPACT,
          Kind.WAIT,
          Kind.WAIT);

  /** The kinds that end a term of a leader, or let a reconcile last until its end. */
  private static final List<Kind> ENDS_OF_TERMS =
      List.of(Kind.ISOLATE, Kind.SLOW, Kind.SLOW_ISOLATED, Kind.SLOW_STOPPED);

  /** Returns the schedule of a seed. */
  static Schedule of(long seed) {
    RandomGenerator random = new Random(seed * 31 + 7);
    int replicas = 1 + random.nextInt(2);
    List<Action> actions = new ArrayList<>();
    int count = 4 + random.nextInt(16);
    for (int i = 0; i < count; i++) {
      Kind kind = KINDS.get(random.nextInt(KINDS.size()));
      int target = random.nextInt(kind.compareTo(Kind.KILL) < 0 ? WIDGETS : replicas);
      int amount = kind == Kind.WAIT ? 1 << random.nextInt(15) : 1 + random.nextInt(4);
      actions.add(new Action(kind, target, amount, random.nextInt(80)));
    }
    for (int i = replicas > 1 ? random.nextInt(4) : 0; i > 0; i--) {
      Kind kind = ENDS_OF_TERMS.get(random.nextInt(ENDS_OF_TERMS.size()));
      actions.add(
          random.nextInt(actions.size()),
          new Action(kind, random.nextInt(replicas), 1 + random.nextInt(4), random.nextInt(80)));
    }
    return new Schedule(seed, replicas, List.copyOf(actions));
  }

  Schedule without(int action) {
    List<Action> fewer = new ArrayList<>(actions);
    fewer.remove(action);
    return new Schedule(seed, replicas, List.copyOf(fewer));
  }

  /** Returns the text of a replay file. */
  @Override
  public String toString() {
    List<String> lines = new ArrayList<>(List.of(seed + " " + replicas));
    actions.forEach(action -> lines.add(action.toString()));
    return String.join("\n", lines);
  }

  /** Reads a replay file. */
  static Schedule parse(String text) {
    String[] lines = text.strip().split("\n", -1);
    String[] head = lines[0].split(" ", -1);
    return new Schedule(
        Long.parseLong(head[0]),
        Integer.parseInt(head[1]),
        Arrays.stream(lines).skip(1).map(Action::parse).toList());
  }
}
