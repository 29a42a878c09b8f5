// SPDX-License-Identifier: Apache-2.0
/**
 * Cached Kubernetes objects: their JSON, and the few fields that the framework uses.
 *
 * <p>In: the JSON of one object. Out: {@link dev.windlass.object.CachedObject}, and {@link
 * dev.windlass.object.selector.Selector} to choose among them. Invariant: a typed object is decoded
 * only on request, and again each time, so callers can't damage the cache, and an object that does
 * not fit its class affects only the reads of that object. Threads: all types are immutable or
 * thread safe. Next: {@link dev.windlass.informer.feed}.
 */
@NullMarked
package dev.windlass.object;

import org.jspecify.annotations.NullMarked;
