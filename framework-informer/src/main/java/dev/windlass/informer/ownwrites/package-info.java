// SPDX-License-Identifier: Apache-2.0
/**
 * Enables a program to read its own writes. The package presents the cache in the state that it
 * will have when the watch has caught up with this process's writes.
 *
 * <p>The package receives the responses to writes and each change to the store, and provides an
 * {@link dev.windlass.informer.ownwrites.Overlay} on the store. A read never returns a state older
 * than a write whose response has arrived. The number of overlaid states is limited, and the
 * overlay drops a state as soon as the watch confirms it. Any thread can read and report writes.
 * The informer's loop reports the changes to the store.
 */
@NullMarked
package dev.windlass.informer.ownwrites;

import org.jspecify.annotations.NullMarked;
