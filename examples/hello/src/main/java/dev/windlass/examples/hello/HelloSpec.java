// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Min;

/** What the user wants. Not thread safe. */
@JsonInclude(JsonInclude.Include.NON_DEFAULT)
@JsonIgnoreProperties(ignoreUnknown = true) // of a newer CRD
public final class HelloSpec {

  @Min(0)
  private int helloTimes;

  /** How many lines the Pod is to print; zero, the default, for none. */
  public int getHelloTimes() {
    return helloTimes;
  }

  /** Sets the number of lines; the server refuses a negative one. */
  public void setHelloTimes(int helloTimes) {
    this.helloTimes = helloTimes;
  }
}
