// SPDX-License-Identifier: Apache-2.0
/**
 * A controller made of informers, a work queue and a recorder of Events alone, as Kubernetes'
 * sample-controller is: what the controller layer does for everybody else, done by hand.
 */
@NullMarked
package dev.windlass.examples.lowlevel;

import org.jspecify.annotations.NullMarked;
