// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.events.EventRecorder;
import dev.windlass.manager.Manager;
import dev.windlass.rbac.Verb;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Clock;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How the operator learns that a Pod has ended. */
enum Variant {

  /** It asks, less and less often. Pods are cached, and what happens to them leads to nothing. */
  REQUEUE {
    @Override
    ControllerBuilder<Hello> watching(Manager manager) {
      manager.cache(Pod.class);
      return ControllerBuilder.forType(Hello.class).uses(Pod.class, Verb.CREATE, Verb.DELETE);
    }

    @Override
    Reconciler reconciler(HelloReports reports) {
      return new RequeueReconciler(reports);
    }
  },

  /** It hears of it. */
  OWNS {
    @Override
    ControllerBuilder<Hello> watching(Manager manager) {
      return ControllerBuilder.forType(Hello.class).owns(Pod.class, OwnsReconciler.ends());
    }

    @Override
    Reconciler reconciler(HelloReports reports) {
      return new OwnsReconciler(reports);
    }
  };

  /** The operator without its reconciler. */
  abstract ControllerBuilder<Hello> watching(Manager manager);

  abstract Reconciler reconciler(HelloReports reports);

  /** The whole operator, to be registered. */
  ControllerBuilder<Hello> controller(Manager manager) {
    return watching(manager).eventRecorder(recorder(manager)).reconciler(reconciler(manager));
  }

  /** Its reconciler alone. */
  Reconciler reconciler(Manager manager) {
    return reconciler(new HelloReports(recorder(manager), Clock.systemUTC()));
  }

  private static EventRecorder recorder(Manager manager) {
    return manager.eventRecorder("hello-controller");
  }

  /** As on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Takes the names as they are on the command line. */
  static final class Named implements ITypeConverter<Variant> {
    @Override
    public Variant convert(String value) {
      for (Variant variant : values()) {
        if (variant.toString().equalsIgnoreCase(value)) {
          return variant;
        }
      }
      throw new TypeConversionException("'" + value + "' is no variant; write requeue or owns");
    }
  }
}
