// SPDX-License-Identifier: Apache-2.0
/** Webhooks of programs, and storage migrations, on API servers. */
@NullMarked
package dev.windlass.webhook;

import org.jspecify.annotations.NullMarked;
