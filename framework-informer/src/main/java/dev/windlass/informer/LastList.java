// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import dev.windlass.informer.feed.ListReason;
import java.time.Duration;

/**
 * The most recent list that an informer requested.
 *
 * @param reason the reason for the list
 * @param ago the time since the list began
 */
public record LastList(ListReason reason, Duration ago) {}
