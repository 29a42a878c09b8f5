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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Who may know whom: the picture of {@code docs/architecture.md}, held true. */
final class LayersTest {

  private static final String ROOT = "dev.windlass.";

  /**
   * Every package of the framework, each after those that it may use. The packages for tests are
   * not drawn: they may use all of these, and none of these may use them.
   */
  private static final List<Layer> LAYERS =
      layers(
          """
          scheduling:
          workqueue: scheduling
          logging:
          failure:
          json:
          object: logging json
          object.selector: object
          object.patch: object
          informer.reflector: scheduling logging failure object object.selector
          informer.reflector.http: failure json object informer.reflector
          informer.fifo: object informer.reflector
          informer.index: object object.selector
          informer.ownwrites: scheduling object informer.index
          informer.notify: scheduling logging object
          informer: scheduling object informer.reflector informer.fifo informer.index
            informer.ownwrites informer.notify
          rest: logging failure object
          leader: scheduling logging failure rest
          client.apply: object object.patch
          client: scheduling logging failure object object.patch object.selector
            informer.reflector informer.index informer.ownwrites informer leader rest
            client.apply
          tls: scheduling logging failure
          client.http: scheduling logging
          client.transport: scheduling object object.patch object.selector informer.reflector
            informer.ownwrites informer leader client tls client.http
          leader.fencing: leader client client.transport
          controller.reconcile: scheduling workqueue logging object client
          controller.enqueue: scheduling workqueue logging object object.selector
            informer.reflector informer.index informer.ownwrites informer.notify informer
            controller.reconcile
          client.owned: logging object object.patch client controller.reconcile
          events:
          events.broadcast: scheduling logging failure events
          rbac: object
          metrics: scheduling logging object informer.reflector informer.ownwrites informer
            leader client client.transport events.broadcast
          httpserver: scheduling logging tls
          httpserver.auth: scheduling logging httpserver rest
          health:
          health.checks: scheduling logging httpserver health
          diagnosis: logging
          manager.shutdown: scheduling logging leader
          manager.monitoring: scheduling logging object informer.reflector informer leader
            health health.checks diagnosis
          manager.permissions: scheduling logging failure object informer.reflector informer
            rbac health.checks
          manager.clientconfig: scheduling logging object informer tls client.http
            client.transport
          manager.connection: object informer.reflector informer leader client client.transport
            metrics leader.fencing manager.clientconfig
          manager: scheduling logging failure object informer.reflector informer.reflector.http
            informer leader client tls client.transport events events.broadcast rbac metrics
            httpserver httpserver.auth health health.checks diagnosis leader.fencing
            manager.shutdown manager.monitoring manager.permissions manager.clientconfig
            manager.connection
          crd: scheduling logging failure object informer rbac manager
          controller.logging: logging object controller.reconcile
          controller.loopdetection: scheduling object object.patch controller.reconcile
            controller.logging
          controller.running: scheduling workqueue logging failure object informer.reflector
            informer.notify informer leader client controller.reconcile controller.enqueue
            client.owned events manager controller.logging controller.loopdetection
            health.checks
          controller.building: scheduling workqueue logging object object.selector
            informer.reflector informer.index informer.ownwrites informer.notify informer client
            controller.reconcile controller.enqueue client.owned events rbac manager
            controller.logging controller.loopdetection controller.running
          controller.monitoring: scheduling workqueue logging failure client controller.reconcile
            metrics health.checks diagnosis controller.running controller.loopdetection
          controller: scheduling workqueue object informer controller.reconcile
            controller.enqueue events rbac health diagnosis manager controller.running
            controller.monitoring controller.building
          webhook.server: scheduling logging metrics httpserver tls
          webhook.admission: object
          webhook.admission.review: logging json object object.patch webhook.admission webhook.server
          webhook.registration: object rbac webhook.admission
          webhook.certificates: scheduling workqueue object informer.reflector informer client
            events tls controller.reconcile controller.enqueue rbac manager metrics controller
            webhook.registration
          webhook.conversion: object
          webhook.conversion.review: logging json object object.patch webhook.conversion webhook.server
          webhook.migration: scheduling logging failure object informer rest rbac metrics health
            diagnosis manager webhook.registration
          webhook: scheduling object informer informer.reflector client health manager tls httpserver
            webhook.server webhook.admission webhook.admission.review webhook.conversion
            webhook.conversion.review webhook.registration webhook.certificates
          cli.install: object rbac manager
          cli: scheduling logging failure object informer.reflector informer.reflector.http
            informer leader rbac httpserver diagnosis manager crd webhook cli.install
          """);

