// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static dev.windlass.architecture.LayersTest.named;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Time comes from {@code Scheduler} and {@code Clock}, and chance from a generator that was handed
 * in: what a test cannot turn by hand, it can only wait for.
 */
final class TimeTest {

  private static final Pattern SLEEP = Pattern.compile("\\b(Thread|TimeUnit(\\.\\w+)?)\\.sleep\\(");

  private static final Set<String> CLOCKS = Set.of("nanoTime", "currentTimeMillis");

  /** Methods that wait no longer than a time that they are told. Ending threads are joined so. */
  private static final Set<String> TIMED_WAITS =
      Set.of(
          "await",
          "awaitNanos",
          "awaitUntil",
          "wait",
          "parkNanos",
          "parkUntil",
          "poll",
          "offer",
          "get",
          "tryLock",
          "tryAcquire",
          "exchange",
          "invokeAny",
          "invokeAll",
          "orTimeout",
          "completeOnTimeout",
          "delayedExecutor");

  @Test
  void onlyTheSystemSchedulerReadsTheMonotonicClock() {
    noClasses()
        .that(not(named("scheduling.SystemScheduler")))
        // The test servers use nothing of the framework, and real sockets and processes.
        .and()
        .resideOutsideOfPackages(
            "dev.windlass.testing.apiserver",
            "dev.windlass.testing.fault",
            "dev.windlass.testing.aot")
        .should()
        .accessTargetWhere(
            describe("read a clock of the JVM", access -> isOn(access, System.class, CLOCKS)))
        .check(Checkout.mainClasses());
  }

  @Test
  void theWallClockIsHandedIn() {
    noClasses()
        .should()
        .accessTargetWhere(describe("read the wall clock unasked", TimeTest::readsTheWallClock))
        .check(Checkout.mainClasses());
  }

  @Test
  void onlyBuildersChooseTheSystemClock() {
    noClasses()
        .that(
            not(
                named(
                    "manager.ManagerBuilder",
                    "testing.apiserver.embedded.EmbeddedApiServerBuilder",
                    "testing.apiserver.real.RealApiServer$Builder",
                    "testing.aot.TrainingRun")))
        .should()
        .accessTargetWhere(
            describe(
                "choose a system clock",
                access ->
                    access.getTargetOwner().isEquivalentTo(Clock.class)
                        && access.getTarget().getName().startsWith("system")))
        .check(Checkout.mainClasses());
  }

  @Test
  void nobodySleeps() {
    noClasses()
        .should()
        .accessTargetWhere(
            describe(
                "sleep",
                access ->
                    isOn(access, Thread.class, Set.of("sleep"))
                        || isOn(access, TimeUnit.class, Set.of("sleep"))))
        .check(Checkout.mainClasses());
  }

  @Test
  void timedWaitsGoThroughTheScheduler() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.windlass.testing..")
        .and(not(named("scheduling.Loop"))) // must outlast a scheduler that fails
        .should()
        .accessTargetWhere(describe("wait for a time", TimeTest::waitsForSomeTime))
        .check(Checkout.mainClasses());
  }

  /**
   * It has a single thread on a machine with two cores, which one task that waits takes for good.
   */
  @Test
  void nobodyBorrowsTheCommonPool() {
    noClasses()
        .should()
        .callMethod(CompletableFuture.class, "supplyAsync", Supplier.class)
        .orShould()
        .callMethod(CompletableFuture.class, "runAsync", Runnable.class)
        .check(Checkout.mainClasses());
  }

  @Test
  void onlyDefaultsCreateAGeneratorOfChance() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.windlass.testing..")
        .and(not(named("informer.InformerOptions")))
        .should()
        .accessTargetWhere(describe("create chance", TimeTest::createsChance))
        .check(Checkout.mainClasses());
  }

  @Test
  void noUnitTestSleeps() {
    List<String> sleeping =
        Checkout.sources("test").stream()
            .filter(file -> file.toString().endsWith("Test.java"))
            .filter(file -> Checkout.lines(file).stream().anyMatch(l -> SLEEP.matcher(l).find()))
            .map(file -> Checkout.root().relativize(file).toString())
            .toList();
    assertThat(sleeping).isEmpty();
  }

  static boolean isOn(JavaAccess<?> access, Class<?> owner, Set<String> names) {
    return access.getTargetOwner().isEquivalentTo(owner)
        && names.contains(access.getTarget().getName());
  }

  private static boolean readsTheWallClock(JavaAccess<?> access) {
    String owner = access.getTargetOwner().getName();
    List<String> parameters = parameters(access);
    boolean asksTheSystem =
        access.getTarget().getName().equals("now")
            && owner.startsWith("java.time.")
            && !parameters.contains("java.time.Clock");
    boolean isNewDate =
        owner.equals("java.util.Date") && isConstructor(access) && parameters.isEmpty();
    boolean inMillis = isOn(access, System.class, Set.of("currentTimeMillis"));
    return asksTheSystem || isNewDate || inMillis;
  }

  private static boolean waitsForSomeTime(JavaAccess<?> access) {
    String owner = access.getTargetOwner().getName();
    boolean timed =
        parameters(access).stream()
            .anyMatch(
                type ->
                    type.equals("long")
                        || type.equals("java.util.Date")
                        || type.equals("java.util.concurrent.TimeUnit"));
    String name = access.getTarget().getName();
    boolean canWait = owner.startsWith("java.util.concurrent.") || name.equals("wait");
    return canWait && timed && TIMED_WAITS.contains(name);
  }

  private static boolean createsChance(JavaAccess<?> access) {
    JavaClass owner = access.getTargetOwner();
    return (isConstructor(access) && isRandomGenerator(owner))
        || isOn(access, RandomGenerator.class, Set.of("of", "getDefault"))
        || isOn(access, ThreadLocalRandom.class, Set.of("current"))
        || isOn(access, Math.class, Set.of("random"))
        || isOn(access, UUID.class, Set.of("randomUUID"));
  }

  /** The importer reads our classes only, so that the JDK's must say themselves what they are. */
  private static boolean isRandomGenerator(JavaClass owner) {
    return owner.getName().startsWith("java.")
        && RandomGenerator.class.isAssignableFrom(owner.reflect());
  }

  private static boolean isConstructor(JavaAccess<?> access) {
    return access.getTarget().getName().equals("<init>");
  }

  private static List<String> parameters(JavaAccess<?> access) {
    return access.getTarget() instanceof CodeUnitAccessTarget target
        ? target.getRawParameterTypes().stream().map(JavaClass::getName).toList()
        : List.of();
  }
}
