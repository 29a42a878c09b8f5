// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import dev.windlass.json.JsonLimits;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Traverses the bytes of one JSON value, and decodes parts of it on request.
 *
 * <p>The cursor is intended for callers that read only a few fields of an object and keep the other
 * fields as bytes. When it skips a value, the cursor checks the structure: strings must be
 * terminated, braces and brackets must match, and bytes outside strings must be valid in JSON.
 * Other errors, such as an invalid number or invalid UTF-8, are detected when the value is decoded.
 * They affect only the object that contains the value.
 *
 * <p>The cursor is always at the start or after the end of a value. This class is not thread-safe.
 */
final class JsonCursor {

  /**
   * The maximum depth of values that can be decoded (see {@link JsonLimits}). The cursor can skip
   * deeper values; {@link #wasDeep} then returns true. The API server allows 10,000 levels, but the
   * built-in types of Kubernetes need only ten.
   */
  private static final int MAX_DEPTH = 1000;

  /** The role of each byte within a string: ordinary content, end, escape, or invalid. */
  private static final byte[] IN_STRING = new byte[256];

  /** The role of each byte outside strings. */
  private static final byte[] OUTSIDE = new byte[256];

  /** The value of a hexadecimal digit in lower case, or -1 for any other byte. */
  private static final byte[] HEX = new byte[256];

  private static final byte[] TRUE = {'t', 'r', 'u', 'e'};
  private static final byte[] FALSE = {'f', 'a', 'l', 's', 'e'};
  private static final byte[] NULL = {'n', 'u', 'l', 'l'};

  private static final byte PLAIN = 0;
  private static final byte QUOTE = 1;
  private static final byte ESCAPE = 2;
  private static final byte OPEN = 3;
  private static final byte CLOSE = 4;
  private static final byte WRONG = 5;

  static {
    for (int b = 0; b < 0x20; b++) {
      IN_STRING[b] = WRONG;
    }
    IN_STRING['"'] = QUOTE;
    IN_STRING['\\'] = ESCAPE;
    Arrays.fill(OUTSIDE, WRONG);
    for (char c : " \t\r\n,:+-.0123456789Eaeflnrstu".toCharArray()) {
      OUTSIDE[c] = PLAIN;
    }
    Arrays.fill(HEX, (byte) -1);
    for (byte digit = 0; digit < 16; digit++) {
      HEX[Character.forDigit(digit, 16)] = digit;
    }
    OUTSIDE['"'] = QUOTE;
    OUTSIDE['{'] = OPEN;
    OUTSIDE['['] = OPEN;
    OUTSIDE['}'] = CLOSE;
    OUTSIDE[']'] = CLOSE;
  }

  private static final long[] NONE = {};

  private final byte[] bytes;
  private final int end;
  private int at;

  /**
   * Whether the cursor has entered an object or an array, but has not yet read any of its elements.
   */
  private boolean first;

  /** The start of the current field name, after the opening quote. */
  private int nameFrom;

  private int nameTo;

  /** Whether the last string that was read contains escapes. */
  private boolean escaped;

  private boolean nameEscaped;

  /** Whether a skipped value is nested too deeply to be decoded. */
  private boolean deep;

  private long uuidHigh;
  private long uuidLow;

  JsonCursor(byte[] bytes, int offset, int length) {
    this.bytes = bytes;
    this.at = offset;
    this.end = offset + length;
  }

  /** Returns the position of the next byte to read. */
  int position() {
    return at;
  }

  /** Returns the position of the opening quote of the current field's name. */
  int fieldStart() {
    return nameFrom - 1;
  }

  boolean isObject() {
    return peek() == '{';
  }

  boolean startsWith(char first, int valueStart) {
    return bytes[valueStart] == first;
  }

  /** Moves into the object at the cursor, to the position before its first field. */
  void enterObject() {
    expect('{');
    first = true;
  }

  /**
   * Reads the name of the next field, moves to its value, and returns true. At the end of the
   * object, moves past the end and returns false.
   */
  boolean nextField() {
    if (isEnd('}')) {
      return false;
    }
    readName();
    return true;
  }

  /**
   * Reads the closing byte if it comes next, and returns true. Otherwise, reads the comma before
   * the next element and returns false. The first element has no comma before it.
   */
  private boolean isEnd(char close) {
    if (peek() == close) {
      at++;
      first = false;
      return true;
    }
    if (!first) {
      expect(',');
    }
    first = false;
    return false;
  }

  private void readName() {
    peek();
    nameFrom = at + 1;
    skipString();
    nameTo = at - 1;
    nameEscaped = escaped;
    expect(':');
  }

  /** Moves into the array at the cursor, to the position before its first element. */
  void enterArray() {
    expect('[');
    first = true;
  }

