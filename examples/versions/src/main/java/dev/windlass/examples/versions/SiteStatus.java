// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.versions;

import org.jspecify.annotations.Nullable;

/** The status of a Site, which is the same in all versions. */
public final class SiteStatus {

  private @Nullable String url;

  /** Returns the URL of the Site. */
  public @Nullable String getUrl() {
    return url;
  }

  /** Sets the URL. */
  public void setUrl(@Nullable String url) {
    this.url = url;
  }
}
