// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion.review;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.windlass.json.JsonLimits;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes the metadata of a converted object. All fields are copied byte for byte, except {@code
 * labels} or {@code annotations} if the conversion has changed them.
 */
final class MetadataBytes {

  private static final byte[] EMPTY = {'{', '}'};

  private static final JsonFactory JSON = JsonLimits.factory();

  private final JsonOutput out;
  private boolean first = true;

  private MetadataBytes(JsonOutput out) {
    this.out = out;
  }

  /**
   * Writes the metadata.
   *
   * @param before the labels and annotations of the source
   * @param after the labels and annotations of the result
   */
  static void write(
      RequestedObject object,
      LabelsAndAnnotations before,
      LabelsAndAnnotations after,
      JsonOutput out)
      throws ConversionFailure {
    ByteRange range = object.metadata().orElse(null);
    if (range != null && before.equals(after)) {
      out.copy(object.body(), range.from(), range.to());
    } else {
      byte[] source = range == null ? EMPTY : object.body();
      int from = range == null ? 0 : range.from();
      int length = range == null ? EMPTY.length : range.length();
      try {
        new MetadataBytes(out).rewrite(source, from, length, before, after);
      } catch (IOException e) {
        throw new ConversionFailure("its metadata can't be read", e);
      }
    }
  }

  private void rewrite(
      byte[] source, int from, int length, LabelsAndAnnotations before, LabelsAndAnnotations after)
      throws IOException {
    Map<String, String> labels = before.labels().equals(after.labels()) ? null : after.labels();
    Map<String, String> annotations =
        before.annotations().equals(after.annotations()) ? null : after.annotations();
    out.raw("{");
    try (JsonParser json = JSON.createParser(source, from, length)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        int start = from + (int) json.currentTokenLocation().getByteOffset();
        String name = json.currentName();
        json.nextToken();
        json.skipChildren();
        json.finishToken();
        int end = from + (int) json.currentLocation().getByteOffset();
        boolean replaced =
            (name.equals("labels") && labels != null)
                || (name.equals("annotations") && annotations != null);
        if (!replaced) {
          separate();
          out.copy(source, start, end);
        }
      }
    }
    field("labels", labels);
    field("annotations", annotations);
    out.raw("}");
  }

  private void field(String name, @Nullable Map<String, String> values) {
    if (values != null && !values.isEmpty()) {
      separate();
      out.value(name).raw(":").value(values);
    }
  }

  private void separate() {
    if (!first) {
      out.raw(",");
    }
    first = false;
  }
}
