// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.windlass.controller.reconcile.ObjectReconciler;
import dev.windlass.testing.reconciler.CrashAtEveryWrite;
import dev.windlass.testing.reconciler.DropEvents;
import dev.windlass.testing.reconciler.ReconcilerTest;
import dev.windlass.testing.reconciler.StaleCache;
import dev.windlass.testing.simulation.QuietThreads;
import dev.windlass.tests.owned.Samples;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** The annotations find wrong reconcilers, name the fault, and accept correct ones. */
final class FaultRunsTest {

  private static ReconcilerTest test(ObjectReconciler<Widget> reconciler) {
    return ReconcilerTest.of(Widget.class, () -> reconciler, ConfigMap.class);
  }

  private static void converges(ObjectReconciler<Widget> reconciler) {
    try (ReconcilerTest test = test(reconciler)) {
      test.create(Widget.of("default", "w"));
      test.assertEventuallyStable();
    }
  }

  static final class Adoption {
    @CrashAtEveryWrite
    void wrong() {
      converges(WidgetReconcilers::createsWithoutAdoption);
    }
  }

  static final class AdoptionCorrected {
    @CrashAtEveryWrite
    @StaleCache
    @DropEvents
    void correct() {
      converges(WidgetReconcilers::findsItsChild);
    }
  }

  static final class EarlyStatus {
    @CrashAtEveryWrite
    void wrong() {
      converges(WidgetReconcilers::reportsTooEarly);
    }
  }

  static final class EarlyStatusCorrected {
    @CrashAtEveryWrite
    @StaleCache
    @DropEvents
    void correct() {
      converges(WidgetReconcilers::reportsAfterwards);
    }
  }

  private static void nameIsReused(ObjectReconciler<Widget> reconciler) {
    try (ReconcilerTest test = test(reconciler)) {
      test.create(Widget.of("default", "w"));
      test.assertEventuallyStable();
      test.delete(ConfigMap.class, "default", "w-child");
      test.create(Samples.map("default", "w-child")); // the user's own
      test.edit(Widget.class, "default", "w", widget -> widget.getSpec().setSize(0));
      test.assertEventuallyStable();
    }
  }

  static final class Deletion {
    @StaleCache
    void wrong() {
      nameIsReused(WidgetReconcilers::deletesByName);
    }
  }

  static final class DeletionCorrected {
    @CrashAtEveryWrite
    @StaleCache
    @DropEvents
    void correct() {
      nameIsReused(WidgetReconcilers::deletesByUid);
    }
  }

  static final class WithoutTest {
    @CrashAtEveryWrite
    void wrong() {
      assertThat(1).isOne();
    }
  }

  private static EngineExecutionResults run(Class<?> cases) {
    EngineExecutionResults[] results = new EngineExecutionResults[1];
    QuietThreads.run(
        () ->
            results[0] =
                EngineTestKit.engine("junit-jupiter").selectors(selectClass(cases)).execute());
    return results[0];
  }

  /** Returns the only failure of a class. */
  private static String failure(Class<?> cases) {
    List<Event> failed = run(cases).testEvents().failed().list();
    assertThat(failed).hasSize(1);
    return failed
        .get(0)
        .getPayload(org.junit.platform.engine.TestExecutionResult.class)
        .orElseThrow()
        .getThrowable()
        .orElseThrow()
        .getMessage();
  }

  private static void assertPasses(Class<?> cases) {
    EngineExecutionResults results = run(cases);
    assertThat(results.testEvents().failed().list()).isEmpty();
    assertThat(results.testEvents().succeeded().count()).isGreaterThan(4);
  }

  @Test
  void findsACreationWithoutAdoption() {
    assertThat(failure(Adoption.class))
        .startsWith(
            "crash after 'create configmaps default/w-*', before 'update widgets.owned.windlass.dev/status default/w': not the same end as without faults. there is configmaps default/w-* (2), which should not exist")
        .contains("configmaps default/w-* was created 2 times instead of 1");
    assertPasses(AdoptionCorrected.class);
  }

  @Test
  void findsAStatusBeforeItsChild() {
    assertThat(failure(EarlyStatus.class))
        .startsWith(
            "crash after 'update widgets.owned.windlass.dev/status default/w', before 'create configmaps default/w-child': not the same end as without faults. there is no configmaps default/w-child, which should be");
    assertPasses(EarlyStatusCorrected.class);
  }

  @Test
  void findsADeletionByName() {
    assertThat(failure(Deletion.class))
        .startsWith("late event 'deleted configmaps default/w-child': not the same end")
        .contains("there is no configmaps default/w-child, which should be");
    assertPasses(DeletionCorrected.class);
  }

  @Test
  void refusesAMethodWithoutAnOperator() {
    assertThat(failure(WithoutTest.class))
        .isEqualTo(
            "without faults: the method created no ReconcilerTest, so there is nothing to disturb");
  }
}
