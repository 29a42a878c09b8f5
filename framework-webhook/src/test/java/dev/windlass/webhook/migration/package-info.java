// SPDX-License-Identifier: Apache-2.0
/** Storage migrations on virtual time, against a server of a few fields. */
@NullMarked
package dev.windlass.webhook.migration;

import org.jspecify.annotations.NullMarked;
