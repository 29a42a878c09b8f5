// SPDX-License-Identifier: Apache-2.0
package dev.windlass.maven.crd;

/**
 * A change to a CRD that breaks stored objects or clients.
 *
 * @param subject the CRD, followed by the version and the field if the change concerns only these
 * @param what the description of the change, as the predicate of a sentence with the subject
 */
public record BreakingChange(String subject, String what) {

  /**
   * Returns the change in one line, such as {@code "sites.example.com v1: spec.tls was removed"}.
   */
  @Override
  public String toString() {
    return subject + " " + what;
  }
}
