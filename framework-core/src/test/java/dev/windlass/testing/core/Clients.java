// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.core;

import dev.windlass.client.pipeline.Pipeline;
import dev.windlass.client.pipeline.PipelineClients;
import dev.windlass.client.pipeline.RequestListener;
import dev.windlass.client.pipeline.WriteHook;
import dev.windlass.scheduling.Scheduler;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;

/** Clients with their own connections and the framework's transport. */
public final class Clients {

  private Clients() {}

  public static KubernetesClient hooked(Config config, WriteHook hook) {
    return hooked(config, hook, RequestListener.NONE);
  }

  public static KubernetesClient hooked(Config config, WriteHook hook, RequestListener listener) {
    return PipelineClients.open(config, null, hooks(hook, listener), Scheduler.system());
  }

  public static Pipeline.Hooks hooks(WriteHook hook, RequestListener listener) {
    return new Pipeline.Hooks(hook, listener, Thread::new);
  }
}
