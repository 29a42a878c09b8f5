// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.versions;

import dev.windlass.webhook.conversion.Conversion;
import dev.windlass.webhook.conversion.ConversionException;
import org.jspecify.annotations.Nullable;

/** Converts Sites between their versions. */
final class SiteVersions {

  // sample: conversion
  /** The conversion. Clients of v1 do not lose {@code spec.tls}, although v1 does not have it. */
  static final Conversion<Site> CONVERSION =
      Conversion.hub(Site.class)
          .spoke(SiteV1.class, SiteVersions::toHub, SiteVersions::fromHub)
          .keepingLostFields();

  // end

  private SiteVersions() {}

  // sample: functions
  /** Splits the address into host and port. */
  static Site toHub(SiteV1 old) {
    Site site = new Site();
    site.setStatus(old.getStatus());
    if (old.getSpec() != null) {
      site.setSpec(split(old.getSpec().getAddress()));
    }
    return site;
  }

  private static SiteSpec split(@Nullable String address) {
    if (address == null || address.indexOf(':') < 0) {
      throw new ConversionException("spec.address has no port"); // the schema rejects this
    }
    SiteSpec spec = new SiteSpec();
    int colon = address.lastIndexOf(':');
    spec.setHost(address.substring(0, colon));
    spec.setPort(Integer.valueOf(address.substring(colon + 1)));
    return spec;
  }

  /** Joins host and port. */
  static SiteV1 fromHub(Site site) {
    SiteV1 old = new SiteV1();
    old.setStatus(site.getStatus());
    if (site.getSpec() != null) {
      SiteV1Spec spec = new SiteV1Spec();
      spec.setAddress(site.getSpec().getHost() + ":" + site.getSpec().getPort());
      old.setSpec(spec);
    }
    return old;
  }
  // end
}
