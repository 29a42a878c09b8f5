// SPDX-License-Identifier: Apache-2.0
/**
 * Kubernetes objects as the framework caches them: their JSON, and the few fields that the
 * framework itself uses.
 *
 * <p>In: the JSON of one object. Out: {@link dev.windlass.object.CachedObject}, and {@link
 * dev.windlass.object.selector.Selector} to choose among them. Invariant: a typed object is decoded
 * only on request, afresh each time, so callers can't damage the cache, and an object that does not
 * fit its class affects only those who read it. Threads: all types are immutable or thread safe.
 * Next: {@link dev.windlass.informer.feed}.
 */
@NullMarked
package dev.windlass.object;

import org.jspecify.annotations.NullMarked;
