// SPDX-License-Identifier: Apache-2.0
/** Declarations of conversions, and a type with several versions for the tests. */
package dev.windlass.webhook.conversion;
