// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.building;

import dev.windlass.informer.InformerSpec;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Collects the errors in the calls to a builder. The builder reports the first error when the
 * controller is registered.
 */
public final class BuilderErrors {

  private final List<String> found = new ArrayList<>();

  public void add(String misuse) {
    found.add(misuse);
  }

  Optional<String> first() {
    return found.stream().findFirst();
  }

  /**
   * Returns the given value. If the value is null, records an error and returns empty.
   *
   * @param call the name of the builder method that received the value
   */
  public <V> Optional<V> given(@Nullable V value, String call) {
    if (value == null) {
      add("received null through " + call + "(...): pass a value, or omit the call");
    }
    return Optional.ofNullable(value);
  }

  /**
   * Returns the {@link InformerSpec} for the given class. If the class is invalid, records an error
   * and returns empty.
   */
  public <S extends HasMetadata> Optional<InformerSpec<S>> spec(Class<S> type, String call) {
    try {
      return given(type, call).map(InformerSpec::of);
    } catch (IllegalArgumentException e) {
      cantUse(call, e);
      return Optional.empty();
    }
  }

  /**
   * Passes a value to a consumer. Records an error if the value is null, or if the consumer rejects
   * it with an {@link IllegalArgumentException}.
   */
  public <V> void take(@Nullable V value, String call, Consumer<V> use) {
    try {
      given(value, call).ifPresent(use);
    } catch (IllegalArgumentException e) {
      cantUse(call, e);
    }
  }

  /** Records that the value passed to the given builder method is invalid. */
  public void cantUse(String call, IllegalArgumentException why) {
    add("can't use what " + call + "(...) was given: " + why.getMessage());
  }

  /** Returns the values that are not null. Records an error for each null value. */
  public <V> List<V> allGiven(V @Nullable [] values, String call) {
    List<V> all = new ArrayList<>();
    if (values == null) {
      given(values, call);
      return all;
    }
    for (V value : values) {
      given(value, call).ifPresent(all::add);
    }
    return all;
  }
}
