// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.versions;

import org.jspecify.annotations.Nullable;

/** The specification of a Site in v1: one string for host and port. */
public final class SiteV1Spec {

  private @Nullable String address;

  /** Returns the address, such as {@code shop.example.com:8443}. */
  public @Nullable String getAddress() {
    return address;
  }

  /** Sets the address. */
  public void setAddress(@Nullable String address) {
    this.address = address;
  }
}
