// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.object.selector.Selector;
import java.util.List;

/**
 * Describes the objects that a read can return. A cache can serve the read only if it holds all of
 * these objects.
 *
 * @param namespace the namespace; empty for all namespaces, and for cluster-scoped types
 * @param labels the selector that an object's labels must match
 * @param fieldSelector the selector that an object's fields must match; empty for no restriction
 * @param indices the names of the indices that the read uses
 */
record ReadScope(String namespace, Selector labels, String fieldSelector, List<String> indices) {}
