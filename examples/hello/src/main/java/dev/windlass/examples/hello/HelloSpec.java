// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Min;

/** The desired state of a Hello. This class is not thread-safe. */
@JsonInclude(JsonInclude.Include.NON_DEFAULT)
@JsonIgnoreProperties(ignoreUnknown = true) // accepts fields of a newer CRD
public final class HelloSpec {

  @Min(0)
  private int helloTimes;

  /** Returns the number of lines that the Pod prints. The default is zero. */
  public int getHelloTimes() {
    return helloTimes;
  }

  /** Sets the number of lines that the Pod prints. The API server rejects negative numbers. */
  public void setHelloTimes(int helloTimes) {
    this.helloTimes = helloTimes;
  }
}
