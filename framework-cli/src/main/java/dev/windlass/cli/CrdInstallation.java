// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import dev.windlass.logging.OneLine;
import dev.windlass.object.ResourceType;
import dev.windlass.rbac.Declaration;
import dev.windlass.rbac.Permission;
import dev.windlass.rbac.Permissions;
import dev.windlass.rbac.Verb;
import dev.windlass.scheduling.Scheduler;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionCondition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies CRDs and waits until the API server serves them. Applying the same CRD again changes
 * nothing. This class is not thread-safe.
 */
final class CrdInstallation {

  /** The time within which the API server must serve all CRDs: 30 s. */
  static final Duration LIMIT = Duration.ofSeconds(30);

  /** The interval between two checks whether the API server serves the CRDs. */
  private static final Duration REST = Duration.ofMillis(100);

  private static final Logger log = LoggerFactory.getLogger("setup");

  private final Crds server;
  private final Scheduler scheduler;
  private final Consumer<Duration> rest;

  /** Reads and writes CRDs. */
  interface Crds {

    /** Creates the CRD, or updates it to the desired state. */
    void apply(CustomResourceDefinition crd);

    /** Returns the CRD with this name, or null if it does not exist. */
    @Nullable CustomResourceDefinition get(String name);
  }

  /**
   * Reads and writes CRDs on an API server.
   *
   * @param owner the field manager of the applied fields
   */
  record Server(KubernetesClient client, String owner) implements Crds {

    @Override
    public void apply(CustomResourceDefinition crd) {
      client.resource(crd).fieldManager(owner).forceConflicts().serverSideApply();
    }

    @Override
    public @Nullable CustomResourceDefinition get(String name) {
      return client.apiextensions().v1().customResourceDefinitions().withName(name).get();
    }
  }

  /**
   * Creates an installation. It applies nothing until {@link #install} is called.
   *
   * @param rest the function that waits for the given time
   */
  CrdInstallation(Crds server, Scheduler scheduler, Consumer<Duration> rest) {
    this.server = server;
    this.scheduler = scheduler;
    this.rest = rest;
  }

  /** Returns the permissions needed to install these CRDs. An empty list needs no permissions. */
  static Permissions rights(List<CrdFile> crds) {
    ResourceType type = ResourceType.of(CustomResourceDefinition.class);
    Set<Permission> rights =
        crds.stream()
            .flatMap(
                crd ->
                    Stream.of(Verb.GET, Verb.CREATE, Verb.PATCH)
                        .map(verb -> Permission.of(type, "", verb).named(crd.name())))
            .collect(Collectors.toSet());
    return rights.isEmpty()
        ? Permissions.NONE
        : Permissions.of(List.of(new Declaration("--install-crds", rights, Declaration.Need.EACH)));
  }

  /**
   * Applies the CRDs and returns once the API server serves all of them.
   *
   * @throws IllegalStateException if the API server rejects a CRD or does not serve it within the
   *     limit; the message states the cause and the remedy
   */
  void install(List<CrdFile> crds) {
    crds.forEach(this::apply);
    long deadline = scheduler.nanoTime() + LIMIT.toNanos();
    for (CrdFile crd : crds) {
      await(crd.name(), deadline);
      log.info("The CRD {} is installed", crd.name());
    }
  }

  private void apply(CrdFile file) {
    try {
      server.apply(file.crd());
    } catch (KubernetesClientException e) {
      String message = OneLine.of(String.valueOf(e.getMessage()), 300);
      throw new IllegalStateException(
          e.getCode() == HttpURLConnection.HTTP_FORBIDDEN
              ? "permission to install the CRD "
                  + file.name()
                  + " denied; grant what --install-crds --print-rbac prints, or have an"
                  + " administrator apply the CRD and omit --install-crds ("
                  + message
                  + ")"
              : "the CRD " + file.name() + " can't be applied: " + message,
          e);
    }
  }

  private void await(String name, long deadline) {
    while (true) {
      CustomResourceDefinition crd = server.get(name);
      if (crd != null && is(crd, "Established", "True")) {
        return;
      }
      if (crd != null && is(crd, "NamesAccepted", "False")) {
        throw new IllegalStateException(
            "the names of the CRD " + name + " are taken: " + said(crd, "NamesAccepted"));
      }
      if (scheduler.nanoTime() - deadline >= 0) {
        throw new IllegalStateException(
            "the API server does not serve the CRD "
                + name
                + " after "
                + LIMIT.toSeconds()
                + " s: "
                + (crd == null ? "the CRD does not exist" : said(crd, "Established"))
                + "; see: kubectl describe crd "
                + name);
      }
      rest.accept(REST);
    }
  }

  private static Optional<CustomResourceDefinitionCondition> condition(
      CustomResourceDefinition crd, String type) {
    return crd.getStatus() == null || crd.getStatus().getConditions() == null
        ? Optional.empty()
        : crd.getStatus().getConditions().stream()
            .filter(condition -> condition.getType().equals(type))
            .findFirst();
  }

  private static boolean is(CustomResourceDefinition crd, String type, String status) {
    return condition(crd, type).filter(found -> found.getStatus().equals(status)).isPresent();
  }

  private static String said(CustomResourceDefinition crd, String type) {
    return condition(crd, type)
        .map(
            found ->
                type
                    + " is "
                    + found.getStatus()
                    + " ("
                    + found.getReason()
                    + ", "
                    + found.getMessage()
                    + ")")
        .map(text -> OneLine.of(text, 300))
        .orElse("it has no condition " + type);
  }
}
