// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

/**
 * Who owns fields.
 *
 * @param apiVersion in which the fields were written
 * @param subresource empty for the object itself
 */
record FieldOwner(String manager, Operation operation, String apiVersion, String subresource) {

  /** How fields were written, in the server's words. */
  enum Operation {
    APPLY("Apply"),
    UPDATE("Update");

    private final String text;

    Operation(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }
  }

  /** Whether it is the same owner, though perhaps of another version of the API. */
  boolean isSame(FieldOwner other) {
    return manager.equals(other.manager)
        && operation == other.operation
        && subresource.equals(other.subresource);
  }

  /** As conflicts name it. */
  String inConflict() {
    String name = '"' + manager + '"';
    if (!subresource.isEmpty()) {
      name += " with subresource \"" + subresource + '"';
    }
    if (operation == Operation.UPDATE) {
      name += " using " + apiVersion;
    }
    return name;
  }
}
