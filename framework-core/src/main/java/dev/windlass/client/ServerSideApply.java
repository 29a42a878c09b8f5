// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.client.apply.FieldOwnership;
import dev.windlass.client.apply.RefusedApply;
import dev.windlass.logging.OneLine;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ResourceType;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.api.model.StatusDetails;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A server-side apply of one object, and the requests that it needs. In most cases, that is one.
 * Two cases need more, so that the apply can remove a field in the same version of the object in
 * which it sets another:
 *
 * <ul>
 *   <li>The field owner has set fields by other writes, such as a create request, or under another
 *       name. Before the apply, it takes over these fields in {@code managedFields}.
 *   <li>The server refuses the apply because of a field that nobody owns, such as a default. The
 *       field owner claims this field in {@code managedFields} and applies again.
 * </ul>
 *
 * <p>An apply that changes an object can name the resourceVersion that it replaces. If the server
 * accepts such a request, the response proves that the object had exactly this version. If the
 * server rejects the request because the object has another version, the apply is sent again
 * without a resourceVersion. Therefore, the resourceVersion never causes an exception.
 *
 * @param <T> the object's class
 */
final class ServerSideApply<T extends HasMetadata> {

  /** The maximum number of attempts if other writers change the object meanwhile. */
  private static final int TRIES = 5;

  /** The maximum number of refusals that are cured. The server may find one field at a time. */
  private static final int CURES = 3;

  /** The maximum length of the server's message in an exception. */
  private static final int LONGEST_REASON = 1024;

  private static final int UNSUPPORTED_MEDIA_TYPE = 415;

  private final LiveClient client;
  private final RestClient requests;
  private final T object;
  private final String subresource;
  private final Optional<T> existing;
  private final ResourceType type;
  private final String applier;
  private final Set<String> former;

  /**
   * Prepares an apply.
   *
   * @param existing the object as it was read, if the apply contains its whole desired state
   */
  ServerSideApply(
      LiveClient client, RestClient requests, T object, String subresource, Optional<T> existing) {
    this.existing = existing;
    this.client = client;
    this.requests = requests;
    this.object = object;
    this.subresource = subresource;
    this.type = client.typeOf(object);
    this.applier = client.options().applier();
    this.former = client.options().formerAppliers();
  }

  /**
   * Creates the object.
   *
   * @return the object as stored by the server
   * @throws AlreadyExistsException if the object exists
   */
  T create() {
    try {
      return client.apply("create", object, "", client.configurations().toCreate(object));
    } catch (ConflictException e) {
      if (client.getLike(object).isEmpty()) {
        throw e; // of a quota, or the object has just been deleted
      }
      throw new AlreadyExistsException(
          "can't create %s %s: it already exists".formatted(type.resource(), type.keyOf(object)));
    } catch (ApiException e) {
      if (!lacksServerSideApply(e)) {
        throw e;
      }
      T sent = requests.copy(object);
      sent.getMetadata().setUid(null);
      sent.getMetadata().setResourceVersion(null);
      return client.with(client.options().withFieldOwner(applier)).createLike(sent);
    }
  }

  /**
   * Returns whether the type or the server may not support server-side apply, such as fabric8's
   * mock server. If it is the type that does not exist, a create request fails in the same way.
   */
  private static boolean lacksServerSideApply(ApiException e) {
    return e.getCode() == UNSUPPORTED_MEDIA_TYPE
        || e.getCode() == HttpURLConnection.HTTP_BAD_METHOD
        || (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND
            && details(e).map(StatusDetails::getKind).isEmpty());
  }

