// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.operators;

import dev.windlass.informer.reflector.FeedFailure;
import dev.windlass.informer.reflector.FeedListener;
import dev.windlass.informer.reflector.ListReason;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What a reflector does, step by step, as words. */
public final class Feeds implements FeedListener {

  private final List<String> steps = new CopyOnWriteArrayList<>();

  @Override
  public void listing(ListReason reason, boolean streaming) {
    steps.add("listing " + reason);
  }

  @Override
  public void listed(int objects) {
    steps.add("listed " + objects);
  }

  @Override
  public void watching(String resourceVersion) {
    steps.add("watching from " + resourceVersion);
  }

  @Override
  public void failed(FeedFailure failure) {
    steps.add("failed " + failure.reason());
  }

  /** All of them, in their order. */
  public List<String> steps() {
    return List.copyOf(steps);
  }

  /** How many begin with this. */
  public long count(String beginning) {
    return steps.stream().filter(step -> step.startsWith(beginning)).count();
  }

  /** The last that begins with this; empty if none does. */
  public String last(String beginning) {
    return steps.stream()
        .filter(step -> step.startsWith(beginning))
        .reduce("", (earlier, later) -> later);
  }
}
