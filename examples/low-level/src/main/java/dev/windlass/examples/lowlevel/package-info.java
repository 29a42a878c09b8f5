// SPDX-License-Identifier: Apache-2.0
/**
 * A controller that, like Kubernetes' sample-controller, uses only informers, a work queue and an
 * event recorder. It contains the code that the controller layer otherwise provides.
 */
@NullMarked
package dev.windlass.examples.lowlevel;

import org.jspecify.annotations.NullMarked;
