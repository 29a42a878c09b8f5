// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The compact form of an object's JSON, which the cache stores.
 *
 * <p>The kind, apiVersion, name, namespace, uid, resourceVersion and labels make up a quarter of a
 * typical object. {@link CachedObject} stores them as fields, so the compact form omits them. They
 * are restored when the object is read. In the compact form, the metadata comes first, so that the
 * restored fields are always inserted at the same position:
 *
 * <pre>
 *   kept:     {"metadata":{<b>REST</b>},<b>REST</b>}
 *   restored: {"apiVersion":..,"kind":..,"metadata":{"name":..,...,<b>REST</b>},<b>REST</b>}
 * </pre>
 */
final class CompactJson {

  private static final byte[] FRONT = "{\"metadata\":{".getBytes(StandardCharsets.US_ASCII);

  private CompactJson() {}

  /**
   * Returns the compact form of an object. If {@code metadataOnly} is true, the result contains
   * only the metadata.
   */
  static byte[] of(ObjectFields fields, byte[] buffer, boolean metadataOnly) {
    ByteRanges metadata = fields.metadataKept;
    ByteRanges others = fields.othersKept;
    boolean more = !metadataOnly && !others.isEmpty();
    byte[] kept = new byte[FRONT.length + metadata.length() + (more ? 1 + others.length() : 0) + 2];
    System.arraycopy(FRONT, 0, kept, 0, FRONT.length);
    int at = metadata.copy(buffer, kept, FRONT.length);
    kept[at++] = '}';
    if (more) {
      kept[at++] = ',';
      at = others.copy(buffer, kept, at);
    }
    kept[at] = '}';
    return kept;
  }

  /**
   * Returns the complete JSON of an object.
   *
   * @param kept the compact form of the object
   */
  static byte[] expand(CachedObject<?> object, byte[] kept) {
    StringBuilder head = new StringBuilder(512);
    head.append("{\"apiVersion\":");
    quote(head, object.type().apiVersion()).append(",\"kind\":");
    quote(head, object.type().kind()).append(",\"metadata\":{\"name\":");
    quote(head, object.key().name());
    field(head, "namespace", object.key().namespace());
    field(head, "uid", object.uid());
    field(head, "resourceVersion", object.resourceVersion());
    labels(head, object.labels());
    boolean more = kept[FRONT.length] != '}';
    if (more) {
      head.append(',');
    }
    byte[] front = head.toString().getBytes(StandardCharsets.UTF_8);
    byte[] whole = new byte[front.length + kept.length - FRONT.length];
    System.arraycopy(front, 0, whole, 0, front.length);
    System.arraycopy(kept, FRONT.length, whole, front.length, kept.length - FRONT.length);
    return whole;
  }

  private static void field(StringBuilder json, String name, String value) {
    if (!value.isEmpty()) {
      json.append(",\"").append(name).append("\":");
      quote(json, value);
    }
  }

  private static void labels(StringBuilder json, Map<String, String> labels) {
    if (labels.isEmpty()) {
      return;
    }
    json.append(",\"labels\":");
    char before = '{';
    for (Map.Entry<String, String> label : labels.entrySet()) {
      json.append(before);
      quote(json, label.getKey()).append(':');
      quote(json, label.getValue());
      before = ',';
    }
    json.append('}');
  }

  private static StringBuilder quote(StringBuilder json, String text) {
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < 0x20) {
        json.append("\\u").append(String.format("%04x", (int) c));
      } else {
        json.append(c);
      }
    }
    return json.append('"');
  }
}
