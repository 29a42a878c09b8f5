// SPDX-License-Identifier: Apache-2.0
/**
 * Kubernetes objects as the machine sees them: bytes, and the few fields that it acts on.
 *
 * <p>In: the JSON of one object. Out: {@link dev.windlass.object.CachedObject}, and {@link
 * dev.windlass.object.Selector} to choose among them. Invariant: the typed object is made only when
 * somebody asks for it, afresh each time, so nobody can damage the cache and an object that does
 * not fit its class harms only those who read it. Threads: all types are immutable or thread safe.
 * Next: {@link dev.windlass.informer.feed}.
 */
@NullMarked
package dev.windlass.object;

import org.jspecify.annotations.NullMarked;
