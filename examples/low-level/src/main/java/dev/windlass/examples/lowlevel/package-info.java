// SPDX-License-Identifier: Apache-2.0
/**
 * A controller that uses only informers, a work queue and an event recorder, like Kubernetes'
 * sample-controller. It does by hand what the controller layer otherwise does.
 */
@NullMarked
package dev.windlass.examples.lowlevel;

import org.jspecify.annotations.NullMarked;
