package ${package};

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

/** The observed state of a ${kind}. */
@JsonIgnoreProperties(ignoreUnknown = true)
public final class ${kind}Status {

  private int readyReplicas;

  /** Returns the number of Pods that are ready. */
  public int getReadyReplicas() {
    return readyReplicas;
  }

  public void setReadyReplicas(int readyReplicas) {
    this.readyReplicas = readyReplicas;
  }
}
