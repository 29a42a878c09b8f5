// SPDX-License-Identifier: Apache-2.0
package team;

import io.fabric8.kubernetes.api.model.Secret;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.ErrorStatusUpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.List;
import java.util.Set;

/** Counts the members of each team. */
@ControllerConfiguration(informer = @Informer(labelSelector = "active=true"))
public class TeamReconciler implements Reconciler<Team> {

  @Override
  public List<EventSource<?, Team>> prepareEventSources(EventSourceContext<Team> context) {
    InformerEventSourceConfiguration<Secret> members =
        InformerEventSourceConfiguration.from(Secret.class, Team.class)
            .withLabelSelector("team")
            .withSecondaryToPrimaryMapper(this::teamsOf)
            .build();
    return List.of(new InformerEventSource<>(members, context));
  }

  private Set<ResourceID> teamsOf(Secret member) {
    return Set.of(
        new ResourceID(
            member.getMetadata().getLabels().get("team"), member.getMetadata().getNamespace()));
  }

  @Override
  public UpdateControl<Team> reconcile(Team team, Context<Team> context) {
    if (team.getSpec().getSize() < 0) {
      throw new IllegalArgumentException("no team has " + team.getSpec().getSize() + " members");
    }
    int members =
        context
            .getClient()
            .secrets()
            .inNamespace(team.getMetadata().getNamespace())
            .withLabel("team", team.getMetadata().getName())
            .list()
            .getItems()
            .size();
    team.setStatus(new Team.Status());
    team.getStatus().setMembers(members);
    return UpdateControl.patchStatus(team);
  }

  @Override
  public ErrorStatusUpdateControl<Team> updateErrorStatus(
      Team team, Context<Team> context, Exception e) {
    team.setStatus(new Team.Status());
    team.getStatus().setError(e.getMessage());
    return ErrorStatusUpdateControl.patchStatus(team).withNoRetry();
  }
}
