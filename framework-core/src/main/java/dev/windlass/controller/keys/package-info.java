// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the keys of a controller. {@link dev.windlass.controller.keys.OwnedKeys} has the queue,
 * and knows the term in which the controller owns its keys. Everything that is known about a key is
 * in its {@link dev.windlass.controller.keys.KeyState}, on the queue's entry for the key. The
 * queue's lock guards it. Next, read {@link dev.windlass.controller.running}.
 */
@NullMarked
package dev.windlass.controller.keys;

import org.jspecify.annotations.NullMarked;
