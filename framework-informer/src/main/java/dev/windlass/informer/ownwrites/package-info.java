// SPDX-License-Identifier: Apache-2.0
/**
 * Enables a program to read its own writes. The package presents the cache as it will be when the
 * watch has delivered this process's writes.
 *
 * <p>The package receives the responses to writes and each change to the store, and provides an
 * {@link dev.windlass.informer.ownwrites.Overlay} on the store. A read never returns an object that
 * is older than a write whose response has arrived, or than a change that another cache of the type
 * has received ({@link dev.windlass.informer.ownwrites.OtherCache}). The number of overlaid objects
 * is limited. The overlay drops an object as soon as the store has received it. Any thread can read
 * and report writes. The informer's loop reports the changes to the store.
 */
@NullMarked
package dev.windlass.informer.ownwrites;

import org.jspecify.annotations.NullMarked;
