// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: what a controller is built from. {@link dev.windlass.controller.building} creates a
 * {@link dev.windlass.controller.settings.ControllerConfig}, and {@link
 * dev.windlass.controller.running} runs it. Next, read {@link dev.windlass.controller.keys}.
 */
@NullMarked
package dev.windlass.controller.settings;

import org.jspecify.annotations.NullMarked;
