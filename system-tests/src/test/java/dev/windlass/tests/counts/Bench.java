// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.counts;

import dev.windlass.tests.owned.Samples;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** The custom resource of the comparison. It counts how often JSON is decoded into it. */
@Group("counts.windlass.dev")
@Version("v1")
@Plural("benchs") // as in the definition
@SuppressWarnings("serial") // nobody serializes it
public final class Bench extends CustomResource<Bench.Spec, Bench.Status> implements Namespaced {

  static final AtomicInteger DECODED = new AtomicInteger();

  /** What a bench shall be like. */
  public static final class Spec {
    private String text = "";

    /** For Jackson, which alone calls it. */
    public Spec() {
      DECODED.incrementAndGet();
    }

    private Spec(String text) {
      this.text = text;
    }

    /** The content of its ConfigMap. */
    public String getText() {
      return text;
    }

    /** Sets the content of its ConfigMap. */
    public void setText(String text) {
      this.text = text;
    }
  }

  /** What a bench is like. */
  public static final class Status {
    private long observedGeneration;

    /** The generation of the specification that has been reconciled. */
    public long getObservedGeneration() {
      return observedGeneration;
    }

    /** Sets the generation. */
    public void setObservedGeneration(long observedGeneration) {
      this.observedGeneration = observedGeneration;
    }
  }

  static Bench of(String namespace, String name) {
    Bench bench = new Bench();
    bench.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(namespace)
            .withName(name)
            .addToAnnotations(BenchProgram.MARK, "")
            .build());
    bench.setSpec(new Spec("x".repeat(600)));
    return bench;
  }

  static CustomResourceDefinition definition() {
    return Samples.crd("counts.windlass.dev", "Bench");
  }

  ConfigMap child() {
    ConfigMap child = Samples.map(getMetadata().getNamespace(), getMetadata().getName());
    child.setData(Map.of("text", getSpec().getText()));
    return child;
  }

  /** Sets the desired status, and returns whether it differed from the previous one. */
  boolean converge() {
    long generation = getMetadata().getGeneration();
    if (getStatus() != null && getStatus().getObservedGeneration() == generation) {
      return false;
    }
    setStatus(new Status());
    getStatus().setObservedGeneration(generation);
    return true;
  }
}
