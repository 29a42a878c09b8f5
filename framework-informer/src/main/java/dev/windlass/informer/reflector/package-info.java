// SPDX-License-Identifier: Apache-2.0
/**
 * The feed, which follows the changes to the objects of one type on the API server. The feed is
 * stage 1 of the path of an event from the API server to the reconciler ({@code
 * docs/architecture.md}).
 *
 * <p>A {@link dev.windlass.informer.reflector.ListerWatcher} converts the responses to list and
 * watch requests into {@link dev.windlass.informer.reflector.FeedEvent}s. The {@link
 * dev.windlass.informer.reflector.Reflector} converts these events into changes, and passes the
 * changes in the server's order to a {@link dev.windlass.informer.reflector.ChangeSink}. When a
 * watch ends, the reflector resumes it. If it cannot resume the watch, it lists all objects again,
 * so no changes are lost. It retries indefinitely. All of this work runs on the reflector's loop.
 * Transport threads only deliver bytes and wake the loop.
 *
 * <p>The next stage is {@code dev.windlass.informer.fifo}. Read {@link dev.windlass.object} first.
 */
@NullMarked
package dev.windlass.informer.reflector;

import org.jspecify.annotations.NullMarked;
