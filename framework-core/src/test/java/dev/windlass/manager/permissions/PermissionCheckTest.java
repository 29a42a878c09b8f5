// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager.permissions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.object.ResourceType;
import dev.windlass.rbac.Permission;
import dev.windlass.rbac.Permissions;
import dev.windlass.rbac.Verb;
import dev.windlass.scheduling.Loop;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.scheduling.StepDelay;
import dev.windlass.testsupport.Logs;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

final class PermissionCheckTest {

  private static final ResourceType MAPS = ResourceType.of(ConfigMap.class);

  @AutoClose private final Logs logs = Logs.of(PermissionCheck.class);
  private final ManualScheduler time = new ManualScheduler();
  private final List<Permission> asked = new ArrayList<>();
  private final List<Permission> refused = new ArrayList<>();
  private Permissions needed = Permissions.uses(MAPS, "", Verb.GET, Verb.LIST);
  private int versions;
  private int failures;
  private int code;
  private @Nullable Status status;

  private final PermissionCheck check =
      new PermissionCheck(
          () -> needed,
          this::review,
          () -> versions++,
          time,
          (name, step) -> new Loop(name, step, time, Thread::new));

  private List<Permission> review(Collection<Permission> permissions) {
    if (failures-- > 0) {
      throw new KubernetesClientException("no answer", code, status);
    }
    asked.addAll(permissions);
    return permissions.stream().filter(refused::contains).toList();
  }

  @Test
  void warnsOnceOfEachRightThatIsMissing() {
    refused.add(Permission.of(MAPS, "", Verb.LIST));
    assertThat(check.step()).isEqualTo(StepDelay.NONE);
    assertThat(check.step()).isEqualTo(StepDelay.of(PermissionCheck.LOOK));
    assertThat(logs.lines())
        .singleElement()
        .asString()
        .contains("lacks the permission to list configmaps");
    assertThat(check.missing()).isEqualTo(refused);
    assertThat(check.isDone()).isTrue();
    assertThat(asked).hasSize(2);
  }

  /** A streaming list needs the permission to watch only. */
  @Test
  void saysWhatNeedsAListIfThereIsTheRightToWatch() {
    needed = Permissions.uses(MAPS, "", Verb.LIST, Verb.WATCH);
    refused.add(Permission.of(MAPS, "", Verb.LIST));
    check.step();
    assertThat(logs.lines())
        .singleElement()
        .asString()
        .contains(", for uncached lists and for API servers without streaming lists (");
  }

  @Test
  void doesNotSayItIfThereIsNone() {
    needed = Permissions.uses(MAPS, "", Verb.LIST, Verb.WATCH);
    refused.add(Permission.of(MAPS, "", Verb.LIST));
    refused.add(Permission.of(MAPS, "", Verb.WATCH));
    check.step();
    assertThat(logs.lines()).hasSize(1).noneMatch(line -> line.contains("streaming"));
  }

  @Test
  void seesWithinAMinuteThatARightWasGranted() {
    refused.add(Permission.of(MAPS, "", Verb.LIST));
    check.step();
    asked.clear();
    time.advance(PermissionCheck.AGAIN.minusNanos(1));
    assertThat(check.step()).as("woken too early").isEqualTo(StepDelay.of(Duration.ofNanos(1)));
    assertThat(asked).isEmpty();
    time.advance(Duration.ofNanos(1));
    assertThat(check.step()).isEqualTo(StepDelay.of(PermissionCheck.LOOK));
    assertThat(asked).containsExactlyElementsOf(refused);
    assertThat(check.missing()).isEqualTo(refused);
    refused.clear();
    time.advance(PermissionCheck.AGAIN);
    try (Logs later = Logs.of(PermissionCheck.class)) {
      assertThat(check.step()).isEqualTo(StepDelay.of(PermissionCheck.LOOK));
      assertThat(later.lines())
          .singleElement()
          .asString()
          .startsWith("INFO This program may now list configmaps")
          .endsWith(" in the whole cluster");
    }
    assertThat(check.missing()).isEmpty();
  }

  @Test
  void isPatientIfTheServerDoesNotAnswerTheSecondQuestion() {
    refused.add(Permission.of(MAPS, "", Verb.LIST));
    check.step();
    time.advance(PermissionCheck.AGAIN);
    failures = 1;
    assertThat(check.step()).isEqualTo(StepDelay.of(PermissionCheck.LOOK));
    assertThat(check.missing()).isEqualTo(refused);
  }

  @Test
  void forgetsWhatIsNeededNoMore() {
    refused.add(Permission.of(MAPS, "", Verb.LIST));
    Permissions all = needed;
    check.step();
    needed = Permissions.NONE;
    assertThat(check.step()).isEqualTo(StepDelay.of(PermissionCheck.LOOK));
    assertThat(check.missing()).isEmpty();
    needed = all;
    asked.clear();
    check.step();
    assertThat(asked).hasSize(2);
    assertThat(check.missing()).isEqualTo(refused);
  }

  @Test
  void asksForTheVersionBeforeTheRights() {
    check.step();
    assertThat(versions).isEqualTo(1);
    check.step();
    assertThat(versions).as("nothing else to ask").isEqualTo(1);
  }

  /** Nothing wakes the check when a namespace is added to a controller's set, for example. */
  @Test
  void asksLaterForWhatIsDeclaredLater() {
    check.step();
    assertThat(check.step()).isEqualTo(StepDelay.of(PermissionCheck.LOOK));
    assertThat(asked).as("looking at what is needed asks no server").hasSize(2);
    needed = needed.and(Permissions.uses(MAPS, "", Verb.DELETE));
    check.step();
    assertThat(asked).hasSize(3).last().isEqualTo(Permission.of(MAPS, "", Verb.DELETE));
  }

  @Test
  void asksAgainIfTheServerCouldNotBeAsked() {
    failures = 1;
    assertThat(check.step()).isEqualTo(StepDelay.of(PermissionCheck.RETRY));
    assertThat(check.isDone()).isFalse();
    check.step();
    assertThat(asked).hasSize(2);
  }

  @Test
  void leavesItIfTheServerDoesNotReviewRights() {
    failures = 1;
    code = 404;
    check.step();
    assertThat(check.step()).isEqualTo(StepDelay.of(PermissionCheck.LOOK));
    assertThat(asked).isEmpty();
    assertThat(check.missing()).isEmpty();
  }

  /** Else people grant rights to everybody. */
  @Test
  void saysThatNoCredentialsWereSentInsteadOfAskingForRights() {
    failures = 1;
    code = 403;
    status =
        new StatusBuilder()
            .withCode(403)
            .withReason("Forbidden")
            .withMessage(
                "selfsubjectaccessreviews.authorization.k8s.io is forbidden: User"
                    + " \"system:anonymous\" cannot create resource")
            .build();
    check.step();
    assertThat(logs.messages())
        .singleElement()
        .asString()
        .contains(
            "Skipping the check", "without credentials", "grant no rights to system:anonymous")
        .doesNotContain("Grant this identity");
  }
}
