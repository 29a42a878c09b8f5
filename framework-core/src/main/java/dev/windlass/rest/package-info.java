// SPDX-License-Identifier: Apache-2.0
/**
 * Sends requests other than lists and watches to the API server: those of the client, of elections
 * and of reviews. Internal: not exported.
 */
@NullMarked
package dev.windlass.rest;

import org.jspecify.annotations.NullMarked;
