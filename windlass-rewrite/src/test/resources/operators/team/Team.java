// SPDX-License-Identifier: Apache-2.0
package team;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** A team, whose members are Secrets with a label. */
@Group("samples.windlass.dev")
@Version("v1")
public class Team extends CustomResource<Team.Spec, Team.Status> implements Namespaced {

  /** The desired state. */
  public static class Spec {
    private int size;

    public int getSize() {
      return size;
    }

    public void setSize(int size) {
      this.size = size;
    }
  }

  /** The observed state. */
  public static class Status {
    private int members;
    private String error;

    public int getMembers() {
      return members;
    }

    public void setMembers(int members) {
      this.members = members;
    }

    public String getError() {
      return error;
    }

    public void setError(String error) {
      this.error = error;
    }
  }
}
