// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.schema;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The formats of strings that kube-apiserver checks in custom resources (kube-openapi {@code
 * strfmt}). The server ignores the hyphens in the name of a format, and all other formats.
 */
final class StringFormats {

  private static final String OCTET = "0*(25[0-5]|2[0-4]\\d|1\\d\\d|\\d{1,2})";
  private static final Pattern V4 = Pattern.compile(OCTET + "(\\." + OCTET + "){3}");
  private static final Pattern V6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

  private static final Pattern URI_SCHEME = Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]*):(.*)");
  private static final Pattern AUTHORITY =
      Pattern.compile(
          "//([^/?@]*@)?(\\[[^\\]/?]*\\]|[\\w.~!$&'()*+,;=<>\"\\x80-\\uffff-]*)(:\\d*)?([/?].*)?");
  private static final Pattern BROKEN_ESCAPE = Pattern.compile("%(?![0-9a-fA-F]{2})");

  private static final Pattern GO_DURATION =
      Pattern.compile("[-+]?(0|((\\d+\\.?\\d*|\\.\\d+)(ns|us|µs|μs|ms|s|m|h))+)");
  private static final Pattern DURATION_PART = Pattern.compile("\\d+\\s*([A-Za-zµ]+)");

  /** The units of a duration. A unit can be longer than the last name of a row. */
  private static final List<List<String>> UNITS =
      List.of(
          List.of("ns", "nano"),
          List.of("us", "µs", "micro"),
          List.of("ms", "milli"),
          List.of("s", "sec"),
          List.of("m", "min"),
          List.of("h", "hr", "hour"),
          List.of("d", "day"),
          List.of("w", "wk", "week"));

  private static final Pattern TIME =
      Pattern.compile("([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(.\\d+)?(z|[+-]\\d{2}:\\d{2})");

  private static final Map<String, Predicate<String>> FORMATS =
      Map.ofEntries(
          Map.entry("uri", StringFormats::isUri),
          Map.entry("email", pattern("[^\\s<>@]+@[^\\s<>@]+|[^<>@]*<[^\\s<>@]+@[^\\s<>@]+>")),
          Map.entry(
              "hostname",
              pattern(
                  "(?=.{1,255}$)(?!.*[^.]{64})([a-zA-Z0-9\\p{S}\\p{L}]((-?[a-zA-Z0-9\\p{S}\\p{L}]{0,62})?)"
                      + "|([a-zA-Z0-9\\p{S}\\p{L}](([a-zA-Z0-9-\\p{S}\\p{L}]{0,61}"
                      + "[a-zA-Z0-9\\p{S}\\p{L}])?)(\\.)){1,}([a-zA-Z\\p{L}]){2,63})")),
          Map.entry("ipv4", text -> isV4(text) || (text.contains(".") && isV6(text))),
          Map.entry("ipv6", StringFormats::isV6),
          Map.entry("cidr", StringFormats::isCidr),
          Map.entry(
              "mac",
              pattern(
                  "[0-9a-fA-F]{2}([:-])[0-9a-fA-F]{2}((\\1[0-9a-fA-F]{2}){4}"
                      + "|(\\1[0-9a-fA-F]{2}){6}|(\\1[0-9a-fA-F]{2}){18})"
                      + "|[0-9a-fA-F]{4}((\\.[0-9a-fA-F]{4}){2}|(\\.[0-9a-fA-F]{4}){3}"
                      + "|(\\.[0-9a-fA-F]{4}){9})")),
          Map.entry("uuid", uuid("[0-9a-f]{4}-?[0-9a-f]{4}")),
          Map.entry("uuid3", uuid("3[0-9a-f]{3}-?[0-9a-f]{4}")),
          Map.entry("uuid4", uuid("4[0-9a-f]{3}-?[89ab][0-9a-f]{3}")),
          Map.entry("uuid5", uuid("5[0-9a-f]{3}-?[89ab][0-9a-f]{3}")),
          Map.entry(
              "byte",
              pattern(
                  "([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})")),
          Map.entry("date", StringFormats::isDate),
          Map.entry("duration", StringFormats::isDuration),
          Map.entry("datetime", StringFormats::isDateTime));

  private StringFormats() {}

  /** Returns whether a string has the given format. The server accepts it if not. */
  static boolean isValid(String format, String text) {
    return FORMATS.getOrDefault(format.replace("-", ""), any -> true).test(text);
  }

  private static Predicate<String> pattern(String regex) {
    return Pattern.compile(regex).asMatchPredicate();
  }

  private static Predicate<String> uuid(String middle) {
    return pattern("(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?" + middle + "-?[0-9a-f]{12}");
  }

  private static boolean isV4(String text) {
    return V4.matcher(text).matches();
  }

  private static boolean isV6(String text) {
    try {
      // The brackets make the JDK reject everything else, instead of resolving a name.
      return V6.matcher(text).matches() && InetAddress.getByName("[" + text + "]") != null;
    } catch (UnknownHostException e) {
      return false;
    }
  }

  private static boolean isCidr(String text) {
    String[] parts = text.split("/", -1);
    if (parts.length != 2 || !parts[1].matches("\\d{1,3}")) {
      return false;
    }
    int bits = isV4(parts[0]) ? 32 : isV6(parts[0]) ? 128 : -1;
    return Integer.parseInt(parts[1]) <= bits;
  }

  /** Accepts what Go's {@code url.ParseRequestURI} accepts: an absolute URI or an absolute path. */
  private static boolean isUri(String text) {
    if (text.isEmpty() || text.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
      return false;
    }
    Matcher absolute = URI_SCHEME.matcher(text);
    String rest = absolute.matches() ? absolute.group(2) : text;
    if (!rest.startsWith("/")) {
      return absolute.matches() || text.equals("*");
    }
    boolean hasAuthority = absolute.matches() && rest.startsWith("//");
    String path = rest.split("\\?", 2)[0];
    return !BROKEN_ESCAPE.matcher(path).find()
        && (!hasAuthority || AUTHORITY.matcher(rest).matches());
  }

  private static boolean isDate(String text) {
    try {
      return text.matches("\\d{4}-\\d{2}-\\d{2}") && LocalDate.parse(text) != null;
    } catch (DateTimeException e) {
      return false;
    }
  }

  private static boolean isDateTime(String text) {
    String[] parts = text.toLowerCase(Locale.ROOT).split("t", -1);
    return parts.length > 1 && isDate(parts[0]) && TIME.matcher(parts[1]).matches();
  }

  /** Accepts Go's durations, and every text that contains a number with a unit. */
  private static boolean isDuration(String text) {
    return GO_DURATION.matcher(text).matches()
        || DURATION_PART
            .matcher(text)
            .results()
            .map(part -> part.group(1).toLowerCase(Locale.ROOT))
            .anyMatch(StringFormats::isUnit);
  }

  private static boolean isUnit(String unit) {
    return UNITS.stream()
        .anyMatch(names -> names.contains(unit) || unit.startsWith(names.get(names.size() - 1)));
  }
}
