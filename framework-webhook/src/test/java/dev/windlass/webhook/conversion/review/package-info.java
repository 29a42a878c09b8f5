// SPDX-License-Identifier: Apache-2.0
/** Conversions of whole reviews, as the API server sends them. */
@NullMarked
package dev.windlass.webhook.conversion.review;

import org.jspecify.annotations.NullMarked;
