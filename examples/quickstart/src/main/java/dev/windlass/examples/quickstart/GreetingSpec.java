// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.quickstart;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.fabric8.generator.annotation.Size;

/** The desired state of a Greeting. This class is not thread-safe. */
@JsonIgnoreProperties(ignoreUnknown = true)
public final class GreetingSpec {

  @Size(max = 100)
  private String name = "world";

  /** Returns the name to greet. The default is {@code world}. */
  public String getName() {
    return name;
  }

  /** Sets the name to greet. */
  public void setName(String name) {
    this.name = name;
  }
}
