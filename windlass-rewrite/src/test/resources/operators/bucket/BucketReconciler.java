// SPDX-License-Identifier: Apache-2.0
package bucket;

import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Maintains a bucket of the object store for each object. */
@ControllerConfiguration(
    name = "buckets",
    finalizerName = "samples.windlass.dev/bucket",
    generationAwareEventProcessing = false,
    informer = @Informer(namespaces = {"default", "other"}))
public class BucketReconciler implements Reconciler<Bucket>, Cleaner<Bucket> {

  @Override
  public UpdateControl<Bucket> reconcile(Bucket bucket, Context<Bucket> context) {
    if (!ObjectStore.isReady(name(bucket)))
      return UpdateControl.<Bucket>noUpdate().rescheduleAfter(Duration.ofSeconds(5));
    bucket.setStatus(new Bucket.Status());
    bucket.getStatus().setUrl("store://" + name(bucket));
    bucket.getMetadata().getAnnotations().put("region", bucket.getSpec().getRegion());
    return UpdateControl.patchResourceAndStatus(bucket).rescheduleAfter(10, TimeUnit.MINUTES);
  }

  @Override
  public DeleteControl cleanup(Bucket bucket, Context<Bucket> context) {
    return ObjectStore.delete(name(bucket))
        ? DeleteControl.defaultDelete()
        : DeleteControl.noFinalizerRemoval().rescheduleAfter(Duration.ofSeconds(10));
  }

  private static String name(Bucket bucket) {
    return bucket.getMetadata().getNamespace() + "/" + bucket.getMetadata().getName();
  }
}
