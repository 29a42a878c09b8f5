// SPDX-License-Identifier: Apache-2.0
package shop;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Service;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.ErrorStatusUpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.Workflow;
import io.javaoperatorsdk.operator.api.reconciler.dependent.Dependent;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.rate.RateLimited;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.event.source.polling.PollingConfigurationBuilder;
import io.javaoperatorsdk.operator.processing.event.source.polling.PollingEventSource;
import io.javaoperatorsdk.operator.processing.retry.GradualRetry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Maintains the settings and the stock of each shop, and reports its price. */
@Workflow(dependents = @Dependent(type = SettingsDependent.class))
@GradualRetry(maxAttempts = 3)
@RateLimited(maxReconciliations = 5, within = 3)
@ControllerConfiguration(informer = @Informer(namespaces = {"default", "other"}))
public class ShopReconciler implements Reconciler<Shop>, Cleaner<Shop> {

  @Override
  public List<EventSource<?, Shop>> prepareEventSources(EventSourceContext<Shop> context) {
    var prices =
        new PollingEventSource<Market.Price, Shop, String>(
            Market.Price.class,
            new PollingConfigurationBuilder<Market.Price, String>(
                    ShopReconciler::prices, Duration.ofHours(24))
                .build());
    return List.of(
        prices,
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(ConfigMap.class, Shop.class).build(), context),
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(Service.class, Shop.class)
                .withSecondaryToPrimaryMapper(ShopReconciler::shopsOf)
                .build(),
            context));
  }

  private static Map<ResourceID, Set<Market.Price>> prices() {
    return Market.prices().values().stream()
        .collect(Collectors.toMap(it -> new ResourceID(it.shop(), "default"), Set::of));
  }

  private static Set<ResourceID> shopsOf(Service service) {
    return Set.of(
        new ResourceID(
            service.getMetadata().getLabels().get("shop"), service.getMetadata().getNamespace()));
  }

  @Override
  public UpdateControl<Shop> reconcile(Shop shop, Context<Shop> context) {
    if (shop.getSpec().getSize() < 0) {
      throw new IllegalArgumentException("no shop has the size " + shop.getSpec().getSize());
    }
    if (context.getSecondaryResource(ConfigMap.class).isEmpty()) {
      context.getClient().resource(Stock.of(shop)).create();
    }
    shop.setStatus(new Shop.Status());
    context
        .getSecondaryResource(Market.Price.class)
        .ifPresent(price -> shop.getStatus().setPrice(price.amount()));
    return UpdateControl.patchStatus(shop);
  }

  @Override
  public DeleteControl cleanup(Shop shop, Context<Shop> context) {
    Market.close();
    return DeleteControl.defaultDelete();
  }

  @Override
  public ErrorStatusUpdateControl<Shop> updateErrorStatus(
      Shop shop, Context<Shop> context, Exception e) {
    shop.setStatus(new Shop.Status());
    shop.getStatus().setError(e.getMessage());
    return ErrorStatusUpdateControl.patchStatus(shop).withNoRetry();
  }
}
