// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.versions;

import dev.windlass.testing.webhook.RoundTrips;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

final class SiteVersionsTest {

  // sample: round-trips
  @TestFactory
  Stream<DynamicTest> noConversionLosesAField() {
    return RoundTrips.of(SiteVersions.CONVERSION)
        .always(SiteV1.class, "spec", "spec.address")
        .values(SiteV1.class, "spec.address", random -> "host:" + random.nextInt(1, 65_536))
        .always(Site.class, "spec", "spec.host", "spec.port")
        .values(Site.class, "spec.port", random -> random.nextInt(1, 65_536))
        .tests();
  }
  // end
}
