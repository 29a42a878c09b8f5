// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: which manager owns which field of an object, as {@code metadata.managedFields} records
 * it.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.ownership;

import org.jspecify.annotations.NullMarked;
