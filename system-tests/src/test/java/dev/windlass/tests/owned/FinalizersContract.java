// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.owned;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.client.Client;
import dev.windlass.client.ConflictException;
import dev.windlass.client.owned.Finalization;
import dev.windlass.client.owned.Finalizer;
import dev.windlass.client.owned.Finalizers;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.object.ResourceType;
import dev.windlass.testing.apiserver.TestApiServer;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of finalizers on each server. Covers docs/reliability.md, A14 and F3. */
abstract class FinalizersContract {

  private static final String FIRST = "owned.windlass.dev/z-first";
  private static final String SECOND = "owned.windlass.dev/a-second";
  private static final String FOREIGN = "example.com/foreign";

  OwnedFixture on;
  private final List<String> cleaned = new ArrayList<>();
  private Result answer = Result.done();
  private final Finalizers<Widget> finalizers =
      Finalizers.<Widget>none().with(FIRST, cleans("first")).with(SECOND, cleans("second"));

  private TestApiServer server;

  @BeforeEach
  void starts() {
    on = new OwnedFixture(server);
  }

  @AfterEach
  void stops() {
    if (!gone()) {
      finalizers(List.of());
    }
    on.close();
  }

  private Finalizer<Widget> cleans(String what) {
    return widget -> {
      cleaned.add(what);
      return answer;
    };
  }

  private boolean gone() {
    return on.client.get(Widget.class, on.key("owner")).isEmpty();
  }

  private List<String> names() {
    return on.get(Widget.class, "owner").getMetadata().getFinalizers();
  }

  /** Somebody else sets the names. */
  private void finalizers(List<String> names) {
    on.edit(Widget.class, "owner", widget -> widget.getMetadata().setFinalizers(names));
  }

  private void label(String value) {
    on.edit(
        Widget.class, "owner", widget -> widget.getMetadata().setLabels(Map.of("label", value)));
  }

  private Widget deleted() {
    on.kubectl.resources(Widget.class).inNamespace(on.namespace).withName("owner").delete();
    return on.get(Widget.class, "owner");
  }

  private Finalization<Widget> run(Widget widget) throws Exception {
    return finalizers.run(on.client, widget);
  }

  @Test
  void addsWhatIsMissingInOnePatch() throws Exception {
    finalizers(List.of(FOREIGN, SECOND));
    Widget before = on.get(Widget.class, "owner");
    Finalization<Widget> state = finalizers.run(on.recorded(), before);
    assertThat(state.deleting()).isFalse();
    assertThat(state.result()).isEqualTo(Result.done());
    assertThat(state.object().getMetadata()).isEqualTo(on.get(Widget.class, "owner").getMetadata());
    assertThat(names()).containsExactly(FOREIGN, SECOND, FIRST);
    assertThat(on.writes).containsExactly("patch");
    assertThat(finalizers.run(on.recorded(), state.object()).object()).isSameAs(state.object());
    assertThat(on.writes).as("nothing is missing").hasSize(1);
    assertThat(cleaned).isEmpty();
  }

  /** What is registered first runs first, whatever stands in the object. */
  @Test
  void runsInTheOrderOfRegistrationAndRemovesItsOwn() throws Exception {
    finalizers(List.of(SECOND, FOREIGN, FIRST));
    Finalization<Widget> state = run(deleted());
    assertThat(state.deleting()).isTrue();
    assertThat(state.result()).isEqualTo(Result.done());
    assertThat(cleaned).containsExactly("first", "second");
    assertThat(names()).containsExactly(FOREIGN);
    run(on.get(Widget.class, "owner"));
    assertThat(cleaned).as("has been done").hasSize(2);
  }

  @Test
  void letsTheObjectGo() throws Exception {
    run(on.get(Widget.class, "owner"));
    Widget deleted = deleted();
    assertThat(run(deleted).deleting()).isTrue();
    assertThat(gone()).isTrue();
    assertThat(run(deleted).result()).as("a cache that is behind").isEqualTo(Result.done());
  }

  @Test
  void holdsUpTheNextUntilOneIsDone() throws Exception {
    run(on.get(Widget.class, "owner"));
    answer = Result.requeueAfter(Duration.ofSeconds(7));
    Finalization<Widget> state = run(deleted());
    assertThat(state.deleting()).isTrue();
    assertThat(state.result()).isEqualTo(answer);
    assertThat(cleaned).containsExactly("first");
    assertThat(names()).containsExactly(FIRST, SECOND);
    answer = Result.done();
    run(on.get(Widget.class, "owner"));
    assertThat(gone()).isTrue();
  }

