// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who may know whom: the picture of {@code docs/architecture.md}, held true. */
final class LayersTest {

  private static final String ROOT = "dev.windlass.";

  /**
   * Every package of the framework, each after those that it may use. The packages for tests are
   * not drawn: they may use all of these, and none of these may use them.
   */
  private static final List<Layer> LAYERS =
      List.of(
          layer("time"),
          layer("workqueue", "time"),
          layer("failure"),
          layer("object"),
          layer("informer.feed", "object", "time", "failure"),
          layer("informer.fifo", "object", "informer.feed"),
          layer("informer.index", "object", "time"),
          layer("informer.notify", "object", "time"),
          layer(
              "informer",
              "object",
              "time",
              "informer.feed",
              "informer.fifo",
              "informer.index",
              "informer.notify"),
          layer("leader", "object", "time", "failure"),
          layer(
              "client",
              "object",
              "time",
              "informer",
              "informer.feed",
              "informer.index",
              "leader",
              "failure"),
          layer("controller.reconcile", "client", "leader", "object", "time", "workqueue"),
          layer(
              "controller.enqueue",
              "object",
              "time",
              "workqueue",
              "informer",
              "informer.feed",
              "informer.index",
              "informer.notify",
              "controller.reconcile"),
          layer("client.owned", "object", "client", "controller.reconcile"),
          layer("events", "object", "time", "failure"),
          layer("rbac", "object"),
          layer(
              "metrics",
              "object",
              "time",
              "informer",
              "informer.feed",
              "informer.index",
              "client",
              "events",
              "leader"),
          layer("http", "object", "time"),
          layer("http.auth", "object", "time", "http"),
          layer("health", "object", "time", "http"),
          layer("diagnosis", "object"),
          layer(
              "manager",
              "object",
              "time",
              "informer",
              "informer.feed",
              "client",
              "events",
              "leader",
              "metrics",
              "rbac",
              "http",
              "http.auth",
              "health",
              "diagnosis",
              "failure"),
          layer("controller.reporting", "controller.reconcile", "health", "object", "time"),
          layer(
              "controller.loops", "controller.reconcile", "controller.reporting", "object", "time"),
          layer(
              "controller.running",
              "client",
              "client.owned",
              "controller.enqueue",
              "controller.loops",
              "controller.reconcile",
              "controller.reporting",
              "events",
              "informer",
              "informer.feed",
              "informer.notify",
              "leader",
              "manager",
              "object",
              "time",
              "failure",
              "workqueue"),
          layer(
              "controller.sources",
              "controller.enqueue",
              "controller.reconcile",
              "controller.reporting",
              "controller.running",
              "health",
              "informer.index",
              "informer.notify",
              "object",
              "time",
              "workqueue"),
          layer(
              "controller.building",
              "client",
              "client.owned",
              "controller.enqueue",
              "controller.loops",
              "controller.reconcile",
              "controller.reporting",
              "controller.running",
              "controller.sources",
              "events",
              "informer",
              "informer.feed",
              "informer.index",
              "manager",
              "object",
              "rbac",
              "time",
              "workqueue"),
          layer(
              "controller",
              "client",
              "controller.building",
              "controller.enqueue",
              "controller.reconcile",
              "controller.reporting",
              "controller.running",
              "controller.sources",
              "diagnosis",
              "events",
              "health",
              "informer",
              "manager",
              "metrics",
              "object",
              "rbac",
              "time",
              "workqueue"));

  /** One package, named below {@link #ROOT}, and the packages that it may use. */
  private record Layer(String name, List<String> uses) {

    boolean allows(JavaClass other) {
      String target = other.getBaseComponentType().getPackageName();
      return !target.startsWith(ROOT)
          || target.equals(ROOT + name)
          || uses.contains(target.substring(ROOT.length()));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static Layer layer(String name, String... uses) {
    return new Layer(name, List.of(uses));
  }

  private static Stream<Layer> layers() {
    return LAYERS.stream();
  }

  @ParameterizedTest
  @MethodSource("layers")
  void eachPackageUsesOnlyWhatIsDrawnBelowIt(Layer layer) {
    String allowed = "the JDK, libraries and " + layer.uses();
    classes()
        .that()
        .resideInAPackage(ROOT + layer.name())
        .should()
        .onlyDependOnClassesThat(describe("belong to " + allowed, layer::allows))
        .check(Checkout.mainClasses());
  }

  @Test
  void thePictureHasNoCycle() {
    List<String> below = new ArrayList<>();
    for (Layer layer : LAYERS) {
      assertThat(below).as("the packages drawn below %s", layer).containsAll(layer.uses());
      below.add(layer.name());
    }
  }

  @Test
  void thePictureShowsEveryPackage() {
    Set<String> packages =
        Checkout.mainClasses().stream()
            .map(JavaClass::getPackageName)
            .filter(name -> !name.startsWith(ROOT + "testing."))
            .collect(Collectors.toSet());
    assertThat(packages)
        .containsExactlyInAnyOrderElementsOf(LAYERS.stream().map(l -> ROOT + l.name()).toList());
  }

  @Test
  void noPackagesUseEachOther() {
    slices().matching(ROOT + "(**)").should().beFreeOfCycles().check(Checkout.mainClasses());
  }

  @Test
  void timeAndTheWorkQueueKnowNothingOfKubernetes() {
    classes()
        .that()
        .resideInAnyPackage(ROOT + "time", ROOT + "workqueue")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            ROOT + "time",
            ROOT + "workqueue",
            "java..",
            "org.slf4j..",
            "org.jspecify..",
            "com.google.errorprone..")
        .check(Checkout.mainClasses());
  }

  @Test
  void theStagesOfTheEventReachTheServerThroughOneTransportOnly() {
    noClasses()
        .that()
        .resideInAnyPackage(ROOT + "object", ROOT + "informer..", ROOT + "controller..")
        .and(
            not(
                named(
                    "informer.feed.ListerWatcher",
                    "informer.feed.HttpListerWatcher",
                    "informer.feed.HttpFeedStream",
                    // Serialization and the names of types; no requests.
                    "object.ObjectCodec",
                    "object.ResourceType")))
        .should()
        .dependOnClassesThat(resideInAPackage("io.fabric8.kubernetes.client.."))
        .check(Checkout.mainClasses());
  }

  @Test
  void jsonIsBoundToClassesInTheObjectPackageOnly() {
    noClasses()
        .that()
        .resideOutsideOfPackages(ROOT + "testing..", ROOT + "object")
        .should()
        .dependOnClassesThat(resideInAPackage("com.fasterxml.jackson.databind.."))
        .check(Checkout.mainClasses());
  }

  @Test
  void jsonIsReadInTheFeedAndInTheObjectPackageOnly() {
    noClasses()
        .that()
        .resideOutsideOfPackages(ROOT + "testing..", ROOT + "informer.feed", ROOT + "object")
        .should()
        .dependOnClassesThat(resideInAPackage("com.fasterxml.jackson.."))
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
