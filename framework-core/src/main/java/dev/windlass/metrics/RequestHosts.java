// SPDX-License-Identifier: Apache-2.0
package dev.windlass.metrics;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.client.pipeline.RequestListener;
import dev.windlass.scheduling.Scheduler;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Map;

/**
 * The metrics of requests, grouped by host. If several clusters have the same host, they share its
 * metrics. The metrics of a host are removed when the last of these clusters is closed.
 */
final class RequestHosts {

  private static final class Host {
    final RequestMetrics metrics;
    int users;

    Host(RequestMetrics metrics) {
      this.metrics = metrics;
    }
  }

  private final MeterRegistry registry;
  private final Scheduler scheduler;
  private final boolean histograms;

  @GuardedBy("this")
  private final Map<String, Host> hosts = new HashMap<>();

  RequestHosts(MeterRegistry registry, Scheduler scheduler, boolean histograms) {
    this.registry = registry;
    this.scheduler = scheduler;
    this.histograms = histograms;
  }

  /**
   * Permission for one cluster to use the metrics of a host. The cluster must close the lease
   * exactly once.
   */
  interface Lease extends AutoCloseable {

    RequestListener listener();

    @Override
    void close();
  }

  synchronized Lease acquire(String name) {
    Host host =
        hosts.computeIfAbsent(
            name,
            n -> new Host(new RequestMetrics(new Meters(registry), n, scheduler, histograms)));
    host.users++;
    return new Lease() {
      @Override
      public RequestListener listener() {
        return host.metrics;
      }

      @Override
      public void close() {
        release(name, host);
      }
    };
  }

  private synchronized void release(String name, Host host) {
    if (--host.users == 0 && hosts.remove(name, host)) {
      host.metrics.close();
    }
  }
}
