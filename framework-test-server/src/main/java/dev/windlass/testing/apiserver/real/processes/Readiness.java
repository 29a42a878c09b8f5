// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real.processes;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * Waits until an API server is ready for use: {@code /readyz} succeeds and the namespace {@code
 * default} exists. The server may not create this namespace until {@code /readyz} has succeeded.
 * All methods poll on the caller's thread.
 *
 * @param http a client with administrator credentials
 * @param clock the clock that measures the waiting time
 * @param timeout the maximum waiting time
 */
public record Readiness(HttpClient http, Clock clock, Duration timeout) {

  private static final Duration POLL = Duration.ofMillis(50);
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(2);
  private static final List<String> API_SERVER = List.of("/readyz", "/api/v1/namespaces/default");
  private static final List<String> ETCD = List.of("/health");

  /**
   * Waits until the API server at {@code url} is ready.
   *
   * @param url the server's address, without a path
   * @param needed the processes that must remain alive during the wait
   * @throws IllegalStateException if a process exits, the time-out expires or the caller is
   *     interrupted. The message contains the command and the end of the log of each process
   */
  void awaitApiServer(String url, List<ServerProcess> needed) {
    await(url, API_SERVER, needed);
  }

  /** Waits until etcd is ready, as {@link #awaitApiServer} does for the API server. */
  void awaitEtcd(String url, List<ServerProcess> needed) {
    await(url, ETCD, needed);
  }

  private void await(String url, List<String> paths, List<ServerProcess> needed) {
    Instant deadline = clock.instant().plus(timeout);
    String last = "";
    for (String path : paths) {
      while (true) {
        last = ask(URI.create(url + path), needed);
        if (last.isEmpty()) {
          break;
        }
        if (!needed.stream().allMatch(ServerProcess::isAlive)) {
          throw failure("a process of the API server ended while it started", last, needed);
        }
        if (clock.instant().isAfter(deadline)) {
          throw failure("the API server was not ready in " + timeout, last, needed);
        }
        LockSupport.parkNanos(POLL.toNanos());
      }
    }
  }

  /**
   * Sends a request. Returns an empty string if the status of the response is 200, or a description
   * of the problem otherwise.
   */
  private String ask(URI uri, List<ServerProcess> needed) {
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(REQUEST_TIMEOUT).build();
    try {
      var response = http.send(request, BodyHandlers.ofString());
      return response.statusCode() == 200
          ? ""
          : "%s answered %d: %s".formatted(uri, response.statusCode(), response.body());
    } catch (IOException e) {
      return uri + ": " + e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure("interrupted while the API server started", uri + ": " + e, needed);
    }
  }

  private static IllegalStateException failure(
      String what, String last, List<ServerProcess> processes) {
    return new IllegalStateException(
        "%s; the last response: %s%n%s"
            .formatted(
                what,
                last,
                processes.stream()
                    .map(ServerProcess::describe)
                    .collect(Collectors.joining(System.lineSeparator()))));
  }
}