  /**
   * Sends the apply.
   *
   * @param base the resourceVersion that the apply replaces, or empty if it replaces any version
   * @param cached the object in a cache, if it is known
   * @param check whether to check in any case whether there are fields to take over
   * @return the object as stored by the server
   */
  T send(Optional<String> base, Optional<CachedObject<T>> cached, boolean check) {
    if (!subresource.isEmpty() || client.options().dryRun()) {
      return sendTo(base);
    }
    Optional<String> version = base;
    boolean late = false;
    if (check || mustTakeOver(cached)) {
      try {
        version = takeOver(former).filter(after -> base.isPresent()).or(() -> base);
      } catch (InvalidException | ForbiddenException e) {
        late = true; // a policy may refuse the old state, but not the new one
      }
    }
    T applied = sendUntilCured(version);
    if (!late) {
      return applied;
    }
    Set<String> names = new HashSet<>(former);
    existing.ifPresent(read -> names.add(applier)); // its updates, although it has applied now
    Optional<String> after = takeOver(names);
    return after.isPresent() ? sendTo(after) : applied;
  }

  private Optional<String> takeOver(Set<String> names) {
    return rewrite(live -> ownership(live.getMetadata()).handedOver(names, existing.isPresent()));
  }

  private T sendUntilCured(Optional<String> base) {
    Optional<String> version = base;
    List<ManagedFieldsEntry> original = List.of();
    for (int cures = 0; ; cures++) {
      try {
        return sendTo(version);
      } catch (InvalidException e) {
        Cure cure = cure(e, cures < CURES);
        if (cure.version().isEmpty()) {
          if (cures > 0) {
            undo(original, version.orElseThrow());
          }
          throw cure.refusal();
        }
        original = cures == 0 ? cure.original() : original;
        version = cure.version();
      }
    }
  }

  /**
   * What was done about a refusal.
   *
   * @param version the version of the object after a claim, or empty if nothing was claimed
   * @param original the {@code managedFields} before the claim
   * @param refusal the refusal, which names fields of other managers that may be the reason
   */
  private record Cure(
      Optional<String> version, List<ManagedFieldsEntry> original, InvalidException refusal) {}

  /** Claims the fields because of which the server has refused the apply, if there are any. */
  private Cure cure(InvalidException refusal, boolean allowed) {
    List<StatusCause> causes = details(refusal).map(StatusDetails::getCauses).orElse(List.of());
    List<ManagedFieldsEntry> original = new ArrayList<>();
    StringBuilder foreign = new StringBuilder();
    Optional<String> version = Optional.empty();
    if (!causes.isEmpty() && allowed) {
      Map<?, ?> wanted = requests.tree(client.configurations().toApply(object));
      try {
        version =
            rewrite(
                live -> {
                  ObjectMeta metadata = live.getMetadata();
                  original.clear();
                  original.addAll(metadata.getManagedFields());
                  RefusedApply found =
                      RefusedApply.of(
                          causes,
                          wanted,
                          requests.tree(requests.write(live)),
                          ownership(metadata),
                          requests.client().getKubernetesSerialization());
                  foreign.replace(0, foreign.length(), found.foreign());
                  return found.claimed();
                });
      } catch (InvalidException | ForbiddenException e) {
        // The first refusal says more than that of the claim.
      }
    }
    return new Cure(
        version, original, foreign.isEmpty() ? refusal : blocked(refusal, foreign.toString()));
  }

  /** Gives up claims that were of no use, unless another writer has changed the object since. */
  private void undo(List<ManagedFieldsEntry> original, String version) {
    try {
      rewrite(
          live ->
              Optional.of(original)
                  .filter(entries -> live.getMetadata().getResourceVersion().equals(version)));
    } catch (ApiException e) {
      // The next apply that succeeds removes the claimed fields, and the server sets them again.
    }
  }

  private InvalidException blocked(InvalidException refusal, String fields) {
    Status status = refusal.getStatus();
    return new InvalidException(
        ("can't apply %s %s: the object has %s, which this apply does not set and can't remove. If it"
                + " is in the way, remove it, for example with kubectl edit, or, if the field manager"
                + " is your own program, name it in ControllerBuilder.formerFieldOwners. %s (HTTP %d)")
            .formatted(
                type.resource(),
                type.keyOf(object),
                fields,
                OneLine.of(String.valueOf(status.getMessage()), LONGEST_REASON),
                refusal.getCode()),
        refusal.getCode(),
        status);
  }

