package ${package};

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.List;

/** The observed state of a ${kind}. */
@JsonIgnoreProperties(ignoreUnknown = true)
public final class ${kind}Status {

  private int readyReplicas;
  private List<Condition> conditions = new ArrayList<>();

  /** Returns the number of Pods that are ready. */
  public int getReadyReplicas() {
    return readyReplicas;
  }

  public void setReadyReplicas(int readyReplicas) {
    this.readyReplicas = readyReplicas;
  }

  /** Returns the conditions. The only one is Ready. */
  public List<Condition> getConditions() {
    return conditions;
  }

  public void setConditions(List<Condition> conditions) {
    this.conditions = conditions;
  }
}
