// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The direction of dependencies in {@code docs/architecture.md}, held true. */
final class LayersTest {

  private static final String ROOT = "dev.windlass.";

  /**
   * The stages, each with packages below {@link #ROOT} and those that they contain; the most
   * specific name counts. A stage may use itself and the stages above it in this list.
   */
  private static final List<Set<String>> STAGES =
      List.of(
          Set.of("scheduling", "workqueue", "logging", "failure", "json", "tls", "transport"),
          Set.of("object", "kubeconfig"),
          Set.of("informer.reflector"),
          Set.of("informer.fifo", "informer.index", "informer.ownwrites", "informer.notify"),
          Set.of("informer"),
          Set.of("client", "rest", "leader", "events", "controller.reconcile"),
          Set.of("controller.enqueue"),
          Set.of("manager", "rbac", "metrics", "httpserver", "health", "diagnosis"),
          Set.of("controller"),
          Set.of("crd", "webhook"),
          Set.of("cli"),
          Set.of("testing"));

  @Test
  void dependenciesHaveOneDirection() {
    classes()
        .should(
            new ArchCondition<>("use only their own stage and earlier ones") {
              @Override
              public void check(JavaClass user, ConditionEvents events) {
                for (Dependency use : user.getDirectDependenciesFromSelf()) {
                  JavaClass used = use.getTargetClass().getBaseComponentType();
                  boolean backward =
                      used.getName().startsWith(ROOT) && stageOf(used) > stageOf(user);
                  events.add(new SimpleConditionEvent(use, !backward, use.getDescription()));
                }
              }
            })
        .check(Checkout.mainClasses());
  }

  private static int stageOf(JavaClass type) {
    String name = type.getPackageName();
    while (name.startsWith(ROOT)) {
      String folder = name.substring(ROOT.length());
      for (int i = 0; i < STAGES.size(); i++) {
        if (STAGES.get(i).contains(folder)) {
          return i;
        }
      }
      name = name.substring(0, name.lastIndexOf('.'));
    }
    throw new AssertionError(type.getName() + " belongs to no stage");
  }

  @Test
  void noPackagesUseEachOther() {
    slices().matching(ROOT + "(**)").should().beFreeOfCycles().check(Checkout.mainClasses());
  }

  @Test
  void schedulingAndTheWorkQueueKnowNothingOfKubernetes() {
    classes()
        .that()
        .resideInAnyPackage(ROOT + "scheduling", ROOT + "workqueue")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            ROOT + "scheduling",
            ROOT + "workqueue",
            "java..",
            "org.slf4j..",
            "org.jspecify..",
            "com.google.errorprone..")
        .check(Checkout.mainClasses());
  }

  /** What fabric8 calls internal changes with any of its releases. */
  @Test
  void nothingDependsOnInternalsOfFabric8() {
    noClasses()
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(
                "io.fabric8..impl..",
                "io.fabric8..internal..",
                "io.fabric8.kubernetes.client.dsl.internal.."))
        .check(Checkout.mainClasses());
  }

  /** The classes of these names below {@link #ROOT}, and whatever is nested in them. */
  static DescribedPredicate<JavaClass> named(String... names) {
    List<String> all = List.of(names);
    return describe(
        "are " + all,
        type ->
            all.stream()
                .map(ROOT::concat)
                .anyMatch(
                    name -> type.getName().equals(name) || type.getName().startsWith(name + "$")));
  }
}
