// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli.install;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;

/**
 * A namespace that the user of a chart chooses. While the program declares its permissions and
 * webhooks, a placeholder takes its place; in the text of a template, an expression replaces the
 * placeholder.
 */
public enum InstallationNamespace {

  /** The namespace of the program. */
  RELEASE("windlass-release-namespace", "{{ .Release.Namespace }}"),

  /** The only namespace that the program watches. */
  WATCHED("windlass-watched-namespace", "{{ .Values.watchNamespace }}");

  private final String placeholder;
  private final String expression;

  InstallationNamespace(String placeholder, String expression) {
    this.placeholder = placeholder;
    this.expression = expression;
  }

  /** Returns the name that the program declares. It is a valid name of a namespace. */
  public String placeholder() {
    return placeholder;
  }

  /** Returns an object as the text of a template that renders the object. */
  static String template(HasMetadata object) {
    String text = ChartSource.literal(Serialization.asYaml(object));
    for (InstallationNamespace namespace : values()) {
      text = text.replace(namespace.placeholder, namespace.expression);
    }
    return text;
  }
}
