// SPDX-License-Identifier: Apache-2.0
package dev.windlass.events.broadcast;

import dev.windlass.events.EventRecorder.EventType;
import dev.windlass.events.broadcast.EventSeriesKey.Subject;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Creates {@code events.k8s.io/v1} Events that the API server accepts. This class is thread-safe.
 */
final class EventFactory {

  /** The format that the API requires for the times in Events, with six decimal places. */
  private static final DateTimeFormatter MICRO_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  /**
   * The format of an Event name (RFC 1123 subdomain). The names of some objects, such as
   * ClusterRoles, do not match this format.
   */
  private static final Pattern NAME =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  /**
   * The maximum length of the object's name in an Event name. The limit leaves room for the dot and
   * twenty digits within the 253 characters of an Event name.
   */
  private static final int LONGEST_PREFIX = 222;

  private final String controller;
  private final String instance;
  private final Clock clock;

  /**
   * The time stamp in the most recent Event name. Each new time stamp is greater than the last one,
   * so that every name is unique.
   */
  private final AtomicLong lastStamp = new AtomicLong(Long.MIN_VALUE);

  /**
   * Creates a factory.
   *
   * @param controller the controller's name, in the format of a qualified name
   * @param instance the name that distinguishes this process from other processes of the controller
   */
  EventFactory(String controller, String instance, Clock clock) {
    this.controller = controller;
    this.instance = EventText.word(instance);
    this.clock = clock;
  }

  /** An Event, and the key of its series. */
  record Filled(EventSeriesKey key, Event event) {}

  /**
   * Creates an Event and the key of its series.
   *
   * @throws RuntimeException if an object is incomplete, for example if it has no name
   */
  Filled fill(
      HasMetadata regarding,
      @Nullable HasMetadata related,
      EventType type,
      @Nullable String reason,
      @Nullable String action,
      @Nullable String message) {
    ObjectReference about = reference(regarding);
    ObjectReference other = related == null ? null : reference(related);
    // The server accepts Events about objects without a namespace only in the namespace "default".
    String namespace = Objects.requireNonNullElse(about.getNamespace(), "default");
    Event event =
        new EventBuilder()
            .withNewMetadata()
            .withName(name(about.getName()))
            .withNamespace(namespace)
            .endMetadata()
            .withEventTime(now())
            .withType(type.text())
            .withReason(EventText.word(reason))
            .withAction(EventText.word(action))
            .withNote(EventText.note(message))
            .withReportingController(controller)
            .withReportingInstance(instance)
            .withRegarding(about)
            .withRelated(other)
            .build();
    EventSeriesKey key =
        new EventSeriesKey(
            subject(about),
            other == null ? null : subject(other),
            event.getType(),
            event.getReason(),
            event.getAction(),
            event.getNote());
    return new Filled(key, event);
  }

  private MicroTime now() {
    return new MicroTime(MICRO_TIME.format(clock.instant()));
  }

  private static ObjectReference reference(HasMetadata object) {
    var metadata = object.getMetadata();
    return new ObjectReferenceBuilder()
        .withApiVersion(object.getApiVersion())
        .withKind(object.getKind())
        .withNamespace(metadata.getNamespace())
        .withName(Objects.requireNonNull(metadata.getName(), "an object without a name"))
        .withUid(metadata.getUid())
        .withResourceVersion(metadata.getResourceVersion())
        .build();
  }

  private static Subject subject(ObjectReference reference) {
    return new Subject(
        reference.getKind(),
        Objects.requireNonNullElse(reference.getNamespace(), ""),
        reference.getName(),
        Objects.requireNonNullElse(reference.getUid(), ""));
  }

  /**
   * Returns a unique Event name. As in client-go, it begins with the object's name, followed by the
   * wall-clock time in nanoseconds as a hexadecimal number. If the object's name cannot be part of
   * an Event name, {@code event} replaces it. The name ends with a hash of the controller and the
   * instance, which distinguishes recorders that read the clock at the same time.
   */
  String name(String object) {
    long now = ChronoUnit.NANOS.between(Instant.EPOCH, clock.instant());
    long stamp = lastStamp.accumulateAndGet(now, (last, next) -> Math.max(last + 1, next));
    boolean fits = object.length() <= LONGEST_PREFIX && NAME.matcher(object).matches();
    int own = Objects.hash(controller, instance) & 0xffff;
    return "%s.%x%04x".formatted(fits ? object : "event", stamp, own);
  }
}
