// SPDX-License-Identifier: Apache-2.0
package dev.windlass.maven.crd;

/**
 * A change of a CRD that breaks stored objects or clients.
 *
 * @param subject the CRD, with the version and the field where there is one
 * @param what what has changed, as a predicate of the subject
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
