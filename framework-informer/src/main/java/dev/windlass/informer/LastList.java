// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import dev.windlass.informer.feed.ListReason;
import java.time.Duration;

/**
 * The last list that an informer requested.
 *
 * @param reason why the list was requested
 * @param ago how long ago the list began
 */
public record LastList(ListReason reason, Duration ago) {}
