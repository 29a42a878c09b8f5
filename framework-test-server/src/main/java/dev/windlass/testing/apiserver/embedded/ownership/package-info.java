// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: determines which manager owns each field of an object, and records the owners in {@code
 * metadata.managedFields}.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.ownership;

import org.jspecify.annotations.NullMarked;
