// SPDX-License-Identifier: Apache-2.0
/** Leader election between processes, and what faults of the network and the server do to it. */
@NullMarked
package dev.windlass.tests.leadership;

import org.jspecify.annotations.NullMarked;
