// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RealApiServerExtensionIT {

  @RegisterExtension static final RealApiServerExtension first = RealApiServerExtension.shared();

  @RegisterExtension static final RealApiServerExtension second = RealApiServerExtension.shared();

  @RegisterExtension
  final RealApiServerExtension own =
      RealApiServerExtension.own(RealApiServer.builder().controllerManager(false));

  @Test
  void sharesOneServerAndStartsOthersOnDemand() {
    assertThat(second.server()).isSameAs(first.server());
    assertThat(own.server()).isNotSameAs(first.server());
    assertThat(own.clientConfig().getMasterUrl()).isNotEqualTo(first.clientConfig().getMasterUrl());
  }
}
