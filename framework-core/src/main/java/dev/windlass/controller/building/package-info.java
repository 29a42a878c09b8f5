// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: collects and validates the settings that a program passes to a controller's builder.
 * Derives the required permissions and the sources from these settings. {@link
 * dev.windlass.controller.building.ControllerRegistration} then adds the controller to a manager.
 *
 * <p>If the settings are valid, the result is a {@link
 * dev.windlass.controller.settings.ControllerConfig}. Otherwise, the result is an exception that
 * names the call to correct. This package does not start components. Its code runs on the thread
 * that calls the builder, except the reconcilers that read the objects of requests for a user's
 * reconciler, and what they read with. Next, read {@link dev.windlass.controller.settings}.
 */
@NullMarked
package dev.windlass.controller.building;

import org.jspecify.annotations.NullMarked;
