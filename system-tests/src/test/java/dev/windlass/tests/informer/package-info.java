// SPDX-License-Identifier: Apache-2.0
/** Informers on a real API server: what they bring, and what they survive. */
@NullMarked
package dev.windlass.tests.informer;

import org.jspecify.annotations.NullMarked;
