// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.versions;

import dev.windlass.controller.reconcile.ObjectReconciler;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Result;

/** Reports the URL of each Site. This reconciler uses only v2. This class is thread-safe. */
final class SiteReconciler implements ObjectReconciler<Site> {

  @Override
  public Result reconcile(Site site, ReconcileContext context) {
    SiteSpec spec = site.getSpec();
    String scheme = Boolean.TRUE.equals(spec.getTls()) ? "https" : "http";
    SiteStatus status = new SiteStatus();
    status.setUrl(scheme + "://" + spec.getHost() + ":" + spec.getPort());
    site.setStatus(status);
    context.client().status().update(site);
    return Result.done();
  }
}
