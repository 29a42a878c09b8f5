// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

/** Tests {@link ControlRule}, {@link Control}, {@link Writes} and {@link Requeue}. */
final class ControlRuleTest implements ConversionTest {

  Conversion convertsAReturnWithoutAWrite() {
    return reconcile("return UpdateControl.noUpdate();", "return Result.done();");
  }

  Conversion replacesTheObjectThatWasRead() {
    return reconcile(
        "return UpdateControl.patchStatus(map);",
        """
        context.client().updateStatus(map);
        return Result.done();
        """);
  }

  Conversion appliesAnyOtherObject() {
    return reconcile(
        "return UpdateControl.patchResource(other(map)).rescheduleAfter(delay);",
        """
        context.client().apply(other(map));
        return Result.requeueAfter(delay);
        """);
  }

  Conversion writesTheStatusWithTheVersionOfTheFirstWrite() {
    return reconcile(
        "return UpdateControl.patchResourceAndStatus(map).reschedule();",
        """
        map.getMetadata().setResourceVersion(context.client().update(map).getMetadata().getResourceVersion());
        context.client().updateStatus(map);
        return Result.requeueAfter(Duration.ZERO);
        """);
  }

  Conversion evaluatesAnAppliedObjectOnce() {
    return reconcile(
        "return UpdateControl.patchResourceAndStatus(other(map)).rescheduleAfter(5, unit);",
        """
        var patch = other(map);
        context.client().apply(patch);
        context.client().status().apply(patch);
        return Result.requeueAfter(Duration.of(5, unit.toChronoUnit()));
        """);
  }

  Conversion convertsEachFormOfADelay() {
    return reconcile(
        """
        switch (map.getKind()) {
          case "a":
            return UpdateControl.<ConfigMap>noUpdate().rescheduleAfter(10, TimeUnit.SECONDS);
          case "b":
            return UpdateControl.<ConfigMap>noUpdate().rescheduleAfter(500);
          default:
            return UpdateControl.<ConfigMap>noUpdate().rescheduleAfter(Duration.ofDays(1));
        }
        """,
        """
        switch (map.getKind()) {
          case "a":
            return Result.requeueAfter(Duration.ofSeconds(10));
          case "b":
            return Result.requeueAfter(Duration.ofMillis(500));
          default:
            return Result.requeueAfter(Duration.ofDays(1));
        }
        """);
  }

  Conversion putsWritesWithoutABlockIntoOne() {
    return reconcile(
        """
        if (map.getKind() == null) return UpdateControl.patchStatus(map);
        else return UpdateControl.noUpdate();
        """,
        """
        if (map.getKind() == null) {
          context.client().updateStatus(map);
          return Result.done();
        }
        else return Result.done();
        """);
  }

  Conversion convertsAChoiceWithAWriteToAnIf() {
    return reconcile(
        """
        return map.getKind() == null
            ? UpdateControl.patchStatus(map)
            : UpdateControl.noUpdate();
        """,
        """
        if (map.getKind() == null) {
          context.client().updateStatus(map);
          return Result.done();
        }
        return Result.done();
        """);
  }

  Conversion convertsALambdaWithAWriteToABlock() {
    return reconcile(
        """
        return context
            .getSecondaryResource(ConfigMap.class)
            .map(it -> UpdateControl.patchStatus(it))
            .orElseGet(UpdateControl::noUpdate);
        """,
        """
        // TODO Windlass: call owns(ConfigMap.class) in register(...), or read ConfigMap.class with client(), see https://windlass.dev/coming-over/java-operator-sdk/#reconciler-and-results
        return context.secondary(ConfigMap.class)
            .map(it -> {
              context.client().status().apply(it);
              return Result.done();
            })
            .orElseGet(Result::done);
        """);
  }

  Conversion leavesAWriteInAVariableToAPerson() {
    return reconcile(
        """
        UpdateControl<ConfigMap> control = UpdateControl.patchStatus(map);
        control.rescheduleAfter(delay);
        return control;
        """,
        """
        // TODO Windlass: write before this line, without UpdateControl.patchStatus(map), see https://windlass.dev/coming-over/java-operator-sdk/#reconciler-and-results
        Result control = UpdateControl.patchStatus(map);
        control = Result.requeueAfter(delay);
        return control;
        """,
        "io.javaoperatorsdk.operator.api.reconciler.*");
  }
}