  @Test
  void keepsTheObjectWhenAFinalizerFails() throws Exception {
    Finalizers<Widget> failing =
        Finalizers.<Widget>none()
            .with(FIRST, cleans("first"))
            .with(
                SECOND,
                widget -> {
                  throw new IllegalStateException("no connection");
                });
    failing.run(on.client, on.get(Widget.class, "owner"));
    Widget deleted = deleted();
    assertThatThrownBy(() -> failing.run(on.client, deleted)).hasMessage("no connection");
    assertThat(names()).as("the first is done and stays so").containsExactly(SECOND);
  }

  @Test
  void addsNothingToWhatIsBeingDeleted() throws Exception {
    finalizers(List.of(FOREIGN));
    assertThat(run(deleted()).deleting()).isTrue();
    assertThat(names()).containsExactly(FOREIGN);
    assertThat(cleaned).isEmpty();
  }

  /** The cache shows a living object that is being deleted by now. */
  @Test
  void noticesADeletionThatTheCacheHasNotSeen() throws Exception {
    finalizers(List.of(FOREIGN));
    Widget before = on.get(Widget.class, "owner");
    deleted();
    Finalization<Widget> state = run(before);
    assertThat(state.deleting()).isTrue();
    assertThat(state.object().isMarkedForDeletion()).isTrue();
    assertThat(names()).containsExactly(FOREIGN);
  }

  @Test
  void takesWhatIsGoneForDeleted() throws Exception {
    Widget before = on.get(Widget.class, "owner");
    on.kubectl.resource(before).delete();
    assertThat(run(before).deleting()).isTrue();
    on.client.create(Widget.of(on.namespace, "owner"));
    assertThat(run(before).deleting()).as("another one of its name").isTrue();
    assertThat(names()).isEmpty();
  }

  /** Neither a concurrent writer's changes nor ours are lost. */
  @Test
  void survivesConcurrentEdits() throws Exception {
    AtomicInteger edits = new AtomicInteger();
    Client racing =
        on.beforePatches(
            () -> {
              if (edits.getAndIncrement() < 2) {
                label("edit-" + edits);
              }
            });
    finalizers.run(racing, on.get(Widget.class, "owner"));
    assertThat(names()).containsExactly(FIRST, SECOND);
    assertThat(on.get(Widget.class, "owner").getMetadata().getLabels())
        .containsEntry("label", "edit-2");
    assertThat(edits).hasValue(3);

    edits.set(0);
    Client adding =
        on.beforePatches(
            () -> {
              if (edits.getAndIncrement() == 0) {
                label("late");
              }
            });
    finalizers.run(adding, deleted());
    assertThat(gone()).isTrue();
    assertThat(cleaned).as("once each").containsExactly("first", "second");
  }

  /** The class of a generic object does not determine its type. */
  @Test
  void survivesConcurrentEditsOfAGenericObject() throws Exception {
    AtomicInteger edits = new AtomicInteger();
    Client racing =
        on.beforePatches(
            () -> {
              if (edits.getAndIncrement() == 0) {
                label("edit");
              }
            });
    GenericKubernetesResource generic =
        on.client.uncached().get(ResourceType.of(Widget.class), on.key("owner")).orElseThrow();
    Finalizers.<GenericKubernetesResource>none()
        .with(FIRST, object -> Result.done())
        .run(racing, generic);
    assertThat(edits).hasValue(2);
    assertThat(names()).containsExactly(FIRST);
    assertThat(on.get(Widget.class, "owner").getMetadata().getLabels())
        .containsEntry("label", "edit");
  }

  /** The number of attempts is bounded. */
  @Test
  void givesUpWhenOthersKeepChangingTheObject() {
    AtomicInteger edits = new AtomicInteger();
    Client rival = on.beforePatches(() -> label("edit-" + edits.incrementAndGet()));
    Widget before = on.get(Widget.class, "owner");
    assertThatThrownBy(() -> finalizers.run(rival, before)).isInstanceOf(ConflictException.class);
    assertThat(edits).hasValue(5);
    assertThat(names()).isEmpty();
  }

  /** Nothing can be created in a namespace that is being deleted, but finalizers can be removed. */
  @Test
  void releasesItsOwnInANamespaceThatIsBeingDeleted() throws Exception {
    Finalization<Widget> state = run(on.get(Widget.class, "owner"));
    assertThat(state.object().getMetadata().getFinalizers()).hasSize(2);
    on.kubectl.namespaces().withName(on.namespace).delete();
    eventually()
        .atMost(Duration.ofSeconds(60))
        .until(() -> on.get(Widget.class, "owner").isMarkedForDeletion());
    run(on.get(Widget.class, "owner"));
    assertThat(gone()).isTrue();
  }
}
