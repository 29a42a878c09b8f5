// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the keys of a controller. {@link dev.windlass.controller.keys.OwnedKeys} is the queue,
 * and knows whether the controller owns its keys. Everything that is known about a key is in its
 * {@link dev.windlass.controller.keys.KeyState}, on the queue's entry for the key. The queue's lock
 * guards both. Next, read {@link dev.windlass.controller.running}.
 */
@NullMarked
package dev.windlass.controller.keys;

import org.jspecify.annotations.NullMarked;
