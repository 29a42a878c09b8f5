// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.informer.InformerOptions;
import dev.windlass.manager.ManagedComponent;
import dev.windlass.manager.Phase;
import dev.windlass.scheduling.Loop;
import dev.windlass.webhook.server.ClientAuthorities;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Reloads the {@link ClientAuthorities} periodically while the server is running. This class is
 * thread-safe.
 */
final class ClientAuthorityReload implements ManagedComponent {

  private final ClientAuthorities authorities;
  private final InformerOptions options;

  @GuardedBy("this")
  private @Nullable Loop loop;

  ClientAuthorityReload(ClientAuthorities authorities, InformerOptions options) {
    this.authorities = authorities;
    this.options = options;
  }

  @Override
  public Phase phase() {
    return Phase.WEBHOOKS;
  }

  @Override
  public synchronized void start() {
    loop = new Loop("webhook-client-cas", authorities, options.scheduler(), options.threads());
    loop.start();
  }

  @Override
  public synchronized boolean stop(Duration limit) {
    if (loop != null) {
      loop.stop();
    }
    return true;
  }

  @Override
  public String toString() {
    return authorities.toString();
  }
}
