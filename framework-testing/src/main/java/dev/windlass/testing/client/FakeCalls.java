// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Records the calls to a {@link FakeClient}. Before each call, it runs the actions that a test has
 * configured for that call. This class is thread-safe.
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
   * Records a call and runs the actions configured for it. The client must call this method before
   * each call, and without holding locks, because the actions are the test's code.
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
