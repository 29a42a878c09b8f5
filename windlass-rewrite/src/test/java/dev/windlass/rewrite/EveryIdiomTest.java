// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.testing.reconciler.Reconciled;
import dev.windlass.testing.reconciler.ReconcilerTest;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Converts an operator with dependents, a polling source, owner references made by hand, a
 * clean-up, retries and threads, and does what the comments say. What it then does in a week is
 * what the Java Operator SDK documents.
 */
final class EveryIdiomTest {

  private static final Pattern TODO = Pattern.compile("// TODO Windlass: (.*), see https:\\S+");
  private static final Pattern ERROR = Pattern.compile("(\\w+\\.java):(\\d+): error");

  /** What a person replaces, as patterns. */
  private static final Map<String, String> WORK = new LinkedHashMap<>();

  static {
    WORK.put("import io\\.javaoperatorsdk.*\n|@(Workflow|GradualRetry|RateLimited)\\(.*\\)\n", "");
    WORK.put(" extends CRUDKubernetesDependentResource<Secret, Shop>", "");
    WORK.put("@Override\n  protected Secret desired\\(.*\\)", "static Secret desired(Shop shop)");
    WORK.put(
        "(?=if \\(context.secondary)",
        "dev.windlass.client.owned.Owned.apply("
            + "context.client(), shop, SettingsDependent.desired(shop));\n");
    WORK.put(
        "context\\s+.getSecondaryResource\\(Market.Price.class\\)",
        "java.util.Optional.ofNullable(Market.prices().get(shop.getMetadata().getName()))");
    WORK.put("(?=\\.build\\(\\)\\)\\s+\\.endMetadata)", ".withController(true)");
    WORK.put(
        "(?=\\.objectReconciler)",
        """
        .owns(io.fabric8.kubernetes.api.model.Secret.class)
        .watches(
            dev.windlass.controller.enqueue.Source.ticker(
                Duration.ofHours(24), () -> prices().keySet(), manager.informerOptions()))
        .maxConcurrentReconciles(20)
        .rateLimiter(
            dev.windlass.workqueue.RateLimiter.exponential(
                Duration.ofSeconds(2), Duration.ofSeconds(15)))
        .maxRetries(3, (request, failures) -> {})
        .minimumInterval(Duration.ofMillis(600))
        """);
  }

  @TempDir private static Path folder;

  private static SampleOperators.Loaded shop;

  @BeforeAll
  static void converts() throws Exception {
    assertThat(new SampleOperators("idioms", folder.resolve("before")).compile()).isEmpty();
    SampleOperators samples = new SampleOperators("idioms", folder).convert();
    Path sources = samples.converted().resolve("shop");
    saysAllThatIsLeft(sources);
    failsOnlyBelowAComment(samples.compileBesideTheSdk(), sources);
    for (String name : List.of("ShopReconciler", "SettingsDependent", "Stock")) {
      Path file = sources.resolve(name + ".java");
      String text = Files.readString(file);
      for (Map.Entry<String, String> edit : WORK.entrySet()) {
        text = text.replaceAll(edit.getKey(), Matcher.quoteReplacement(edit.getValue()));
      }
      Files.writeString(file, text);
    }
    assertThat(samples.compileConverted()).isEmpty();
    shop = samples.load("shop", "ShopReconciler", "Shop");
  }

  private static void saysAllThatIsLeft(Path sources) throws IOException {
    List<String> todos = new ArrayList<>();
    for (String name : List.of("ShopReconciler", "SettingsDependent", "Stock", "Program")) {
      TODO.matcher(Files.readString(sources.resolve(name + ".java")))
          .results()
          .map(found -> found.group(1))
          .forEach(todos::add);
    }
    assertThat(todos)
        .containsExactly(
            "convert Workflow",
            "convert Dependent",
            "convert GradualRetry",
            "convert RateLimited",
            "to replace a running operator, call Owned.adopt for its objects",
            "convert new PollingEventSource<Market.Price, Shop, String>( Market.Price.class, new"
                + " PollingConfigurationBuilder<Market.Price, String>( ShopReconciler::prices,"
                + " Duration.ofHours(24)).build())",
            "decide on maxConcurrentReconciles(...), 1 instead of 50 for all controllers",
            "read Market.Price.class where your code keeps it",
            "convert SettingsDependent, a CRUDKubernetesDependentResource<Secret, Shop>",
            "set controller: true as OwnerReferences.setController does, because owns(...) ignores"
                + " other owner references",
            "convert withConcurrentReconciliationThreads(20)");
  }

  private static void failsOnlyBelowAComment(String messages, Path sources) throws IOException {
    for (MatchResult error : ERROR.matcher(messages).results().toList()) {
      int line = Integer.parseInt(error.group(2));
      List<String> above =
          Files.readAllLines(sources.resolve(error.group(1))).subList(line - 3, line);
      assertThat(above).as(messages).anyMatch(TODO.asPredicate());
    }
  }

  private static ReconcilerTest operator(int size) {
    ReconcilerTest test = ReconcilerTest.of(shop::register).install(shop.type());
    test.create(
        Serialization.unmarshal(
            """
            apiVersion: samples.windlass.dev/v1
            kind: Shop
            metadata: {namespace: default, name: first}
            spec: {size: %d}
            """
                .formatted(size),
            shop.type()));
    return test;
  }

  private static String status(ReconcilerTest test) {
    HasMetadata object = test.get(shop.type(), "default", "first").orElseThrow();
    return Serialization.asJson(object).replaceAll("(?s).*\"status\"", "");
  }

  /** In the SDK, the maximum interval of 10 h and the daily poll; with the jitter of a resync. */
  @Test
  void runsAgainWithoutAnEventAndKeepsItsChildren() {
    try (ReconcilerTest test = operator(3)) {
      test.advance(Duration.ofDays(7));
      assertThat(test.reconciles()).hasSizeBetween(22, 27);
      assertThat(test.reconciles()).extracting(Reconciled::outcome).containsOnly("success");
      assertThat(status(test)).contains("7");
      test.delete(ConfigMap.class, "default", "first-stock");
      test.delete(Secret.class, "default", "first-settings");
      test.advance(Duration.ofSeconds(10));
      assertThat(test.get(ConfigMap.class, "default", "first-stock")).isPresent();
      assertThat(test.get(Secret.class, "default", "first-settings")).isPresent();
    }
  }

  /** In the SDK, withNoRetry() ends the retries until an event or the maximum interval. */
  @Test
  void triesAnInvalidSpecAgainWithoutAnEvent() {
    try (ReconcilerTest test = operator(-1)) {
      test.advance(Duration.ofHours(8));
      assertThat(test.reconciles()).hasSize(1);
      test.advance(Duration.ofDays(7));
      assertThat(test.reconciles()).hasSizeBetween(22, 27);
      assertThat(status(test)).contains("no shop has the size -1");
    }
  }

  /** In the SDK, the clean-up is retried, and its failure is no concern of updateErrorStatus. */
  @Test
  void deletesAfterACleanUpThatFails() {
    try (ReconcilerTest test = operator(3)) {
      test.assertEventuallyStable();
      int before = test.reconciles().size();
      test.delete(shop.type(), "default", "first");
      test.advance(Duration.ofSeconds(3));
      assertThat(status(test)).doesNotContain("locked");
      test.advance(Duration.ofSeconds(4));
      assertThat(test.get(shop.type(), "default", "first")).isEmpty();
      assertThat(test.reconciles().subList(before, test.reconciles().size()))
          .filteredOn(run -> run.outcome().equals("error"))
          .hasSize(2);
    }
  }
}
