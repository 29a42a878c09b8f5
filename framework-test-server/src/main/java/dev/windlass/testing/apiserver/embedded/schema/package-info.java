// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: CustomResourceDefinitions and their schemas, which determine the defaults, the fields
 * and the validation of custom resources.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.schema;

import org.jspecify.annotations.NullMarked;