  /**
   * Moves to the next element and returns true. At the end of the array, moves past the end and
   * returns false.
   */
  boolean nextElement() {
    return !isEnd(']');
  }

  Field field() {
    if (!nameEscaped) {
      return Field.of(bytes, nameFrom, nameTo);
    }
    byte[] name = unescaped(bytes, nameFrom, nameTo).getBytes(StandardCharsets.UTF_8);
    return Field.of(name, 0, name.length);
  }

  /** Returns the name of the current field, as a pooled string if possible. */
  String name(StringPool pool) {
    return string(nameFrom, nameTo, nameEscaped, pool);
  }

  /** Moves to the first byte of the value, and returns its position. */
  int valueStart() {
    peek();
    return at;
  }

  /** Moves back to the start of a value that was skipped. */
  void backTo(int valueStart) {
    at = valueStart;
  }

  /**
   * Returns the scalar that ends at the cursor, as a string. Returns an empty string for null,
   * objects and arrays.
   */
  String text(int valueStart, @Nullable StringPool pool) {
    return switch (bytes[valueStart]) {
      case '"' -> string(valueStart + 1, at - 1, escaped, pool);
      case '{', '[', 'n' -> "";
      default -> new String(bytes, valueStart, at - valueStart, StandardCharsets.ISO_8859_1);
    };
  }

  /** Returns the value of the number that ends at the cursor, or 0 for any other value. */
  long number(int valueStart) {
    byte first = bytes[valueStart];
    if (first != '-' && (first < '0' || first > '9')) {
      return 0;
    }
    try {
      String digits = new String(bytes, valueStart, at - valueStart, StandardCharsets.ISO_8859_1);
      return Long.parseLong(digits);
    } catch (NumberFormatException e) {
      return 0; // a fraction, which the API never has in this place
    }
  }

  /**
   * Returns the value of the string that ends at the cursor if it is a plain decimal of up to 18
   * digits, or -1 otherwise.
   */
  long decimal(int valueStart) {
    int digits = at - valueStart - 2;
    if (bytes[valueStart] != '"' || digits < 1 || digits > 18) {
      return -1;
    }
    long value = 0;
    for (int i = valueStart + 1; i < at - 1; i++) {
      int digit = bytes[i] - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      value = value * 10 + digit;
    }
    return digits > 1 && bytes[valueStart + 1] == '0' ? -1 : value;
  }

  /**
   * Parses the value that ends at the cursor as a UUID in lower case, which is how API servers
   * write it. Returns false if the value is not such a UUID. Otherwise, {@link #uuidHigh()} and
   * {@link #uuidLow()} return its halves.
   */
  boolean readUuid(int valueStart) {
    if (at - valueStart != 38 || bytes[valueStart] != '"' || !hasDashes(valueStart)) {
      return false;
    }
    long high = 0;
    long low = 0;
    int digits = 0;
    for (int i = valueStart + 1; i < at - 1; i++) {
      byte digit = HEX[bytes[i] & 0xff];
      if (digit >= 0) {
        high = high << 4 | low >>> 60;
        low = low << 4 | digit;
        digits++;
      }
    }
    uuidHigh = high;
    uuidLow = low;
    return digits == 32;
  }

  /** Returns whether the four dashes of a UUID are in the correct positions. */
  private boolean hasDashes(int valueStart) {
    return bytes[valueStart + 9] == '-'
        && bytes[valueStart + 14] == '-'
        && bytes[valueStart + 19] == '-'
        && bytes[valueStart + 24] == '-';
  }

  long uuidHigh() {
    return uuidHigh;
  }

  long uuidLow() {
    return uuidLow;
  }

  void skipValue() {
    byte begin = peek();
    if (begin == '"' || begin == '{' || begin == '[') {
      skipStructure();
    } else {
      skipScalar(begin);
    }
  }

  /**
   * Returns whether a value that was skipped since the last call is nested too deeply to be
   * decoded.
   */
  boolean wasDeep() {
    boolean was = deep;
    deep = false;
    return was;
  }

  private void skipScalar(byte begin) {
    int from = at;
    while (at < end && OUTSIDE[bytes[at] & 0xff] == PLAIN && !isBoundary(bytes[at])) {
      at++;
    }
    boolean valid =
        switch (begin) {
          case 't' -> isAt(from, TRUE);
          case 'f' -> isAt(from, FALSE);
          case 'n' -> isAt(from, NULL);
          default -> begin == '-' || (begin >= '0' && begin <= '9');
        };
    if (!valid) {
      throw malformed("a value is missing");
    }
  }

