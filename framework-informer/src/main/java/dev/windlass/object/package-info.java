// SPDX-License-Identifier: Apache-2.0
/**
 * Cached Kubernetes objects, which consist of their JSON and the few fields that the framework
 * uses.
 *
 * <p>The package turns the JSON of one object into a {@link dev.windlass.object.CachedObject}. A
 * {@link dev.windlass.object.selector.Selector} selects some of the cached objects. A typed object
 * is decoded only on request, and again on each request, so callers cannot damage the cache. An
 * object that cannot be decoded into its class affects only reads of that object. All types are
 * immutable or thread-safe.
 *
 * <p>Next: {@link dev.windlass.informer.reflector}.
 */
@NullMarked
package dev.windlass.object;

import org.jspecify.annotations.NullMarked;
