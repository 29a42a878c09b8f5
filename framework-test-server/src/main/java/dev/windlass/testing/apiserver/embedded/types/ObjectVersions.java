// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.types;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The versions of a custom resource. The server stores objects in one version. Clients read and
 * write them in any served version.
 */
public interface ObjectVersions {

  /**
   * Returns whether a conversion calls a webhook. Callers must not hold the store's lock during
   * such a conversion.
   */
  boolean convertRemotely();

  /**
   * Converts a stored object to the given version. Implementations must not modify {@code stored},
   * and callers must not modify the result.
   *
   * @param apiVersion the version to return, such as {@code example.com/v1}
   */
  ObjectNode read(ObjectNode stored, String apiVersion);

  /** Converts an object to the version in which it is stored. */
  ObjectNode toStored(ObjectNode object);

  /** Converts an object to the given version, without dropping unknown fields. */
  ObjectNode convert(ObjectNode object, String apiVersion);

  /** Returns the content rules for objects in the given version. */
  ContentRules rules(String apiVersion);
}
