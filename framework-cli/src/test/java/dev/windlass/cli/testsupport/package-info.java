// SPDX-License-Identifier: Apache-2.0
/** What the tests of all operators share. */
@NullMarked
package dev.windlass.cli.testsupport;

import org.jspecify.annotations.NullMarked;
