// SPDX-License-Identifier: Apache-2.0
/**
 * Cached Kubernetes objects, which consist of their JSON and the few fields that the framework
 * uses.
 *
 * <p>The package turns the JSON of one object into a {@link dev.windlass.object.CachedObject}. A
 * {@link dev.windlass.object.selector.Selector} selects some of the cached objects. {@link
 * dev.windlass.object.CachedObject#decode()} returns a new typed object each time, so callers can
 * modify it without changing the cache. An object that cannot be decoded into its class affects
 * only reads of that object. Cached objects, codecs and decoders are immutable or thread-safe.
 *
 * <p>After this package, read {@link dev.windlass.informer.reflector}.
 */
@NullMarked
package dev.windlass.object;

import org.jspecify.annotations.NullMarked;
