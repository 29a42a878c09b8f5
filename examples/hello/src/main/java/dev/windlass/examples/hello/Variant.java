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

/** The ways in which the operator detects that a Pod has finished. */
enum Variant {

  /**
   * The operator polls at increasing intervals. It caches Pods, but their events do not trigger
   * reconciles.
   */
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

  /** The operator does not poll, because Pod events trigger reconciles. */
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

  /**
   * Creates a controller builder with the watches of this variant. The caller must set the Event
   * recorder and the reconciler.
   */
  abstract ControllerBuilder<Hello> watching(Manager manager);

  abstract Reconciler reconciler(HelloReports reports);

  /** Creates a controller builder with the watches, the Event recorder and the reconciler. */
  ControllerBuilder<Hello> controller(Manager manager) {
    return watching(manager).eventRecorder(recorder(manager)).reconciler(reconciler(manager));
  }

  /** Creates the reconciler. */
  Reconciler reconciler(Manager manager) {
    return reconciler(new HelloReports(recorder(manager), Clock.systemUTC()));
  }

  private static EventRecorder recorder(Manager manager) {
    return manager.eventRecorder("hello-controller");
  }

  /** Returns the name used on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Parses the names used on the command line. */
  static final class Named implements ITypeConverter<Variant> {
    @Override
    public Variant convert(String value) {
      for (Variant variant : values()) {
        if (variant.toString().equalsIgnoreCase(value)) {
          return variant;
        }
      }
      throw new TypeConversionException("'" + value + "' is not a variant; use requeue or owns");
    }
  }
}
