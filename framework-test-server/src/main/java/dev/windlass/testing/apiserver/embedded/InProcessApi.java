// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.access.Users;
import dev.windlass.testing.apiserver.embedded.admission.AdmissionWebhooks;
import dev.windlass.testing.apiserver.embedded.conversion.Conversions;
import dev.windlass.testing.apiserver.embedded.http.InjectedFaults;
import dev.windlass.testing.apiserver.embedded.http.RequestLog;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.reads.OpenWatches;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import dev.windlass.testing.apiserver.embedded.schema.CrdRules;
import dev.windlass.testing.apiserver.embedded.storage.Store;
import dev.windlass.testing.apiserver.embedded.threads.Background;
import dev.windlass.testing.apiserver.embedded.types.BuiltInTypes;
import dev.windlass.testing.apiserver.embedded.types.ResourceTypes;
import dev.windlass.testing.apiserver.embedded.webhooks.ServiceAddresses;
import dev.windlass.testing.apiserver.embedded.webhooks.WebhookClient;
import dev.windlass.testing.apiserver.embedded.writes.IdGenerator;
import dev.windlass.testing.apiserver.embedded.writes.ObjectDeletes;
import dev.windlass.testing.apiserver.embedded.writes.ObjectWrites;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Provides the API of an {@link EmbeddedApiServer} without an HTTP server. It executes requests of
 * fabric8 clients on the calling thread, without sockets or additional threads. It does not include
 * watches or controllers, so objects are not garbage-collected, and deleting a namespace does not
 * delete its objects.
 *
 * <p>This class is thread-safe.
 */
public final class InProcessApi {

  private static final int HISTORY = 1;

  private final ResourceTypes types = new ResourceTypes();
  private final ObjectWrites writes;
  private final Conversions conversions;

  /**
   * The namespaces for which {@link #inNamespace} has been called. Later calls do not create the
   * namespace again, even if a client has deleted it.
   */
  private final Set<String> namespaces = ConcurrentHashMap.newKeySet();

  private final Background deliveries = Background.on((task, delay) -> () -> {});
  private final OpenWatches watches = new OpenWatches(deliveries, Duration.ofDays(1));
  private final ApiRequests requests;

  /**
   * Creates an API that does not contain any objects yet.
   *
   * @param clock the clock that provides the timestamps in objects
   */
  public InProcessApi(Clock clock) {
    Store store = new Store(HISTORY, Duration.ZERO, deliveries);
    writes = new ObjectWrites(store, clock, new IdGenerator(new Random()));
    WebhookClient webhooks =
        new WebhookClient(new ServiceAddresses(store, (namespace, name, port) -> null));
    conversions = new Conversions(webhooks);
    AdmissionWebhooks admission = new AdmissionWebhooks(store, types, webhooks);
    store.listen(admission);
    requests =
        new ApiRequests(
            store,
            types,
            new ObjectRequests(store, writes, new ObjectDeletes(store, writes), admission),
            true,
            new RequestLog(1),
            new InjectedFaults(),
            new Users());
  }

  /**
   * Adds the resource type of a custom resource definition, with its versions, schemas and
   * subresources.
   */
  public void define(CustomResourceDefinition definition) {
    byte[] json = Serialization.asJson(definition).getBytes(StandardCharsets.UTF_8);
    ObjectNode crd = Json.parseObject(json);
    CrdRules.defaults(crd);
    types.replace(CrdRules.resource(crd), CrdRules.types(crd, conversions.of(crd)));
  }

  /**
   * Creates the given namespace if it does not exist. Only the first call for each namespace has an
   * effect. Later calls do not create the namespace again, even if a client has deleted it.
   */
  public void inNamespace(String name) {
    if (namespaces.add(name)) {
      ObjectNode namespace = Json.object();
      Meta.of(namespace).json().put("name", name);
      try {
        writes.create(types.get(BuiltInTypes.NAMESPACES), "", namespace);
      } catch (StatusException e) {
        if (e.code() != HttpURLConnection.HTTP_CONFLICT) {
          throw new IllegalArgumentException(
              "'" + name + "' is not a valid name of a namespace", e);
        }
      }
    }
  }

  /**
   * Returns whether this API serves a type. It serves the built-in types and the types that were
   * passed to {@link #define}.
   */
  public boolean knows(String group, String version, String plural) {
    return types.find(group, version, plural).isPresent();
  }

  /**
   * Returns a factory of HTTP clients that send their requests to this API. Pass it to the builder
   * of a fabric8 client.
   */
  public HttpClient.Factory transport() {
    return new InMemoryTransport(requests, watches, deliveries, new WithoutWatches());
  }

  /** Rejects watches, because this API cannot deliver their events. */
  private static final class WithoutWatches implements TransportHook {
    @Override
    public void sending(RecordedRequest request) {
      if (request.verb() == Verb.WATCH) {
        throw new UnsupportedOperationException(
            "watches are not supported: use an EmbeddedApiServer");
      }
    }
  }
}
