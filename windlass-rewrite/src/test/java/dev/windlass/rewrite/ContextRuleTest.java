// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

/** Tests {@link ContextRule} and {@link ResourceOperationsRule}. */
final class ContextRuleTest implements ConversionTest {

  Conversion convertsReadsOfSecondaries() {
    return reconcile(
        """
        int all = context.getSecondaryResources(ConfigMap.class).size();
        for (ConfigMap each : context.getSecondaryResources(ConfigMap.class)) {
          all += context.getSecondaryResourcesAsStream(ConfigMap.class).toList().size();
        }
        return UpdateControl.noUpdate();
        """,
        """
        // TODO Windlass: call owns(ConfigMap.class) in register(...), or read ConfigMap.class with client(), see https://windlass.dev/coming-over/java-operator-sdk/#reconciler-and-results
        int all = context.secondaries(ConfigMap.class).size();
        // TODO Windlass: call owns(ConfigMap.class) in register(...), or read ConfigMap.class with client(), see https://windlass.dev/coming-over/java-operator-sdk/#reconciler-and-results
        for (ConfigMap each : context.secondaries(ConfigMap.class)) {
          // TODO Windlass: call owns(ConfigMap.class) in register(...), or read ConfigMap.class with client(), see https://windlass.dev/coming-over/java-operator-sdk/#reconciler-and-results
          all += context.secondaries(ConfigMap.class).stream().toList().size();
        }
        return Result.done();
        """);
  }

  Conversion convertsWrites() {
    return reconcile(
        """
        context.resourceOperations().serverSideApply(other(map));
        context.resourceOperations().create(other(map));
        ConfigMap stored = context.resourceOperations().updatePrimary(map);
        return UpdateControl.noUpdate();
        """,
        """
        context.client().apply(other(map));
        context.client().create(other(map));
        ConfigMap stored = context.client().update(map);
        return Result.done();
        """);
  }

  Conversion namesTheCallsWithoutACounterpart() {
    return reconcile(
        """
        if (context.isNextReconciliationImminent()) {
          context.resourceOperations().jsonMergePatch(map);
        }
        return UpdateControl.noUpdate();
        """,
        """
        // TODO Windlass: convert context.isNextReconciliationImminent(), see https://windlass.dev/coming-over/java-operator-sdk/#reconciler-and-results
        if (context.isNextReconciliationImminent()) {
          // TODO Windlass: convert context.resourceOperations().jsonMergePatch(map), see https://windlass.dev/coming-over/java-operator-sdk/#reconciler-and-results
          context.resourceOperations().jsonMergePatch(map);
        }
        return Result.done();
        """);
  }
}
