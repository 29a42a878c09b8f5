// SPDX-License-Identifier: Apache-2.0
/**
 * The feed, which follows the changes to the objects of one type on the API server. The feed is
 * stage 1 of the path of an event from the API server to the reconciler ({@code
 * docs/architecture.md}).
 *
 * <p>A {@link dev.windlass.informer.reflector.ListerWatcher} divides the byte streams of list and
 * watch requests into {@link dev.windlass.informer.reflector.FeedEvent}s. The {@link
 * dev.windlass.informer.reflector.Reflector} turns these into changes and passes them in the
 * server's order to a {@link dev.windlass.informer.reflector.ChangeSink}. The reflector resumes at
 * the point where it stopped, and lists all objects again if it cannot resume, so it never loses
 * changes. It retries indefinitely. All of this work runs on the reflector's loop. Transport
 * threads only pass on bytes and wake the loop.
 *
 * <p>The next stage is {@code dev.windlass.informer.fifo}. Read {@link dev.windlass.object} first.
 */
@NullMarked
package dev.windlass.informer.reflector;

import org.jspecify.annotations.NullMarked;
