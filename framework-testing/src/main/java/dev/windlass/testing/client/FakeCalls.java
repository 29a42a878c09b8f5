// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Records the calls to a {@link FakeClient}. Before each call is executed, runs the actions that
 * the test has configured for it. This class is thread-safe.
 */
final class FakeCalls {

  private record Order(Predicate<FakeCall> matcher, boolean once, Consumer<FakeCall> action) {}

  @GuardedBy("this")
  private final List<FakeCall> calls = new ArrayList<>();

  @GuardedBy("this")
  private final List<Order> orders = new ArrayList<>();

  synchronized void order(Predicate<FakeCall> matcher, boolean once, Consumer<FakeCall> action) {
    orders.add(new Order(matcher, once, action));
  }

  synchronized void forgetOrders() {
    orders.clear();
  }

  synchronized void forgetCalls() {
    calls.clear();
  }

  synchronized List<FakeCall> calls() {
    return List.copyOf(calls);
  }

  /**
   * Records a call and runs the actions that are configured for it. The client must invoke this
   * method before it executes a call. It must not hold any locks, because the actions are code of
   * the test.
   */
  void before(FakeCall call) {
    List<Order> matching;
    synchronized (this) {
      calls.add(call);
      matching = orders.stream().filter(order -> order.matcher().test(call)).toList();
      orders.removeAll(matching.stream().filter(Order::once).toList());
    }
    matching.forEach(order -> order.action().accept(call));
  }
}
