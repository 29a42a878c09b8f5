// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/**
 * A replica's record of the CA under which it serves, that is, the CA that has signed its
 * certificate. The record is stored as an annotation of the Secret.
 *
 * @param authorityId the identifier of the CA
 * @param until the time at which the replica's certificate expires. After this time, the record is
 *     ignored, even if the replica has ended without removing it
 */
record ServingRecord(String authorityId, Instant until) {

  static ServingRecord of(CertificateSet set) {
    return new ServingRecord(set.authorityId(), set.serving().leaf().getNotAfter().toInstant());
  }

  /** Parses the value of an annotation. Returns empty if the value is not a record. */
  static Optional<ServingRecord> parse(String value) {
    int space = value.indexOf(' ');
    try {
      return space < 0
          ? Optional.empty()
          : Optional.of(
              new ServingRecord(
                  value.substring(0, space), Instant.parse(value.substring(space + 1))));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** Returns the annotation's value. */
  @Override
  public String toString() {
    return authorityId + " " + until;
  }
}
