// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.notify;

import dev.windlass.scheduling.LoopStep;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.scheduling.StepDelay;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A handler in a lane of a real processor, whose steps are taken by the test's own thread. */
public final class SteppedHandler {

  private final SharedProcessor<ConfigMap>.Lane lane;
  private final LoopStep step;
  private final List<ResourceEvent<ConfigMap>> heard = new ArrayList<>();
  private Consumer<ResourceEvent<ConfigMap>> onEvent = event -> {};

  public SteppedHandler(SharedProcessor<ConfigMap> processor) {
    lane =
        processor.lane(
            event -> {
              heard.add(event);
              onEvent.accept(event);
            });
    try {
      Field field = lane.getClass().getDeclaredField("lane");
      field.setAccessible(true);
      step = (LoopStep) field.get(lane);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("a lane without its step", e);
    }
  }

  /** A processor whose lanes are full soon. */
  public static SharedProcessor<ConfigMap> processor(Scheduler scheduler, int bound) {
    return new SharedProcessor<>("test", scheduler, Thread::new, bound);
  }

  public SharedProcessor<ConfigMap>.Lane lane() {
    return lane;
  }

  /** Also does this with each event; what it throws fails the test. */
  public void onEvent(Consumer<ResourceEvent<ConfigMap>> action) {
    onEvent = action;
  }

  /** Takes one step: up to a hundred events. */
  public List<ResourceEvent<ConfigMap>> handleSome() throws Exception {
    step.run();
    List<ResourceEvent<ConfigMap>> events = List.copyOf(heard);
    heard.clear();
    return events;
  }

  /** Handles all that waits and shows what it was. */
  public List<String> handleAll() throws Exception {
    StepDelay pause = step.run();
    while (pause.equals(StepDelay.NONE)) {
      pause = step.run();
    }
    if (!pause.equals(StepDelay.UNTIL_WOKEN)) {
      throw new AssertionError("the handler failed");
    }
    List<String> shown = heard.stream().map(PendingEventsTest::show).toList();
    heard.clear();
    return shown;
  }
}
