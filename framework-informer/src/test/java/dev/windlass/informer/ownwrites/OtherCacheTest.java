// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.ownwrites;

import static dev.windlass.object.ConfigMaps.key;
import static dev.windlass.object.ConfigMaps.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.index.Store;
import dev.windlass.object.ConfigMaps;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the cache of the harness shows after a change that another cache received first. */
final class OtherCacheTest extends OverlayHarness {

  private final Store<ConfigMap> faster = Store.create();
  private final Overlay<ConfigMap> fasterOverlay =
      new Overlay<>(faster, true, ConfigMaps.DECODER, time, missed::add);

  /** Whether the cache of the harness watches an object. */
  private Optional<Boolean> selected = Optional.of(true);

  @BeforeEach
  void connects() {
    faster.observe(fasterOverlay);
    fasterOverlay.inform(List.of(new OtherCache(overlay, state -> selected)));
    cache.put(state("a", 1));
    cache.listed(1);
    faster.put(state("a", 1));
    assertThat(overlay.waiting()).isZero();
  }

  @Test
  void anUpdateIsUnclearUntilItArrives() {
    faster.put(state("a", 3));
    assertThat(isUnclear("a")).isTrue();
    cache.put(state("a", 2));
    assertThat(isUnclear("a")).isTrue();
    cache.put(state("a", 3));
    assertThat(isUnclear("a")).isFalse();
    assertThat(overlay.waiting()).isZero();
  }

  @Test
  void anUpdateThatHasArrivedIsNot() {
    cache.put(state("a", 4));
    faster.put(state("a", 3));
    faster.put(state("a", 4));
    assertThat(overlay.waiting()).isZero();
  }

  @Test
  void aNewObjectIsUnclearUntilItArrives() {
    faster.put(state("b", 2));
    assertThat(isUnclear("b")).isTrue();
    assertThat(overlay.unclearKeys("")).containsExactly(key("b"));
    cache.put(state("b", 2));
    assertThat(isUnclear("b")).isFalse();
  }

  @Test
  void anObjectThatHasGoneAgainIsNot() {
    cache.put(state("b", 2));
    cache.remove(key("b"));
    faster.put(state("b", 2));
    assertThat(isUnclear("b")).isFalse();
  }

  @Test
  void aRemovalIsUnclearUntilItArrives() {
    faster.remove(key("a"));
    assertThat(isUnclear("a")).isTrue();
    cache.remove(key("a"));
    assertThat(isUnclear("a")).isFalse();
    assertThat(overlay.waiting()).isZero();
  }

  /** A changed label has removed the object from the faster cache only. */
  @Test
  void aRemovalThatWasAChangeIsUnclearUntilTheChangeArrives() {
    faster.remove(key("a"));
    cache.put(state("a", 2));
    assertThat(isUnclear("a")).isFalse();
    assertThat(shown("a")).isEqualTo("2");
  }

  @Test
  void aRemovalThatHasArrivedIsNot() {
    cache.put(state("a", "successor", 3));
    faster.remove(key("a"));
    assertThat(overlay.waiting()).isZero();
  }

  @Test
  void anObjectThatHasLeftTheSelectionIsHidden() {
    selected = Optional.of(false);
    faster.put(state("a", 2));
    faster.put(state("b", 3));
    assertThat(shown("a")).isEqualTo("none");
    assertThat(overlay.unclearKeys("")).isEmpty();
    assertThat(overlay.waiting()).as("b was never selected").isEqualTo(1);
  }

  @Test
  void onlyAKnownObjectIsUnclearIfItsSelectionIsUnknown() {
    selected = Optional.empty();
    faster.put(state("a", 2));
    faster.put(state("b", 3));
    assertThat(overlay.unclearKeys("")).containsExactly(key("a"));
    assertThat(overlay.waiting()).isEqualTo(1);
  }

  @Test
  void nothingIsUnclearBeforeTheFirstList() {
    Store<ConfigMap> starting = Store.create();
    Overlay<ConfigMap> unread =
        new Overlay<>(starting, false, ConfigMaps.DECODER, time, missed::add);
    starting.observe(unread);
    fasterOverlay.inform(List.of(new OtherCache(unread, state -> selected)));
    faster.put(state("b", 2));
    assertThat(unread.waiting()).isZero();
  }
}
