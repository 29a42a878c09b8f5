// SPDX-License-Identifier: Apache-2.0
/**
 * Represents Kubernetes objects in the cache. Each cached object holds the object's JSON and the
 * few fields that the framework uses.
 *
 * <p>The package turns the JSON of one object into a {@link dev.windlass.object.CachedObject}. A
 * {@link dev.windlass.object.selector.Selector} selects cached objects by their labels. {@link
 * dev.windlass.object.CachedObject#decode()} returns a new typed object on each call, so callers
 * can modify it without changing the cache. If an object cannot be decoded into its class, only
 * reads of that object fail. Cached objects, codecs and decoders are immutable or thread-safe.
 *
 * <p>After this package, read {@link dev.windlass.informer.reflector}.
 */
@NullMarked
package dev.windlass.object;

import org.jspecify.annotations.NullMarked;
