// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: collects the settings of a controller: the types given to its builder, their
 * permissions and caches, and any errors, until {@link
 * dev.windlass.controller.building.Registration} adds the controller to a manager.
 *
 * <p>In: the calls of a builder. Out: a {@link dev.windlass.controller.running.ControllerConfig},
 * or an exception that names the call to correct. Invariants: nothing is started here. Threads: the
 * one that builds. Next: {@link dev.windlass.controller.sources}.
 */
@NullMarked
package dev.windlass.controller.building;

import org.jspecify.annotations.NullMarked;
