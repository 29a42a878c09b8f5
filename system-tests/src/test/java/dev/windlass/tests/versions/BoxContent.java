// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.versions;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Duration;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Fields of all sorts. Public fields, which Jackson reads as well. */
public final class BoxContent {

  /** Constants with other names in JSON. */
  public enum Mode {
    @JsonProperty("read-only")
    READ_ONLY,
    WRITE
  }

  /** A nested class that contains itself. */
  public static final class Part {
    public String name;
    public Integer weight;
    public List<Part> parts;
    public Map<String, Part> named;
  }

  /** A record, as a nested class. */
  public record Pair(String left, Integer right) {}

  public String text;
  public boolean flag;
  public Boolean maybe;
  public int number;
  public Long big;
  public Double fraction;
  public Float small;
  public BigDecimal exact;
  public BigInteger huge;
  public Mode mode;
  public Quantity quantity;
  public IntOrString intOrString;
  public Duration duration;
  public Instant instant;
  public ZonedDateTime time;
  public UUID uuid;
  public byte[] bytes;
  public List<Part> parts;
  public Set<Mode> modes;
  public List<List<String>> lists;
  public Map<String, Quantity> quantities;
  public Map<Mode, Integer> byMode;
  public Pair pair;
  public JsonNode anything;
  public Object something;
  public LabelSelector selector;
  public EnvVar env;

  @JsonProperty("renamed")
  public String before;
}
