// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.install;

import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.net.URL;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A custom resource with a field of each Java type that a user may think of. */
@Group("types.windlass.dev")
@Version("v1")
@SuppressWarnings("serial") // nobody serializes it
public final class JavaTypes extends CustomResource<JavaTypes.Fields, JavaTypes.Fields>
    implements Namespaced {

  /** The fields, which are null unless a test sets them. */
  @SuppressWarnings("MissingSummary")
  public static final class Fields {
    public @Nullable Instant instant;
    public @Nullable Duration duration;
    public @Nullable Period period;
    public @Nullable LocalDate localDate;
    public @Nullable LocalTime localTime;
    public @Nullable LocalDateTime localDateTime;
    public @Nullable OffsetDateTime offsetDateTime;
    public @Nullable ZonedDateTime zonedDateTime;
    public @Nullable ZoneId zoneId;
    public @Nullable Date date;
    public @Nullable UUID uuid;
    public @Nullable URI uri;
    public @Nullable URL url;
    public @Nullable BigDecimal bigDecimal;
    public @Nullable BigInteger bigInteger;
    public @Nullable Long bigLong;
    public @Nullable Float real;
    public @Nullable Character character;
    public byte @Nullable [] bytes;
    public @Nullable Optional<String> optional;
    public @Nullable IntOrString intOrString;
    public @Nullable Quantity quantity;
    public @Nullable Set<String> set;
    public @Nullable Map<String, Duration> durations;
    public @Nullable List<Duration> durationList;

    @JsonSerialize(using = ToStringSerializer.class)
    public @Nullable Duration durationAsString;

    @JsonSerialize(using = ToStringSerializer.class)
    public @Nullable LocalDateTime localDateTimeAsString;

    @SchemaFrom(type = String.class)
    public byte @Nullable [] bytesAsString;
  }
}
