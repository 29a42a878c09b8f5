// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.webhooks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.GroupResource;
import dev.windlass.testing.apiserver.embedded.objects.ObjectKey;
import dev.windlass.testing.apiserver.embedded.services.ServiceResolver;
import dev.windlass.testing.apiserver.embedded.storage.Store;
import dev.windlass.testing.apiserver.embedded.webhooks.WebhookTarget.ServicePort;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Resolves a Service to an address that this process can reach. The cluster IP is not reachable, so
 * this class returns the address of a ready endpoint in the server's store. If there is none, it
 * calls the test's resolver.
 */
public final class ServiceAddresses {
  private static final GroupResource SERVICES = new GroupResource("", "services");
  private static final GroupResource ENDPOINTS = new GroupResource("", "endpoints");
  private static final GroupResource SLICES =
      new GroupResource("discovery.k8s.io", "endpointslices");

  private final Store store;
  private final ServiceResolver resolver;

  public ServiceAddresses(Store store, ServiceResolver resolver) {
    this.store = store;
    this.resolver = resolver;
  }

  /**
   * Checks that the current thread does not hold the store's lock. A thread that holds the lock
   * must not call a webhook, because the call can block.
   */
  void requireUnlocked() {
    store.requireUnlocked();
  }

  /**
   * Returns an address that serves the given port of a Service.
   *
   * @throws WebhookCallException if the Service does not exist or has no endpoints
   */
  InetSocketAddress resolve(ServicePort service) throws WebhookCallException {
    ObjectKey key = new ObjectKey(service.namespace(), service.name());
    boolean exists;
    Optional<InetSocketAddress> found;
    try (Store.Transaction tx = store.begin()) {
      ObjectNode object = tx.get(SERVICES, key);
      exists = object != null;
      JsonNode port = object == null ? MissingNode.getInstance() : port(object, service.port());
      found = inSlices(tx, service, port).or(() -> inEndpoints(tx.get(ENDPOINTS, key), port));
    }
    InetSocketAddress address =
        found.isPresent()
            ? found.get()
            : resolver.resolve(service.namespace(), service.name(), service.port());
    if (address == null) {
      throw new WebhookCallException(
          exists
              ? "no endpoints available for service \"%s\"".formatted(service.name())
              : "service \"%s\" not found".formatted(service.name()));
    }
    return address;
  }

  private static JsonNode port(ObjectNode service, int number) {
    for (JsonNode port : service.path("spec").path("ports")) {
      if (port.path("port").asInt() == number) {
        return port;
      }
    }
    return MissingNode.getInstance();
  }

  private static Optional<InetSocketAddress> inSlices(
      Store.Transaction tx, ServicePort service, JsonNode port) {
    for (ObjectNode slice : tx.table(SLICES).objects().values()) {
      JsonNode metadata = slice.path("metadata");
      String owner = metadata.path("labels").path("kubernetes.io/service-name").asText();
      if (metadata.path("namespace").asText().equals(service.namespace())
          && owner.equals(service.name())) {
        for (JsonNode endpoint : slice.path("endpoints")) {
          String address = endpoint.path("addresses").path(0).asText("");
          int number = number(slice.path("ports"), port);
          if (endpoint.path("conditions").path("ready").asBoolean(true)
              && !address.isEmpty()
              && number > 0) {
            return Optional.of(new InetSocketAddress(address, number));
          }
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<InetSocketAddress> inEndpoints(
      @Nullable ObjectNode endpoints, JsonNode port) {
    if (endpoints != null) {
      for (JsonNode subset : endpoints.path("subsets")) {
        String address = subset.path("addresses").path(0).path("ip").asText("");
        int number = number(subset.path("ports"), port);
        if (!address.isEmpty() && number > 0) {
          return Optional.of(new InetSocketAddress(address, number));
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Returns the number of the endpoint port that has the same name as the Service's port, or 0 if
   * there is none. If the Service's port is missing, returns the first endpoint port.
   */
  private static int number(JsonNode ports, JsonNode servicePort) {
    String name = servicePort.path("name").asText("");
    for (JsonNode port : ports) {
      if (servicePort.isMissingNode() || port.path("name").asText("").equals(name)) {
        return port.path("port").asInt();
      }
    }
    return 0;
  }
}
