// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.cache;

import dev.windlass.object.selector.Selector;
import java.util.List;

/**
 * The objects that a read may return, which a cache must hold to answer the read.
 *
 * @param namespace empty for all namespaces, and for cluster-scoped types
 * @param labels the labels that the objects must have
 * @param fieldSelector empty for no restriction
 * @param indices the names of the indices that the read uses
 */
public record ReadScope(
    String namespace, Selector labels, String fieldSelector, List<String> indices) {}
