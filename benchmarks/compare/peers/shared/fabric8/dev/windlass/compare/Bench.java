// SPDX-License-Identifier: Apache-2.0
package dev.windlass.compare;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** The custom resource of the comparison, for the peers that use fabric8's model. */
@Group("compare.windlass.dev")
@Version("v1")
@Plural("benches")
public final class Bench extends CustomResource<Bench.Spec, Bench.Status> implements Namespaced {

  private static final long serialVersionUID = 1L;

  /** The desired state. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public static final class Spec implements java.io.Serializable {

    private static final long serialVersionUID = 1L;

    private String text = "";

    @JsonInclude(JsonInclude.Include.NON_DEFAULT)
    private long sentAt;

    public String getText() {
      return text;
    }

    public void setText(String text) {
      this.text = text;
    }

    public long getSentAt() {
      return sentAt;
    }

    public void setSentAt(long sentAt) {
      this.sentAt = sentAt;
    }
  }

  /** The observed state. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public static final class Status implements java.io.Serializable {

    private static final long serialVersionUID = 1L;

    private long observedGeneration;
    private boolean ready;

    public long getObservedGeneration() {
      return observedGeneration;
    }

    public void setObservedGeneration(long observedGeneration) {
      this.observedGeneration = observedGeneration;
    }

    public boolean isReady() {
      return ready;
    }

    public void setReady(boolean ready) {
      this.ready = ready;
    }
  }

  /** Returns the ConfigMap that this object requests, without an owner reference. */
  ConfigMap child() {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withNamespace(getMetadata().getNamespace())
        .withName(getMetadata().getName())
        .endMetadata()
        .addToData("text", getSpec().getText())
        .build();
  }

  /** Returns an owner reference that makes this object the controller of its ConfigMap. */
  OwnerReference reference() {
    return new OwnerReferenceBuilder()
        .withApiVersion(getApiVersion())
        .withKind(getKind())
        .withName(getMetadata().getName())
        .withUid(getMetadata().getUid())
        .withController(true)
        .withBlockOwnerDeletion(true)
        .build();
  }

  /** Sets the desired status, and returns whether it differed from the previous one. */
  boolean converge() {
    long generation = getMetadata().getGeneration();
    Status now = getStatus();
    if (now != null && now.isReady() && now.getObservedGeneration() == generation) {
      return false;
    }
    Status wanted = new Status();
    wanted.setReady(true);
    wanted.setObservedGeneration(generation);
    setStatus(wanted);
    return true;
  }
}
