// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: CustomResourceDefinitions and their schemas, which determine the fields, the defaults
 * and the validation of custom resources.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.schema;

import org.jspecify.annotations.NullMarked;
