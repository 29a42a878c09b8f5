// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.versions;

import org.jspecify.annotations.Nullable;

/** The specification of a Site in v2. */
public final class SiteSpec {

  private @Nullable String host;
  private @Nullable Integer port;
  private @Nullable Boolean tls;

  /** Returns the host, such as {@code shop.example.com}. */
  public @Nullable String getHost() {
    return host;
  }

  /** Sets the host. */
  public void setHost(@Nullable String host) {
    this.host = host;
  }

  /** Returns the port. */
  public @Nullable Integer getPort() {
    return port;
  }

  /** Sets the port. */
  public void setPort(@Nullable Integer port) {
    this.port = port;
  }

  /** Returns whether the Site uses TLS, which v1 cannot express. The default is false. */
  public @Nullable Boolean getTls() {
    return tls;
  }

  /** Sets whether the Site uses TLS. */
  public void setTls(@Nullable Boolean tls) {
    this.tls = tls;
  }
}
