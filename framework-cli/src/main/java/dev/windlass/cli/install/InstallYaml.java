// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli.install;

import dev.windlass.cli.install.Installation.Needs;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Generates {@code install.yaml}: the namespace of a program, and the objects of its chart with the
 * chart's default values.
 */
public final class InstallYaml {

  private InstallYaml() {}

  /**
   * Returns the objects as YAML, in the order in which they can be created.
   *
   * @param namespace the program's namespace
   */
  public static String text(Installation installation, String namespace) {
    boolean inOne = !installation.defaults().watchNamespace().isEmpty();
    Needs needs = inOne ? installation.inOneNamespace() : installation.everywhere();
    ManifestSource source = ManifestSource.plain(installation, namespace);
    InstalledObjects objects =
        new InstalledObjects(installation.identity().name(), source.labels());
    List<String> texts = new ArrayList<>();
    texts.add(source.read("namespace.yaml"));
    objects.crds(installation).forEach(crd -> texts.add(source.text(crd)));
    texts.add(template(source, "serviceaccount"));
    objects.roles(needs.permissions()).forEach(role -> texts.add(source.text(role)));
    if (installation.shards() > 1) {
      texts.add(template(source, "shards"));
    }
    if (installation.leases().isAtHome()) {
      texts.add(template(source, "lease"));
    }
    texts.add(template(source, "deployment"));
    if (installation.endpoints().webhookPort().isPresent()) {
      texts.add(template(source, "service"));
    }
    if (installation.defaults().metrics()) {
      texts.add(template(source, "metrics-service"));
    }
    texts.add(template(source, "poddisruptionbudget"));
    objects.others(needs.objects()).forEach(object -> texts.add(source.text(object)));
    return texts.stream()
        .map(text -> text.startsWith("---") ? text : "---\n" + text)
        .collect(Collectors.joining());
  }

  private static String template(ManifestSource source, String name) {
    return source.read("chart/templates/" + name + ".yaml");
  }
}
