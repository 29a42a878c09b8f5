// SPDX-License-Identifier: Apache-2.0
package dev.windlass.maven.crd;

/**
 * A change to a CRD that breaks stored objects or clients.
 *
 * @param subject the changed part: the CRD, followed by the version and the field if only these
 *     have changed
 * @param what the description of the change, which forms a sentence with the subject
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
