// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** The hub under its earlier name; see {@link ToolV2}. */
@Group("example.com")
@Kind("Tool")
@Plural("tools")
@Version("v2beta1")
@SuppressWarnings("serial") // nobody serializes it
public final class ToolV2beta1 extends CustomResource<ToolV2.Spec, Void> implements Namespaced {}
