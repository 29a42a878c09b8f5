// SPDX-License-Identifier: Apache-2.0
/** Replicas that divide the objects of a controller among themselves. */
@NullMarked
package dev.windlass.tests.shards;

import org.jspecify.annotations.NullMarked;
