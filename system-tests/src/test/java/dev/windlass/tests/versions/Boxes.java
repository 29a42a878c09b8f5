// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.versions;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;

/** Three versions of a type that has fields of all sorts; the second one is the hub. */
@SuppressWarnings("serial") // nobody serializes them
final class Boxes {

  private Boxes() {}

  /** The status of a box. Public fields, which Jackson reads as well. */
  public static final class BoxStatus {
    public Integer ready;
    public List<Condition> conditions;
  }

  @Group("boxes.windlass.dev")
  @Kind("Box")
  @Plural("boxes")
  @Version("v1")
  static final class BoxV1 extends CustomResource<BoxContent, BoxStatus> implements Namespaced {}

  @Group("boxes.windlass.dev")
  @Kind("Box")
  @Plural("boxes")
  @Version("v2")
  static final class BoxV2 extends CustomResource<BoxContent, BoxStatus> implements Namespaced {}

  @Group("boxes.windlass.dev")
  @Kind("Box")
  @Plural("boxes")
  @Version("v3")
  static final class BoxV3 extends CustomResource<BoxContent, BoxStatus> implements Namespaced {}
}
