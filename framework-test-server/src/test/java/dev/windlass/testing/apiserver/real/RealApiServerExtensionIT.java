// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RealApiServerExtensionIT {

  @RegisterExtension static final RealApiServerExtension first = RealApiServerExtension.shared();

  @RegisterExtension static final RealApiServerExtension second = RealApiServerExtension.shared();

  @RegisterExtension
  static final RealApiServerExtension collecting =
      RealApiServerExtension.sharedWithControllerManager();

  @RegisterExtension
  final RealApiServerExtension own = RealApiServerExtension.own(RealApiServer.builder());

  /** The programs that setup-envtest installs are enough, unless a test asks for more. */
  @Test
  void startsNoControllerManagerUnlessAsked() {
    assertThat(first.server().capabilities().garbageCollection()).isFalse();
    assertThat(collecting.server()).isNotSameAs(first.server());
    assertThat(collecting.server().capabilities().garbageCollection()).isTrue();
  }

  @Test
  void sharesOneServerAndStartsOthersOnDemand() {
    assertThat(second.server()).isSameAs(first.server());
    assertThat(own.server()).isNotSameAs(first.server());
    assertThat(own.clientConfig().getMasterUrl()).isNotEqualTo(first.clientConfig().getMasterUrl());
  }
}
