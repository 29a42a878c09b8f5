// SPDX-License-Identifier: Apache-2.0
/**
 * What a program measures about itself, on Micrometer.
 *
 * <p>In comes what the queue, the informers, the client and the elector tell when something
 * happens, and what they answer when they are asked. Out go meters of one registry, under the names
 * and with the labels that controller-runtime has; what no other framework has begins with {@code
 * windlass_}. No label is taken from what users of the cluster write, so the number of series is
 * bounded. Counting happens on the thread that counts, asking on the one that scrapes. Read {@link
 * dev.windlass.metrics.ManagerMetrics} first, and then {@code dev.windlass.manager}.
 */
@NullMarked
package dev.windlass.metrics;

import org.jspecify.annotations.NullMarked;
