// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import dev.windlass.client.AlreadyExistsException;
import dev.windlass.client.Client;
import dev.windlass.client.ConflictException;
import dev.windlass.client.InvalidException;
import dev.windlass.client.ObjectPatch;
import dev.windlass.client.pipeline.WriterContext;
import dev.windlass.object.patch.ObjectSnapshot;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Applies and names objects that an owner controls, and adopts objects without a controller. This
 * class has no state.
 */
public final class Owned {

  /**
   * The maximum number of attempts of {@link #apply}. It retries only if the object has been
   * created, deleted or replaced since it was read.
   */
  private static final int TRIES = 3;

  /** The maximum length of a DNS label: 63. */
  private static final int LONGEST_LABEL = 63;

  /** The number of digits of the hash in a shortened name: 8. */
  private static final int HASH = 8;

  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
  private static final Pattern FOREIGN = Pattern.compile("[^-a-z0-9]");
  private static final Pattern EDGES = Pattern.compile("^-+|-+$");

  private Owned() {}

  /**
   * Applies an object and makes the owner its controller. If the object does not exist, this method
   * creates it. Otherwise, it sets the fields in {@code wanted} using server-side apply. The server
   * removes fields that the creation or an earlier apply has set and that {@code wanted} no longer
   * contains. Fields of other field owners remain unchanged. The client sends no write if it has
   * already applied the same fields and their values have not changed since. After a restart, the
   * client uses the recorded field ownership to determine whether a write is required.
   *
   * <pre>{@code
   * Owned.apply(context.client(), shop, new ConfigMapBuilder()
   *     .withNewMetadata().withNamespace("shop").withName("settings").endMetadata()
   *     .addToData("colour", "blue").build());
   * }</pre>
   *
   * <p>This method never changes objects of other owners, even if the cache is outdated or another
   * writer creates the object at the same time. If a read does not find the object, this method
   * calls {@link Client#applyNew}, which does not change existing objects. If a read finds the
   * object, this method uses its uid as a precondition.
   *
   * @param owner the owner as it was read from the server
   * @param wanted an object that contains the name, the namespace if the type is namespaced, and
   *     the desired fields; this method does not modify it
   * @return the object as stored by the server, and whether the object was changed. A change of
   *     only its {@code managedFields} does not count
   * @throws NotControlledException if the object exists and the owner is not its controller; if it
   *     has another controller, an {@link AlreadyOwnedException} is thrown
   * @throws IllegalArgumentException if {@code wanted} does not have a name, or cannot have this
   *     owner; see {@link OwnerReferences#setController}
   * @throws IllegalStateException if there is no field owner; see {@link Client#withFieldOwner}.
   *     This can occur only outside reconciles
   */
  public static <T extends HasMetadata> Operation<T> apply(
      Client client, HasMetadata owner, T wanted) {
    Objects.requireNonNull(wanted, "apply(...) was given null: pass the desired object");
    MetadataChecks.checkedKey(wanted);
    T own = client.serialization().copy(wanted);
    own.getMetadata().setUid(null);
    OwnerReferences.setController(own, owner);
    Optional<T> found = client.get(own);
    for (int tries = 1; ; tries++) {
      try {
        return found.isEmpty()
            ? new Operation<>(client.applyNew(own), Operation.Result.CREATED)
            : applyTo(client, owner, found.get(), own);
      } catch (AlreadyExistsException | ConflictException | InvalidException e) {
        Optional<T> now = client.uncached().get(own);
        if (tries == TRIES || uid(now).equals(uid(found))) {
          throw e; // no other object has replaced it
        }
        found = now;
      }
    }
  }

  private static <T extends HasMetadata> Operation<T> applyTo(
      Client client, HasMetadata owner, T found, T own) {
    OwnerReferences.requireController(found, OwnerReferences.controller(owner));
    own.getMetadata().setUid(found.getMetadata().getUid());
    T now = client.applyWhole(own, found);
    boolean same =
        found.getMetadata().getResourceVersion().equals(now.getMetadata().getResourceVersion())
            || hasSameContent(client, found, now, own);
    return new Operation<>(now, same ? Operation.Result.NONE : Operation.Result.UPDATED);
  }

