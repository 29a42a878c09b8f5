// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion.review;

/**
 * A part of a request's bytes.
 *
 * @param from the position of the first byte
 * @param to the position after the last byte
 */
record ByteRange(int from, int to) {

  int length() {
    return to - from;
  }
}