  /**
   * Returns whether the object may have fields to take over. This is known from the cache, or from
   * the object as it was read. Otherwise, it is assumed if there are former field owners.
   */
  private boolean mustTakeOver(Optional<CachedObject<T>> cached) {
    if (cached.isPresent()) {
      CachedObject<T> state = cached.get();
      return (existing.isPresent() && state.appliedBy(applier, "").isEmpty())
          || isAppliedByFormer(state);
    }
    return !former.isEmpty()
        || existing
            .flatMap(read -> ownership(read.getMetadata()).handedOver(former, true))
            .isPresent();
  }

  /**
   * Returns whether a former field owner may have fields of the object, even if its desired state
   * is unchanged.
   *
   * @param first whether this process has not applied the object yet
   */
  boolean mayTakeOver(boolean first, Optional<CachedObject<T>> cached) {
    return subresource.isEmpty()
        && !former.isEmpty()
        && (first || cached.filter(this::isAppliedByFormer).isPresent());
  }

  private boolean isAppliedByFormer(CachedObject<T> state) {
    return former.stream().anyMatch(name -> state.appliedBy(name, "").isPresent());
  }

  private FieldOwnership ownership(ObjectMeta metadata) {
    return new FieldOwnership(metadata, applier, type.apiVersion());
  }

  /**
   * Replaces the object's {@code managedFields}, and nothing else.
   *
   * @param change computes the new entries from the object, or an empty result for no change
   * @return the version of the object after that, or empty if there was no change
   */
  private Optional<String> rewrite(
      Function<GenericKubernetesResource, Optional<List<ManagedFieldsEntry>>> change) {
    for (int tries = 1; ; tries++) {
      Optional<GenericKubernetesResource> live =
          client.whole(type, type.keyOf(object)).filter(this::isSame);
      Optional<List<ManagedFieldsEntry>> entries = live.flatMap(change);
      if (entries.isEmpty()) {
        return Optional.empty();
      }
      ObjectMeta metadata = live.get().getMetadata();
      try {
        List<Map<String, Object>> operations =
            List.of(
                replace("uid", metadata.getUid()),
                replace("resourceVersion", metadata.getResourceVersion()),
                replace("managedFields", entries.get()));
        T after = client.patch(object, ObjectPatch.json(requests.write(operations)));
        return Optional.of(after.getMetadata().getResourceVersion());
      } catch (ConflictException e) { // another writer, such as a status controller, was faster
        if (tries == TRIES) {
          throw e;
        }
      }
    }
  }

  /** Returns whether the object is the one to apply, and not another one of its name. */
  private boolean isSame(HasMetadata live) {
    String uid = object.getMetadata().getUid();
    return uid == null || uid.equals(live.getMetadata().getUid());
  }

  private static Map<String, Object> replace(String field, Object value) {
    return Map.of("op", "replace", "path", "/metadata/" + field, "value", value);
  }

  private T sendTo(Optional<String> base) {
    if (base.isPresent()) {
      try {
        return client.apply(
            "apply", object, subresource, client.configurations().toApply(object, base.get()));
      } catch (ConflictException e) {
        if (isOfFields(e)) {
          throw e;
        }
      }
    }
    return client.apply("apply", object, subresource, client.configurations().toApply(object));
  }

  /** Returns whether the cause of a conflict is the owner of a field, and not the version. */
  private static boolean isOfFields(ConflictException conflict) {
    return details(conflict).map(StatusDetails::getCauses).stream()
        .flatMap(List<StatusCause>::stream)
        .anyMatch(cause -> Objects.equals(cause.getReason(), "FieldManagerConflict"));
  }

  private static Optional<StatusDetails> details(ApiException e) {
    return Optional.ofNullable(e.getStatus()).map(Status::getDetails);
  }
}
