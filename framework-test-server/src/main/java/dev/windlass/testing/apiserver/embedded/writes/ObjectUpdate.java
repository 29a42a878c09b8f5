// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.writes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.objects.ObjectKey;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.ownership.FieldOwnership;
import dev.windlass.testing.apiserver.embedded.ownership.ManagedFields;
import dev.windlass.testing.apiserver.embedded.rules.KindRules;
import dev.windlass.testing.apiserver.embedded.rules.MetadataRules;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * An update of one object.
 *
 * @param type the type of the object
 * @param key the object's key
 * @param subresource {@code status} to change only the status; {@code finalize} to also change a
 *     namespace's {@code spec.finalizers}; empty to change neither the status nor these finalizers
 * @param edit the function that computes the desired object from the current object, in the version
 *     of the type. It must not modify its argument
 * @param options the options of the write
 */
record ObjectUpdate(
    ResourceType type,
    ObjectKey key,
    String subresource,
    UnaryOperator<ObjectNode> edit,
    WriteOptions options) {
  private static final String STATUS = "status";
  private static final String FINALIZE = "finalize";

  /** An updated object that has not been validated yet, and the errors found so far. */
  private record Draft(ObjectNode object, List<FieldError> errors) {}

  /**
   * Applies the edit, the review and the validation, and returns the updated object in the version
   * of the type.
   *
   * @param stored the current object in the store
   * @param now the current time in the format used in objects
   * @param addresses the supplier of cluster IPs for Services
   * @throws StatusException 409, 422, or the exception that the review throws
   */
  ObjectNode apply(ObjectNode stored, String now, Supplier<String> addresses) {
    ObjectNode old = type.comparable(stored);
    ObjectNode shown = type.present(stored);
    ObjectNode edited = edit.apply(shown);
    if (!options.mustReleaseLock(type)) {
      return validated(old, draft(old, edited, options.owners(), now, addresses));
    }
    Draft draft = draft(old, edited.deepCopy(), options.owners(), now, addresses);
    if (options.review().isActive()) {
      ObjectNode sent = type.present(new KindRules(type).decode(edited.deepCopy()));
      ManagedFields.copy(draft.object(), sent);
      ObjectNode mutated = options.review().mutate(shown, sent);
      if (!Json.same(sent, mutated)) {
        FieldOwnership kept = FieldOwnership.as(mutated);
        draft = draft(old, mutated.deepCopy(), kept, now, addresses);
      }
    }
    ObjectNode object = validated(old, draft);
    options.review().validate(shown, type.present(object));
    return object;
  }

  private ObjectNode validated(ObjectNode old, Draft draft) {
    new KindRules(type).validate(old, draft.object(), subresource, draft.errors());
    return draft.object();
  }

  private Draft draft(
      ObjectNode old,
      ObjectNode edited,
      FieldOwnership owners,
      String now,
      Supplier<String> addresses) {
    KindRules rules = new KindRules(type);
    boolean reset = ManagedFields.isReset(type, edited);
    ObjectNode object = rules.decode(edited);
    Meta meta = Meta.of(object);
    MetadataRules.checkPlace(meta, key);
    ObjectNode owned = subresource.isEmpty() ? ManagedFields.asGiven(old, object, reset) : old;
    MetadataRules.restore(type, Meta.of(old), meta);
    if (subresource.equals(STATUS)) {
      object = rules.withStatus(old, object);
    } else {
      rules.keepStatus(old, object);
      if (!subresource.equals(FINALIZE)) {
        rules.keepSpecFinalizers(old, object);
      }
      object.set("apiVersion", old.path("apiVersion"));
      rules.nextGeneration(old, object);
    }
    boolean keepsMetadata = type.custom() && subresource.equals(STATUS);
    List<FieldError> errors =
        keepsMetadata
            ? new ArrayList<>()
            : MetadataRules.onUpdate(type, Meta.of(old), Meta.of(object));
    owners.note(type, subresource, owned, object, now);
    if (subresource.equals(STATUS)) {
      rules.keepMetadata(old, object);
    } else {
      rules.allocate(old, object, addresses);
    }
    return new Draft(object, errors);
  }
}
