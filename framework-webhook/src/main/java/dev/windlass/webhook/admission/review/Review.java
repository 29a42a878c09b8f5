// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.admission.review;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.object.ObjectSerialization;
import dev.windlass.object.UndecodableException;
import dev.windlass.object.patch.UnknownFields;
import dev.windlass.webhook.admission.AdmissionRequest;
import dev.windlass.webhook.admission.AdmissionRule;
import dev.windlass.webhook.admission.Defaulter;
import dev.windlass.webhook.admission.FieldError;
import dev.windlass.webhook.admission.Operation;
import dev.windlass.webhook.admission.Validator;
import dev.windlass.webhook.admission.Verdict;
import dev.windlass.webhook.server.RequestHandler;
import java.util.Objects;
import java.util.Optional;

/**
 * Handles the {@code AdmissionReview}s for one rule. Decodes the objects, and calls the validator
 * or the defaulter. This class is thread-safe.
 *
 * @param <T> the class of the objects
 */
public final class Review<T> implements RequestHandler {

  /** Creates the response to a decoded request. */
  @FunctionalInterface
  private interface Step<T> {
    byte[] answer(ObjectSerialization json, ReviewRequest request, AdmissionRequest<T> typed)
        throws Exception;
  }

  private final AdmissionRule<T> rule;
  private final Step<T> step;
  private final ObjectSerialization json;

  private Review(AdmissionRule<T> rule, ObjectSerialization json, Step<T> step) {
    this.rule = rule;
    this.step = step;
    this.json = json;
  }

  /** Returns a handler that calls the given validator. */
  public static <T> RequestHandler validating(
      AdmissionRule<T> rule, Validator<T> validator, ObjectSerialization serialization) {
    return new Review<>(
        rule,
        serialization,
        (json, request, typed) -> {
          Verdict verdict = validator.validate(typed);
          return ReviewResponse.of(
              request, rule.type(), Objects.requireNonNull(verdict, "the validator returned null"));
        });
  }

  /** Returns a handler that calls the given defaulter to change the object. */
  public static <T> RequestHandler defaulting(
      AdmissionRule<T> rule, Defaulter<T> defaulter, ObjectSerialization serialization) {
    return new Review<>(
        rule,
        serialization,
        (json, request, typed) -> {
          ObjectNode before = json.convert(typed.object(), ObjectNode.class);
          defaulter.setDefaults(typed);
          ObjectNode after = json.convert(typed.object(), ObjectNode.class);
          if (request.operation() == Operation.DELETE) {
            return ReviewResponse.of(request, JsonNodeFactory.instance.arrayNode());
          }
          ObjectNode sent = request.current().orElseThrow();
          UnknownFields.Merged merged = UnknownFields.mergeByPosition(sent, before, after);
          if (merged.ambiguous().isPresent()) {
            FieldError error = Misfit.ofUnknown(merged.ambiguous().get());
            return ReviewResponse.of(request, rule.type(), Verdict.invalid(error));
          }
          return ReviewResponse.of(request, ChangedFields.patch(sent, merged.object()));
        });
  }

  @Override
  public byte[] handle(byte[] body) throws Exception {
    ReviewRequest request = ReviewRequest.parse(body, rule);
    AdmissionRequest<T> typed;
    try {
      typed = typed(request);
    } catch (UndecodableException e) {
      FieldError error = Misfit.of(request.current().orElseThrow(), e);
      return ReviewResponse.of(request, rule.type(), misfit(request, error));
    }
    return step.answer(json, request, typed);
  }

  private AdmissionRequest<T> typed(ReviewRequest request) {
    T object = json.convert(request.current().orElseThrow(), rule.target());
    return new AdmissionRequest<>(
        request.uid(),
        request.operation(),
        rule.type().plural(),
        request.subresource(),
        request.namespace(),
        request.name(),
        object,
        stored(request, object),
        request.user(),
        request.dryRun());
  }

  private Optional<T> stored(ReviewRequest request, T object) {
    if (request.operation() == Operation.DELETE) {
      return Optional.of(object);
    }
    if (request.stored().isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(json.convert(request.stored().get(), rule.target()));
    } catch (UndecodableException e) {
      return Optional.empty(); // the user is about to replace it
    }
  }

  /**
   * Returns the verdict on a request whose object cannot be decoded. Always allows deletions, and
   * updates that change only metadata or status. Otherwise, the object could not be deleted,
   * because its finalizers could not be removed. The rule determines whether other requests are
   * allowed.
   */
  private Verdict misfit(ReviewRequest request, FieldError error) {
    boolean harmless =
        request.operation() == Operation.DELETE
            || (request.operation() == Operation.UPDATE && !request.changesContent());
    if (harmless || rule.allowsUndecodable()) {
      return Verdict.allow();
    }
    return Verdict.invalid(error);
  }
}
