// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.requests;

import io.fabric8.kubernetes.client.okhttp.OkHttpClientFactory;

/**
 * fabric8 7.8 closes OkHttp's source in the thread that cancels, while another one may read from
 * it. OkHttp does not allow for that: of a hundred closes that meet a flow of data, about one
 * leaves a connection open that nobody reads, until the server ends the watch (30 s at most).
 */
final class OkHttpTransportTest extends TransportContract {

  OkHttpTransportTest() {
    super(new OkHttpClientFactory(), false);
  }
}
