// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.ownership;

/**
 * The owner of a set of fields. An entry of {@code metadata.managedFields} identifies its owner in
 * the same way.
 *
 * @param manager the manager's name
 * @param operation the operation that wrote the fields
 * @param apiVersion the API version in which the fields were written
 * @param subresource the subresource through which the fields were written; empty for the object
 *     itself
 */
public record FieldOwner(
    String manager, Operation operation, String apiVersion, String subresource) {

  /** The operations that write fields, with their names in {@code managedFields}. */
  public enum Operation {
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

  /** Returns whether this owner and the other owner are the same, regardless of the API version. */
  boolean isSame(FieldOwner other) {
    return manager.equals(other.manager)
        && operation == other.operation
        && subresource.equals(other.subresource);
  }

  /** Returns the string that identifies this owner in a conflict message. */
  public String inConflict() {
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
