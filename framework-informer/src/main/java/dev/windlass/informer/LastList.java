// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import dev.windlass.informer.feed.ListReason;
import java.time.Duration;

/**
 * The last list that an informer requested.
 *
 * @param reason why it was requested
 * @param ago how long ago it began
 */
public record LastList(ListReason reason, Duration ago) {}
