// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.comparison;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.TestApiServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.net.http.HttpClient;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Executes operations on both servers, each sequence in a namespace of its own. */
final class Comparison {
  private final List<TestApiServer> servers;
  private final List<HttpClient> clients;
  private final AtomicInteger namespaces = new AtomicInteger();
  private final LongAdder operations = new LongAdder();

  Comparison(TestApiServer real, TestApiServer embedded) {
    servers = List.of(real, embedded);
    clients = servers.stream().map(Comparison::client).toList();
  }

  private static HttpClient client(TestApiServer server) {
    try {
      return HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .sslContext(SSLUtils.sslContext(server.clientConfig()))
          .build();
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the number of operations that both servers have executed. */
  long operations() {
    return operations.sum();
  }

  /** Returns the first difference that is not known. */
  Optional<Difference> run(List<Operation> sequence) {
    String namespace = "compare-" + namespaces.incrementAndGet();
    List<ServerSession> sessions = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Config config = servers.get(i).clientConfig();
      String url = config.getMasterUrl().replaceAll("/$", "");
      sessions.add(new ServerSession(clients.get(i), url, namespace));
    }
    for (Operation operation : sequence) {
      operations.increment();
      List<ObjectNode> replies = sessions.stream().map(s -> s.execute(operation)).toList();
      List<Difference> found = differences(operation, replies);
      Optional<Difference> unknown = unknown(found);
      if (!found.isEmpty()) {
        return unknown; // after a known difference, the states may differ
      }
    }
    return watches(sequence, sessions);
  }

  private static Optional<Difference> watches(
      List<Operation> sequence, List<ServerSession> sessions) {
    sessions.forEach(ServerSession::startWatches);
    for (Operation operation : sequence) {
      if (operation.method().equals("WATCH")) {
        List<ObjectNode> replies = sessions.stream().map(s -> s.events(operation)).toList();
        Optional<Difference> found = unknown(differences(operation, replies));
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<Difference> unknown(List<Difference> found) {
    return found.stream().filter(d -> KnownDifference.find(d).isEmpty()).findFirst();
  }

  private static List<Difference> differences(Operation operation, List<ObjectNode> replies) {
    List<Difference> found = new ArrayList<>();
    Difference.find(operation, "", replies.get(0), replies.get(1), found);
    return found;
  }

  /** Removes operations from a failing sequence while it still fails in the same way, for 20 s. */
  List<Operation> shrink(List<Operation> sequence, Difference difference) {
    long end = System.nanoTime() + 20_000_000_000L;
    List<Operation> shortest = new ArrayList<>(sequence);
    for (boolean again = true; again; ) {
      again = false;
      for (int i = shortest.size() - 1; i >= 0 && System.nanoTime() < end; i--) {
        List<Operation> shorter = new ArrayList<>(shortest);
        shorter.remove(i);
        Optional<Difference> found = run(shorter);
        if (found.isPresent() && found.get().signature().equals(difference.signature())) {
          shortest = shorter;
          again = true;
        }
      }
    }
    return shortest;
  }
}
