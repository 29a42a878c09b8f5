// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.versions;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** The third version of a type that has fields of all sorts. */
@Group("boxes.windlass.dev")
@Kind("Box")
@Plural("boxes")
@Version("v3")
@SuppressWarnings("serial") // nobody serializes it
public final class BoxV3 extends CustomResource<BoxContent, BoxStatus> implements Namespaced {}