  private static final String EMBEDDED = "testing.apiserver.embedded.";

  /** The packages below {@link #EMBEDDED}, each line above those that may use it. */
  private static final List<Set<String>> EMBEDDED_LAYERS =
      List.of(
          Set.of("objects", "requests", "services", "time"),
          Set.of("types", "threads", "protobuf"),
          Set.of("storage", "tables"),
          Set.of("webhooks", "cel", "access"),
          Set.of("http", "schema", "patch"),
          Set.of("selectors", "ownership", "conversion"),
          Set.of("rules"),
          Set.of("reads", "writes"),
          Set.of("apply", "controllers", "admission"));

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

  private static List<String> words(String text) {
    return Stream.of(text.split("\\s+")).filter(word -> !word.isEmpty()).toList();
  }

  /** Reads layers, each with what it may use behind a colon, and indented lines that go on. */
  private static List<Layer> layers(String picture) {
    return Stream.of(picture.strip().split("\n(?! )"))
        .map(line -> line.split(":\\s*", 2))
        .map(line -> new Layer(line[0], words(line[1])))
        .toList();
  }

  @ParameterizedTest
  @FieldSource("LAYERS")
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
  void eachPackageOfTheEmbeddedServerUsesOnlyLowerOnes() {
    Set<String> allowed = new HashSet<>();
    for (Set<String> layer : EMBEDDED_LAYERS) {
      for (String name : layer) {
        Layer drawn = new Layer(EMBEDDED + name, List.copyOf(allowed));
        eachPackageUsesOnlyWhatIsDrawnBelowIt(drawn);
      }
      layer.forEach(name -> allowed.add(EMBEDDED + name));
    }
    assertThat(Checkout.mainClasses().stream().map(JavaClass::getPackageName).distinct())
        .filteredOn(name -> name.startsWith(ROOT + EMBEDDED))
        .containsExactlyInAnyOrderElementsOf(allowed.stream().map(ROOT::concat).toList());
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

  @Test
  void theStagesOfTheEventReachTheServerThroughOneTransportOnly() {
    noClasses()
        .that()
        .resideInAnyPackage(ROOT + "object", ROOT + "informer..", ROOT + "controller..")
        .and(
            not(
                named(
                    "informer.reflector.http.HttpListerWatcher",
                    "informer.reflector.http.HttpFeedStream",
                    // Serialization and the names of types; no requests.
                    "object.ObjectCodec",
                    "object.ObjectSerialization",
                    "object.ResourceType")))
        .should()
        .dependOnClassesThat(resideInAPackage("io.fabric8.kubernetes.client.."))
        .check(Checkout.mainClasses());
  }

  @Test
  void objectsAreBoundToClassesInTheObjectPackageOnly() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            ROOT + "testing..",
            ROOT + "object..",
            ROOT + "diagnosis",
            // Reviews and patches are trees of any shape.
            ROOT + "webhook..")
        .should()
        .dependOnClassesThat(resideInAPackage("com.fasterxml.jackson.databind.."))
        .check(Checkout.mainClasses());
  }

  @Test
  void jsonIsReadInTheFeedAndInTheObjectPackageOnly() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            ROOT + "testing..",
            ROOT + "informer.reflector..",
            ROOT + "json",
            ROOT + "object..",
            ROOT + "diagnosis",
            ROOT + "webhook..")
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
