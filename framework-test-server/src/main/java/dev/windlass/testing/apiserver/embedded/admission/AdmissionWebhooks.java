// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.http.ApiRequest;
import dev.windlass.testing.apiserver.embedded.objects.GroupResource;
import dev.windlass.testing.apiserver.embedded.objects.UserInfo;
import dev.windlass.testing.apiserver.embedded.storage.Change;
import dev.windlass.testing.apiserver.embedded.storage.ChangeListener;
import dev.windlass.testing.apiserver.embedded.storage.Store;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import dev.windlass.testing.apiserver.embedded.types.ResourceTypes;
import dev.windlass.testing.apiserver.embedded.webhooks.WebhookClient;
import dev.windlass.testing.apiserver.embedded.writes.Review;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The admission webhooks of all configurations, ordered by configuration name. Reads do not acquire
 * a lock. The store's lock guards changes.
 */
public final class AdmissionWebhooks implements ChangeListener {
  private static final String GROUP = "admissionregistration.k8s.io";

  private final Store store;
  private final ResourceTypes types;
  private final WebhookClient client;
  private final Configurations mutating = new Configurations("mutatingwebhookconfigurations");
  private final Configurations validating = new Configurations("validatingwebhookconfigurations");

  /** The webhooks of all configurations of one kind. */
  private static final class Configurations {
    private final GroupResource resource;
    private final Map<String, List<AdmissionWebhook>> byName = new TreeMap<>();
    private volatile List<AdmissionWebhook> webhooks = List.of();

    Configurations(String plural) {
      resource = new GroupResource(GROUP, plural);
    }

    void changed(Change change) {
      if (change.type() == Change.Type.DELETED) {
        byName.remove(change.meta().name());
      } else {
        byName.put(change.meta().name(), AdmissionWebhook.of(change.object()));
      }
      webhooks = byName.values().stream().flatMap(List::stream).toList();
    }
  }

  public AdmissionWebhooks(Store store, ResourceTypes types, WebhookClient client) {
    this.store = store;
    this.types = types;
    this.client = client;
  }

  @Override
  public void changed(GroupResource resource, Change change) {
    for (Configurations configurations : List.of(mutating, validating)) {
      if (resource.equals(configurations.resource)) {
        configurations.changed(change);
      }
    }
  }

  /**
   * Creates the review of a request. The review calls only webhooks whose rules can match the
   * requested resource.
   *
   * @param options the body of a delete request; an empty object for other requests
   * @param warnings the consumer of the warnings for the client
   */
  public Review review(
      ApiRequest request, UserInfo user, ObjectNode options, Consumer<String> warnings) {
    List<AdmissionWebhook> mutators = mutating.webhooks;
    List<AdmissionWebhook> validators = validating.webhooks;
    ResourceType type = request.type();
    if ((mutators.isEmpty() && validators.isEmpty()) || type.group().equals(GROUP)) {
      return Review.NONE;
    }
    List<ResourceType> others = types.otherVersions(type);
    return new RequestReview(
        request,
        user,
        options,
        mutators.stream().filter(w -> w.concerns(type, request.subresource(), others)).toList(),
        validators.stream().filter(w -> w.concerns(type, request.subresource(), others)).toList(),
        new WebhookSelection(store, others),
        new WebhookCalls(client, warnings));
  }
}