  /**
   * Returns whether an object has the same content as before an apply, which may have changed only
   * its {@code managedFields}. The status is ignored if the apply does not contain it, because
   * other writers may have changed it.
   */
  private static <T extends HasMetadata> boolean hasSameContent(
      Client client, T before, T now, T applied) {
    ObjectSnapshot snapshot = ObjectSnapshot.of(client.serialization(), before);
    ObjectSnapshot.Change change = snapshot.changeTo(now);
    return change.content().isEmpty()
        && (change.status().isEmpty() || !snapshot.hasStatus(applied));
  }

  private static String uid(Optional<? extends HasMetadata> object) {
    return object.map(found -> found.getMetadata().getUid()).orElse("");
  }

  /**
   * Makes the owner the controller of an existing object that does not have a controller. Use this
   * method to take over an object, because {@link #apply} and {@link CreateOrUpdate} reject objects
   * that the owner does not control. In a reconcile, the server records the controller's name as
   * the field manager of this change.
   *
   * @param object the object as it was read; this method modifies it
   * @return the object as stored by the server
   * @throws AlreadyOwnedException if the object has another controller
   * @throws dev.windlass.client.ConflictException if the object has changed since it was read
   * @throws IllegalArgumentException if the object cannot have this owner; see {@link
   *     OwnerReferences#setController}
   */
  public static <T extends HasMetadata> T adopt(Client client, HasMetadata owner, T object) {
    if (OwnerReferences.isControlledBy(object, owner)) {
      return object;
    }
    ObjectSnapshot before = ObjectSnapshot.of(client.serialization(), object);
    OwnerReferences.setController(object, owner);
    Client adopter =
        WriterContext.current()
            .map(writer -> client.withFieldOwner(writer.fieldOwner()))
            .orElse(client);
    return adopter.patch(object, ObjectPatch.merge(before.changeTo(object).content()));
  }

  /**
   * Returns a name for an owned object, at most 63 characters long; see {@link #childName(
   * HasMetadata, String, int)}.
   */
  public static String childName(HasMetadata owner, String suffix) {
    return childName(owner, suffix, LONGEST_LABEL);
  }

  /**
   * Returns a name for an owned object: the owner's name, a hyphen and the suffix, if this is a DNS
   * label of at most the given length. Names of Services and values of labels must be DNS labels,
   * but an owner's name can have dots and 253 characters. In this case, other characters are
   * replaced with hyphens, the name is shortened, and eight digits of a hash of the whole name are
   * appended, so that the children of {@code a.b} and {@code a-b} have different names. The result
   * depends only on the arguments. A Service's name must also begin with a letter.
   *
   * @param suffix distinguishes the children of one owner; can be empty if there is only one
   * @param longest the maximum length, from 9 to 63. Use 52 for CronJobs and StatefulSets, which
   *     append to their names
   * @throws IllegalArgumentException if the owner has no name, or the length is not valid
   */
  public static String childName(HasMetadata owner, String suffix, int longest) {
    if (longest <= HASH || longest > LONGEST_LABEL) {
      throw new IllegalArgumentException(
          "the maximum length of a name must be %d to %d: %d"
              .formatted(HASH + 1, LONGEST_LABEL, longest));
    }
    String owned = ObjectNames.key(owner).name() + (suffix.isEmpty() ? "" : "-" + suffix);
    if (owned.length() <= longest && LABEL.matcher(owned).matches()) {
      return owned;
    }
    String label = EDGES.matcher(FOREIGN.matcher(owned).replaceAll("-")).replaceAll("");
    String kept = label.substring(0, Math.min(label.length(), longest - HASH - 1));
    return EDGES.matcher(kept + "-" + hash(owned)).replaceAll("");
  }

  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, HASH / 2);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }
}
