// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import dev.windlass.object.CachedObject;
import dev.windlass.object.MalformedObjectException;
import dev.windlass.object.ObjectDecoder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decodes objects and skips invalid ones. An invalid object does not prevent the decoding of other
 * objects.
 */
final class LenientDecoder<T> {

  private static final Logger log = LoggerFactory.getLogger(Reflector.class);

  private final String subject;
  private final ObjectDecoder<T> decoder;
  private final FeedListener listener;

  LenientDecoder(String subject, ObjectDecoder<T> decoder, FeedListener listener) {
    this.subject = subject;
    this.decoder = decoder;
    this.listener = listener;
  }

  /**
   * Decodes an object. If the JSON is invalid or does not contain the object's name, logs a warning
   * and returns null.
   */
  @Nullable CachedObject<T> read(FeedEvent.Json json) {
    try {
      return json.decode(decoder);
    } catch (MalformedObjectException e) {
      String why = String.valueOf(e.getMessage());
      log.warn("Skipped an object of {}: {}", subject, why);
      listener.skipped(why);
      return null;
    }
  }
}
