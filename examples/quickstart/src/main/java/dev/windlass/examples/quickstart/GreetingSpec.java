// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.quickstart;

import io.fabric8.generator.annotation.Size;

/** What the user wants. Not thread safe. */
public final class GreetingSpec {

  @Size(max = 100)
  private String name = "world";

  /** Who is to be greeted; the world by default. */
  public String getName() {
    return name;
  }

  /** Sets who is to be greeted. */
  public void setName(String name) {
    this.name = name;
  }
}
