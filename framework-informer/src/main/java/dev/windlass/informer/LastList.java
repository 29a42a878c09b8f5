// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import dev.windlass.informer.feed.ListReason;
import java.time.Duration;

/**
 * The last time that an informer asked for a list.
 *
 * @param reason why it did
 * @param ago how long ago it began
 */
public record LastList(ListReason reason, Duration ago) {}
