// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ServerRequestsTest {

  private static final String METRICS =
      """
      # HELP apiserver_request_total [STABLE] Counter of apiserver requests
      # TYPE apiserver_request_total counter
      apiserver_request_total{code="200",component="apiserver",dry_run="",group="compare.windlass.dev",resource="benches",scope="cluster",subresource="",verb="LIST",version="v1"} 2
      apiserver_request_total{code="200",component="apiserver",dry_run="",group="compare.windlass.dev",resource="benches",scope="resource",subresource="status",verb="PATCH",version="v1"} 5
      apiserver_request_total{code="201",component="apiserver",dry_run="",group="",resource="configmaps",scope="resource",subresource="",verb="APPLY",version="v1"} 7
      apiserver_request_total{code="409",component="apiserver",dry_run="",group="",resource="configmaps",scope="resource",subresource="",verb="POST",version="v1"} 1.1e+01
      apiserver_request_total{code="200",component="apiserver",dry_run="",group="",resource="namespaces",scope="resource",subresource="",verb="POST",version="v1"} 100
      apiserver_request_total{code="200",component="apiserver",dry_run="",group="example.com",resource="configmaps",scope="resource",subresource="",verb="PUT",version="v1"} 1000
      apiserver_request_total_other{group="compare.windlass.dev",verb="PUT"} 10000
      """;

  @Test
  void sumsTheRequestsForTheTypesOfTheComparisonOnly() {
    assertThat(ServerRequests.parse(METRICS)).isEqualTo(new ServerRequests(23, 25));
  }

  @Test
  void countsFromAnEarlierState() {
    ServerRequests later = new ServerRequests(5, 9);
    assertThat(later.since(new ServerRequests(2, 3))).isEqualTo(new ServerRequests(3, 6));
  }

  @Test
  void countsNothingOnAServerWithoutSuchRequests() {
    assertThat(ServerRequests.parse("")).isEqualTo(new ServerRequests(0, 0));
  }
}