  private boolean isAt(int from, byte[] literal) {
    return Arrays.equals(bytes, from, at, literal, 0, literal.length);
  }

  private static boolean isBoundary(byte b) {
    return b == ',' || b == ' ' || b == '\n' || b == '\r' || b == '\t' || b == ':';
  }

  /** Throws an exception if anything other than white space remains. */
  void expectEnd() {
    while (at < end) {
      if (bytes[at] != ' ' && bytes[at] != '\n' && bytes[at] != '\r' && bytes[at] != '\t') {
        throw malformed("more than one object");
      }
      at++;
    }
  }

  private void skipStructure() {
    // The closing bytes that are needed. There is one bit for each open byte, which is 1 for a
    // brace. The innermost bit is last.
    long braces = 0;
    long[] outer = NONE; // the bits of each full word of 64 outer levels
    int depth = 0;
    do {
      if (at >= end) {
        throw malformed("the input ends inside a value");
      }
      byte b = bytes[at];
      switch (OUTSIDE[b & 0xff]) {
        case PLAIN -> at++;
        case QUOTE -> skipString();
        case OPEN -> {
          if (depth > 0 && depth % 64 == 0) {
            outer = pushed(outer, depth / 64 - 1, braces);
          }
          braces = braces << 1 | (b == '{' ? 1 : 0);
          depth++;
          at++;
        }
        case CLOSE -> {
          if ((braces & 1) != (b == '}' ? 1 : 0)) {
            throw malformed("braces and brackets do not match");
          }
          braces >>>= 1;
          depth--;
          at++;
          if (depth > 0 && depth % 64 == 0) {
            braces = outer[depth / 64 - 1];
          }
        }
        default -> throw malformed("an unexpected byte");
      }
    } while (depth > 0);
  }

  private long[] pushed(long[] outer, int index, long braces) {
    deep |= (index + 1) * 64 >= MAX_DEPTH;
    long[] longer = index < outer.length ? outer : Arrays.copyOf(outer, index * 2 + 2);
    longer[index] = braces;
    return longer;
  }

  private void skipString() {
    expect('"');
    escaped = false;
    int next = at; // a local variable, because a field would be written for each byte
    while (next < end) {
      byte kind = IN_STRING[bytes[next++] & 0xff];
      if (kind == QUOTE) {
        at = next;
        return;
      } else if (kind == ESCAPE) {
        escaped = true;
        next++;
      } else if (kind == WRONG) {
        throw malformed("a control character in a string");
      }
    }
    throw malformed("an unterminated string");
  }

  private String string(int from, int to, boolean hasEscapes, @Nullable StringPool pool) {
    if (hasEscapes) {
      return unescaped(bytes, from, to);
    }
    return pool == null
        ? new String(bytes, from, to - from, StandardCharsets.UTF_8)
        : pool.get(bytes, from, to - from);
  }

  /** Moves to the next byte that is not white space, and returns it. */
  private byte peek() {
    byte b = at < end ? bytes[at] : 0;
    return b > ' ' ? b : peekBehindSpace(); // API servers write no white space
  }

  private byte peekBehindSpace() {
    while (at < end) {
      byte b = bytes[at];
      if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
        return b;
      }
      at++;
    }
    throw malformed("the input ends where a value is expected");
  }

  private void expect(char wanted) {
    if (peek() != wanted) {
      throw malformed("'" + wanted + "' is missing");
    }
    at++;
  }

  static MalformedObjectException malformed(String what) {
    return new MalformedObjectException("not JSON: " + what);
  }

  /** Returns the text of a JSON string whose quotes have been removed. */
  private static String unescaped(byte[] bytes, int from, int to) {
    String raw = new String(bytes, from, to - from, StandardCharsets.UTF_8);
    if (raw.indexOf('\\') < 0) {
      return raw;
    }
    StringBuilder text = new StringBuilder(raw.length());
    int i = 0;
    while (i < raw.length()) {
      char c = raw.charAt(i++);
      if (c != '\\') {
        text.append(c);
        continue;
      }
      char escaped = raw.charAt(i++);
      switch (escaped) {
        case 'b' -> text.append('\b');
        case 'f' -> text.append('\f');
        case 'n' -> text.append('\n');
        case 'r' -> text.append('\r');
        case 't' -> text.append('\t');
        case 'u' -> {
          text.append(hex(raw, i));
          i += 4;
        }
        case '"', '\\', '/' -> text.append(escaped);
        default -> throw malformed("an unknown escape in a string");
      }
    }
    return text.toString();
  }

  private static char hex(String raw, int from) {
    try {
      return (char) HexFormat.fromHexDigits(raw, from, from + 4); // ASCII digits without a sign
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw malformed("an unknown escape in a string");
    }
  }
}
