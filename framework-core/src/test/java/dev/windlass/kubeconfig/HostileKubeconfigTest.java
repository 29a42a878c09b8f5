// SPDX-License-Identifier: Apache-2.0
package dev.windlass.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.windlass.scheduling.ManualScheduler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** YAML made to exhaust or take over its reader: docs/security.md, inputs 10 to 13. */
final class HostileKubeconfigTest {

  private static final String HEAD = "apiVersion: v1\nkind: Config\ncurrent-context: c\n";

  /** Set when a class is loaded that a document names. */
  private static final AtomicBoolean constructed = new AtomicBoolean();

  /** What a document must not be able to construct. */
  public static final class Gadget {
    /** Reports that it was constructed. */
    public Gadget() {
      constructed.set(true);
    }

    /** Reports that it was constructed from a text. */
    public Gadget(String text) {
      constructed.set(true);
    }
  }

  @TempDir private Path folder = Path.of("unset");

  private record Hostile(String name, String yaml) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Hostile> documents() {
    String gadget = Gadget.class.getName();
    return Stream.of(
        new Hostile("billion laughs in a list", laughs("contexts")),
        new Hostile("billion laughs in an unknown field", laughs("preferences")),
        new Hostile("billion laughs as mappings", mappingLaughs()),
        new Hostile("a list that contains itself", HEAD + "contexts: &a [*a]\n"),
        new Hostile("a mapping that contains itself", HEAD + "preferences: &a {b: *a}\n"),
        new Hostile("itself as the document", "&a [*a]\n"),
        new Hostile("itself as a key", HEAD + "? &a [*a]\n: b\n"),
        new Hostile("a script engine", "!!javax.script.ScriptEngineManager [[]]\n"),
        new Hostile("a tag with a constructor", HEAD + "contexts: !!%s [x]\n".formatted(gadget)),
        new Hostile("a tag on a text", HEAD + "preferences: !!%s x\n".formatted(gadget)),
        new Hostile("a tag on the document", "!!%s {}\n".formatted(gadget)),
        new Hostile("a property that names a class", HEAD + "'@class': %s\n".formatted(gadget)),
        new Hostile("a merge of itself", HEAD + "preferences: &a {<<: *a}\n"),
        new Hostile(
            "merges in a circle", HEAD + "extensions: [&a {<<: [*a]}, &b {<<: [*a, *b]}]\n"),
        new Hostile("nested 100,000 deep", HEAD + "preferences: " + "[".repeat(100_000)),
        new Hostile(
            "nested 100,000 deep and closed",
            HEAD + "preferences: " + "[".repeat(100_000) + "]".repeat(100_000)),
        new Hostile("contexts without names", HEAD + "contexts: [{}, {}, {context: {}}]\n"),
        new Hostile("nothing in the lists", HEAD + "users: [~]\ncontexts: [~]\nclusters: [~]\n"),
        new Hostile("nothing instead of lists", HEAD + "users: ~\ncontexts: ~\nclusters: ~\n"),
        new Hostile("NUL characters", HEAD + "preferences: \0\0\n"));
  }

  private static String laughs(String field) {
    StringBuilder yaml = new StringBuilder(HEAD).append("l0: &l0 lol\n");
    IntStream.rangeClosed(1, 9)
        .forEach(
            i ->
                yaml.append("l%d: &l%d [".formatted(i, i))
                    .append(("*l" + (i - 1) + ",").repeat(9))
                    .append("]\n"));
    return yaml.append(field).append(": *l9\n").toString();
  }

  private static String mappingLaughs() {
    StringBuilder yaml = new StringBuilder(HEAD).append("l0: &l0 {a: b}\n");
    for (int i = 1; i <= 30; i++) {
      yaml.append("l%d: &l%d {x: *l%d, y: *l%d}\n".formatted(i, i, i - 1, i - 1));
    }
    return yaml.append("preferences: *l30\n").toString();
  }

  /** Each is refused in one short sentence that quotes none of it, or holds no usable context. */
  @ParameterizedTest
  @MethodSource("documents")
  @Timeout(20)
  void isRefusedInOneSentence(Hostile document) throws Exception {
    Path file = Files.writeString(folder.resolve("kubeconfig"), document.yaml());
    Throwable refusal =
        catchThrowable(
            () -> ClientConfig.load(file, null, new ManualScheduler(), Clock.systemUTC()));
    assertThat(refusal)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("the kubeconfig file " + file);
    assertThat(refusal.getMessage()).hasSizeLessThan(1_024).doesNotContain("\n", "lol", "Gadget");
    assertThat(constructed).isFalse();
  }

  /** The requests would be sent as the operator itself, with all its permissions. */
  @ParameterizedTest
  @MethodSource("impersonations")
  void nobodyIsImpersonatedWithoutAName(String fields) throws Exception {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> load("token: t, " + fields))
        .withMessageContaining("without 'as'")
        .withMessageContaining(folder.resolve("kubeconfig").toString());
  }

  static Stream<String> impersonations() {
    return Stream.of(
        "as-groups: [viewers]",
        "as-groups: ['system:masters']",
        "as: '', as-groups: [viewers]",
        "as-uid: '7'",
        "as-user-extra: {why: [x]}");
  }

  @Test
  void anEmptyNameImpersonatesNobody() throws Exception {
    assertThat(load("token: t, as: ''").getImpersonateUsername()).isNull();
  }

  private io.fabric8.kubernetes.client.Config load(String user) throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("kubeconfig"),
            HEAD
                + """
                contexts: [{name: c, context: {cluster: k, user: u}}]
                clusters: [{name: k, cluster: {server: 'https://example.com:6443'}}]
                users: [{name: u, user: {%s}}]
                """
                    .formatted(user));
    return ClientConfig.load(file, null, new ManualScheduler(), Clock.systemUTC());
  }
}
