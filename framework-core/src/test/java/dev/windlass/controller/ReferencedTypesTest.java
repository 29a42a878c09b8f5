// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.index.Indexer;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.Projection;
import dev.windlass.testing.core.Foo;
import dev.windlass.testsupport.Eventually;
import dev.windlass.testsupport.Logs;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Objects to which primary objects refer, found by an index of the primary cache. */
@Timeout(60)
final class ReferencedTypesTest extends BuilderHarness {

  private static String foo(String name, String config) {
    return """
        {"metadata":{"namespace":"default","name":"%s","annotations":{"config":"%s"}}}"""
        .formatted(name, config);
  }

  private static String config(String name) {
    return """
        {"metadata":{"namespace":"default","name":"%s"}}"""
        .formatted(name);
  }

  private static Collection<ObjectKey> configsOf(Foo foo) {
    Map<String, String> annotations = foo.getMetadata().getAnnotations();
    String config = annotations == null ? "" : annotations.getOrDefault("config", "");
    return config.isEmpty() ? List.of() : List.of(ObjectKey.of("default", config));
  }

  @Test
  void reconcilesWhoRefersToAnObjectThatChangesComesOrGoes() throws Exception {
    server("Foo").put(foo("a", "one"));
    server("Foo").put(foo("b", "one"));
    server("Foo").put(foo("c", "two"));
    server("ConfigMap").put(config("one"));
    start(ofFoo().watchesReferenced(ConfigMap.class, ReferencedTypesTest::configsOf));
    assertThat(next(3))
        .as("at the start each of them once")
        .containsExactlyInAnyOrder("default/a", "default/b", "default/c");
    server("ConfigMap").put(config("one"));
    assertThat(next(2)).containsExactlyInAnyOrder("default/a", "default/b");
    server("ConfigMap").put(config("two"));
    assertThat(next(1)).containsExactly("default/c");
    server("ConfigMap").put(config("nobody's"));
    server("ConfigMap").delete(ObjectKey.of("default", "two"));
    assertThat(next(1)).containsExactly("default/c");
    assertThat(reconciled).isEmpty();
  }

  @Test
  void followsAReferenceThatChanges() throws Exception {
    server("Foo").put(foo("a", "one"));
    start(ofFoo().watchesReferenced(ConfigMap.class, ReferencedTypesTest::configsOf));
    assertThat(next(1)).containsExactly("default/a");
    server("Foo").put(foo("a", "two"));
    assertThat(next(1)).containsExactly("default/a");
    server("ConfigMap").put(config("one"));
    server("ConfigMap").put(config("two"));
    assertThat(next(1)).containsExactly("default/a");
    Eventually.that(() -> assertThat(manager.cache(ConfigMap.class).indexer().size()).isEqualTo(2));
    assertThat(reconciled).isEmpty();
  }

  /** Two controllers of one type have a cache in common, and references of their own. */
  @Test
  void sharesACacheWithOtherReferences() throws Exception {
    server("Foo").put(foo("a", "one"));
    ofFoo()
        .named("other")
        .watchesReferenced(ConfigMap.class, foo -> List.of())
        .reconciler(NOTHING)
        .register(manager);
    start(ofFoo().watchesReferenced(ConfigMap.class, ReferencedTypesTest::configsOf));
    assertThat(next(1)).containsExactly("default/a");
    server("ConfigMap").put(config("one"));
    assertThat(next(1)).containsExactly("default/a");
  }

  /** An object on which the function fails has no references; other objects keep theirs. */
  @Test
  void survivesAFunctionThatFails() throws Exception {
    server("Foo").put(foo("a", "one"));
    server("Foo").put(foo("bad", "one"));
    start(
        ofFoo()
            .watchesReferenced(
                ConfigMap.class,
                foo -> {
                  if (foo.getMetadata().getName().equals("bad")) {
                    throw new IllegalStateException("no");
                  }
                  return configsOf(foo);
                }));
    assertThat(next(2)).contains("default/bad");
    server("ConfigMap").put(config("one"));
    assertThat(next(1)).containsExactly("default/a");
  }

  /** It must say which function, and a lambda's class says nothing. */
  @Test
  void namesTheFunctionThatReturnsNull() throws Exception {
    assertThat(warningAbout(foo -> nothing())).contains(": it returned null. ");
  }

  @Test
  void namesTheFunctionThatReturnsANullKey() throws Exception {
    assertThat(warningAbout(foo -> Collections.singletonList(nothing())))
        .contains(": it returned a null value. ");
  }

  private String warningAbout(Function<Foo, List<ObjectKey>> function) throws Exception {
    server("Foo").put(foo("a", "one"));
    try (Logs logs = Logs.of(Indexer.class)) {
      start(ofFoo().watchesReferenced(ConfigMap.class, function));
      assertThat(next(1)).containsExactly("default/a");
      assertThat(logs.messages()).hasSize(1);
      String message = logs.messages().get(0);
      assertThat(message)
          .startsWith("The function of the index 'watchesReferenced(ConfigMap)-")
          .contains(" failed on Foo default/a (version ");
      return message;
    }
  }

  /** A key that does not fit the scope would otherwise silently match nothing. */
  @Test
  void reportsAKeyThatNoObjectCanHave() throws Exception {
    server("Foo").put(foo("a", "one"));
    server("Foo").put(foo("b", "one"));
    try (Logs logs = Logs.by(Level.WARN, "dev.windlass")) {
      start(
          ofFoo()
              .watchesReferenced(ConfigMap.class, foo -> List.of(ObjectKey.of("one")))
              .watchesReferenced(ClusterRole.class, foo -> List.of(ObjectKey.of("default", "r"))));
      assertThat(next(2)).hasSize(2);
      assertThat(logs.messages())
          .hasSize(2)
          .anySatisfy(
              line -> assertThat(line).contains("ConfigMap is a namespaced type, and 'one'"))
          .anySatisfy(
              line ->
                  assertThat(line)
                      .startsWith("The function of watchesReferenced(ClusterRole) returned a key")
                      .contains(
                          "ClusterRole is a cluster-scoped type, and 'default/r' names a namespace:"
                              + " use ObjectKey.of(name)"));
    }
  }

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // as a user may well do
  private static <T extends @Nullable Object> T nothing() {
    return null;
  }

  @Test
  void needsMoreThanMetadata() {
    assertThatThrownBy(
            () ->
                ControllerBuilder.forType(InformerSpec.of(Foo.class).with(Projection.METADATA))
                    .watchesReferenced(ConfigMap.class, ReferencedTypesTest::configsOf)
                    .reconciler(NOTHING)
                    .register(manager))
        .hasMessageContaining(
            "needs whole objects to find references, but watches their metadata only");
  }
}
