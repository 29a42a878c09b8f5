// SPDX-License-Identifier: Apache-2.0
/**
 * The Foo operator: keeps a Deployment for each Foo, with the number of replicas that the Foo asks
 * for, and reports in the Foo's status how many are available. After Kubernetes' sample-controller.
 */
@NullMarked
package dev.windlass.examples.foo;

import org.jspecify.annotations.NullMarked;
