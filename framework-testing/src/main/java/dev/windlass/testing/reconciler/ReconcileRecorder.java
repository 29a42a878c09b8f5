// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.reconciler;

import dev.windlass.testing.simulation.ProcessKilledError;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Records reconciles from the manager's observations. Ignores a reconcile that ended because the
 * process was killed; see {@link ProcessKilledError}. This class is not thread-safe.
 */
final class ReconcileRecorder implements ObservationHandler<Observation.Context> {

  private final Consumer<Reconciled> ended;

  /** The writes of the current reconcile. */
  private List<Write> writes = new ArrayList<>();

  ReconcileRecorder(Consumer<Reconciled> ended) {
    this.ended = ended;
  }

  /** Adds a write to the current reconcile. */
  void wrote(Write write) {
    writes.add(write);
  }

  @Override
  public boolean supportsContext(Observation.Context context) {
    return "windlass.reconcile".equals(context.getName());
  }

  @Override
  public void onStart(Observation.Context context) {
    writes = new ArrayList<>();
  }

  @Override
  public void onStop(Observation.Context context) {
    Throwable failure = context.getError();
    if (failure instanceof ProcessKilledError) {
      return;
    }
    String namespace = value(context.getHighCardinalityKeyValue("namespace"));
    String name = value(context.getHighCardinalityKeyValue("name"));
    ended.accept(
        new Reconciled(
            value(context.getLowCardinalityKeyValue("controller")),
            namespace.isEmpty() ? name : namespace + "/" + name,
            value(context.getLowCardinalityKeyValue("result")),
            Optional.ofNullable(failure),
            writes));
  }

  private static String value(@Nullable KeyValue value) {
    return value == null ? "" : value.getValue();
  }
}
