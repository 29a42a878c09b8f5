// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: a controller's logging, including exceptions from its listeners.
 *
 * <p>All packages of a controller share the logger of {@link
 * dev.windlass.controller.logging.ControllerLog}. Logging never makes a reconcile fail, and uses a
 * bounded amount of memory. Any thread can call the code.
 */
@NullMarked
package dev.windlass.controller.logging;

import org.jspecify.annotations.NullMarked;
