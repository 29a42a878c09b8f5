package ${package};

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;

/** The desired state of a ${kind}. */
@JsonIgnoreProperties(ignoreUnknown = true) // an older program reads objects with newer fields
public final class ${kind}Spec {

  @Required private String image = "";

  @Min(0)
  @Default("1")
  private int replicas = 1;

  /** Returns the image that the Deployment runs. */
  public String getImage() {
    return image;
  }

  public void setImage(String image) {
    this.image = image;
  }

  /** Returns the number of Pods. */
  public int getReplicas() {
    return replicas;
  }

  public void setReplicas(int replicas) {
    this.replicas = replicas;
  }
}
