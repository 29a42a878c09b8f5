// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.pipeline;

import dev.windlass.object.ParsedObject;
import org.jspecify.annotations.Nullable;

/**
 * The response to a write. Hooks receive it one after the other, and parse its body at most once.
 */
public final class WriteResponse {

  /** No response arrived. */
  static final WriteResponse NONE = new WriteResponse(0, new byte[0]);

  private final int code;
  private final byte[] body;
  private @Nullable ParsedObject object;

  /**
   * Creates a response.
   *
   * @param code the HTTP status code, or 0 if no response arrived
   * @param body the body, which is empty if there is none
   */
  public WriteResponse(int code, byte[] body) {
    this.code = code;
    this.body = body;
  }

  /**
   * Returns the HTTP status code, or 0 if no response arrived. Without a response, it is unknown
   * whether the write took effect.
   */
  public int code() {
    return code;
  }

  public boolean isSuccess() {
    return code >= 200 && code < 300;
  }

  /** Returns the body, which is empty if there is none. */
  public byte[] body() {
    return body;
  }

  /**
   * Returns the object in the body.
   *
   * @throws dev.windlass.object.MalformedObjectException if the body is not an object
   */
  ParsedObject object() {
    if (object == null) {
      object = ParsedObject.of(body);
    }
    return object;
  }
}
