// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.windlass.webhook.registration.RegisteredObject;
import dev.windlass.webhook.registration.WebhookRegistration;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Determines which version of the program decides what the webhook configurations contain, if
 * replicas of two versions run at the same time, as in a rolling update. Otherwise, each version
 * would undo the changes of the other.
 *
 * <p>The deciding version writes a {@link Claim} into the objects that it applies. A claim contains
 * the start of a replica and a hash of its declarations. All replicas with the same declarations
 * share the claim. A replica with other declarations replaces it only if it started later.
 *
 * <p>A replica that does not decide has to find out when the last replica of the deciding version
 * has ended. Once per minute, it adds a question to the claim. Every replica of the deciding
 * version answers by removing the question. If there is no answer for 30 s, the replica that asked
 * replaces the claim. While all replicas have the same declarations, nothing is written.
 *
 * <p>Only one thread at a time uses an instance.
 */
final class DecidingVersion {

  private static final Logger log = LoggerFactory.getLogger(DecidingVersion.class);

  /** The annotation that contains the claim. */
  static final String ANNOTATION = "webhook.windlass.dev/declared-by";

  /** The time between an answer and the next question: 1 min. */
  static final Duration BETWEEN_QUESTIONS = Duration.ofMinutes(1);

  /** The time for an answer: 30 s. */
  static final Duration ANSWER_TIME = Duration.ofSeconds(30);

  private static final int HASH_BYTES = 8;

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();

  /**
   * The value of the annotation.
   *
   * @param start the latest known start of a replica with these declarations
   * @param declarations a hash of the declarations
   * @param isQuestioned whether a replica with other declarations waits for an answer
   */
  record Claim(Instant start, String declarations, boolean isQuestioned) {

    private static final String QUESTION = "?";

    private static final Comparator<Claim> BY_START =
        Comparator.comparing(Claim::start).thenComparing(Claim::declarations);

    /** Returns the claim in an object. Returns empty if the annotation is missing or invalid. */
    static Optional<Claim> in(HasMetadata object) {
      String value = annotations(object).getOrDefault(ANNOTATION, "");
      String[] parts = value.split(" ", -1);
      try {
        return parts.length < 2
            ? Optional.empty()
            : Optional.of(
                new Claim(Instant.parse(parts[0]), parts[1], value.endsWith(" " + QUESTION)));
      } catch (DateTimeException e) {
        return Optional.empty();
      }
    }

    private Claim questioned(boolean questioned) {
      return new Claim(start, declarations, questioned);
    }

    /** Returns the annotation's value. */
    @Override
    public String toString() {
      return start + " " + declarations + (isQuestioned ? " " + QUESTION : "");
    }
  }

  /** The claim of this replica. Its start is that of the latest replica with its declarations. */
  private Claim own;

  /** The claim of the version that decides instead of this one; null if this version decides. */
  private @Nullable Claim other;

  /** The time of the next question. It has a meaning only if another version decides. */
  private Instant nextQuestion = Instant.MIN;

  /** The time at which this replica first read the current question; null if there is none. */
  private @Nullable Instant questionedSince;

  private boolean isAsking;

  /**
   * Creates an instance.
   *
   * @param start the start of this replica
   */
  DecidingVersion(WebhookRegistration registration, Instant start) {
    own = new Claim(start, hash(registration), false);
  }

  private static String hash(WebhookRegistration registration) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      registration
          .objects()
          .forEach(
              object ->
                  digest.update(
                      (object + json(registration, object)).getBytes(StandardCharsets.UTF_8)));
      return HexFormat.of().formatHex(digest.digest(), 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each Java platform has SHA-256", e);
    }
  }

  private static String json(WebhookRegistration registration, RegisteredObject object) {
    try {
      return JSON.writeValueAsString(
          registration.desired(object, Optional.empty()).getAdditionalProperties());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("declarations are always valid JSON", e);
    }
  }

  /**
   * Determines whether this version decides. Call this method first in each run.
   *
   * @param objects the objects in the cluster that may contain claims
   */
  void update(Collection<? extends HasMetadata> objects, Instant now) {
    Claim latest =
        objects.stream().flatMap(o -> Claim.in(o).stream()).max(Claim.BY_START).orElse(own);
    if (latest.declarations().equals(own.declarations())) {
      own = Claim.BY_START.compare(latest, own) > 0 ? latest.questioned(false) : own;
      decide();
    } else if (Claim.BY_START.compare(latest, own) < 0) {
      decide();
    } else {
      follow(latest, now);
    }
  }

  private void decide() {
    other = null;
    questionedSince = null;
    isAsking = false;
  }

  /** Leaves the decision to another version, as long as that version answers. */
  private void follow(Claim latest, Instant now) {
    if (other == null && questionedSince == null) {
      nextQuestion = now.plus(BETWEEN_QUESTIONS);
      log.info(
          "Another version of this program, which started at {}, declares the webhooks; this"
              + " replica only writes the CA certificates until that version has ended",
          latest.start());
    }
    other = latest;
    isAsking = false;
    if (latest.isQuestioned()) {
      questionedSince = Objects.requireNonNullElse(questionedSince, now);
      if (!now.isBefore(questionedSince.plus(ANSWER_TIME))) {
        log.info(
            "No replica of the other version has answered; this version declares the webhooks");
        other = null;
      }
      return;
    }
    if (questionedSince != null) { // answered
      questionedSince = null;
      nextQuestion = now.plus(BETWEEN_QUESTIONS);
    }
    isAsking = !now.isBefore(nextQuestion);
  }

  /** Returns whether this version decides what the objects contain. */
  boolean decides() {
    return other == null;
  }

  /** Returns the annotations of an object that this version applies. */
  Map<String, String> annotations() {
    return Map.of(ANNOTATION, own.toString());
  }

  /**
   * Returns the claim that an object must contain after this run. The result is empty if its claim
   * remains unchanged.
   */
  Optional<Claim> change(HasMetadata object) {
    Optional<Claim> current = Claim.in(object);
    if (decides()) {
      boolean isOwn = current.filter(this::isOwn).isPresent();
      return isOwn ? Optional.empty() : Optional.of(own);
    }
    return isAsking && current.equals(Optional.ofNullable(other))
        ? current.map(claim -> claim.questioned(true))
        : Optional.empty();
  }

  private boolean isOwn(Claim claim) {
    return claim.declarations().equals(own.declarations()) && !claim.isQuestioned();
  }

  /** Adds the operation that writes a claim to a JSON patch of an object. */
  static void add(Claim claim, HasMetadata object, ArrayNode operations) {
    if (annotations(object).isEmpty()) {
      operations
          .addObject()
          .put("op", "add")
          .put("path", "/metadata/annotations")
          .putObject("value")
          .put(ANNOTATION, claim.toString());
    } else {
      operations
          .addObject()
          .put("op", "add")
          .put("path", "/metadata/annotations/" + ANNOTATION.replace("/", "~1"))
          .put("value", claim.toString());
    }
  }

  private static Map<String, String> annotations(HasMetadata object) {
    return Objects.requireNonNullElse(object.getMetadata().getAnnotations(), Map.of());
  }

  /**
   * Returns the time until the next question or the end of the time for an answer. The result is
   * empty if this version decides.
   */
  Optional<Duration> untilNextRun(Instant now) {
    if (other == null) {
      return Optional.empty();
    }
    Instant next = questionedSince == null ? nextQuestion : questionedSince.plus(ANSWER_TIME);
    Duration left = Duration.between(now, next);
    return Optional.of(left.isNegative() || left.isZero() ? ANSWER_TIME : left);
  }
}
