// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.requests;

import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;

final class JdkTransportTest extends TransportContract {

  JdkTransportTest() {
    super(new JdkHttpClientFactory(), true);
  }
}
