// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.api.model.StatusDetails;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A server-side apply of one object, and the requests that it needs. The first apply after {@link
 * Client#applyNew} also transfers the ownership of the fields that the creation owns.
 *
 * <p>The apply can name the resourceVersion that it replaces. If the server accepts such a request,
 * the response proves that the object had exactly this version. If the server rejects the request
 * because the object has another version, the apply is sent again without a resourceVersion.
 * Therefore, the resourceVersion never causes an exception.
 *
 * @param <T> the object's class
 */
final class ServerSideApply<T extends HasMetadata> {

  private final LiveClient client;
  private final T object;
  private final String subresource;
  private final FieldOwnershipTransfer transfer;

  ServerSideApply(LiveClient client, RestClient requests, T object, String subresource) {
    this.client = client;
    this.object = object;
    this.subresource = subresource;
    this.transfer = new FieldOwnershipTransfer(client, requests, client.options().applier());
  }

  /**
   * Sends the apply.
   *
   * @param base the resourceVersion that the apply replaces, or empty if it replaces any version
   * @return the object as stored by the server
   */
  T send(Optional<String> base) {
    if (!subresource.isEmpty() || client.options().dryRun()) {
      return sendTo(base);
    }
    T applied;
    try {
      applied = sendTo(base);
    } catch (ConflictException e) { // without force; our own creation may own the fields
      Optional<T> now = client.options().force() ? Optional.empty() : client.getLike(object);
      Optional<T> transferred = now.flatMap(transfer::of);
      if (transferred.isEmpty()) {
        throw e;
      }
      return sendTo(after(transferred.get(), base));
    }
    Optional<T> transferred = transfer.of(applied);
    return transferred.isPresent() ? sendTo(after(transferred.get(), base)) : applied;
  }

  /**
   * Sends the apply for the first time since the creation of the object. Before the apply, this
   * method transfers the ownership of the fields that the creation owns. Use it if the creation is
   * known to own more fields than its request contained.
   *
   * @param creator the field manager of the creation
   * @param base the resourceVersion that the apply replaces, or empty if it replaces any version
   */
  T sendToCreated(String creator, Optional<String> base) {
    Optional<T> transferred = transfer.unseen(object, creator, base);
    return send(transferred.flatMap(now -> after(now, base)));
  }

  private T sendTo(Optional<String> base) {
    if (base.isPresent()) {
      try {
        return client.apply(
            object, subresource, client.configurations().toApply(object, base.get()));
      } catch (ConflictException e) {
        if (isOfFields(e)) {
          throw e;
        }
      }
    }
    return client.apply(object, subresource, client.configurations().toApply(object));
  }

  /** Returns the version after a transfer, if the apply names the version that it replaces. */
  private Optional<String> after(T transferred, Optional<String> base) {
    return base.map(before -> transferred.getMetadata().getResourceVersion());
  }

  /** Returns whether the cause of a conflict is the owner of a field, and not the version. */
  private static boolean isOfFields(ConflictException conflict) {
    return Optional.ofNullable(conflict.getStatus())
        .map(Status::getDetails)
        .map(StatusDetails::getCauses)
        .stream()
        .flatMap(List<StatusCause>::stream)
        .anyMatch(cause -> Objects.equals(cause.getReason(), "FieldManagerConflict"));
  }
}
