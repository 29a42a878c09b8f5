// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli.install;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;

/**
 * A value that the user of a chart chooses. A placeholder represents the value in the permissions
 * and objects that the program declares. In the chart's templates, a template expression replaces
 * the placeholder.
 */
public enum InstallationValue {

  /** The program's namespace. */
  NAMESPACE("windlass-release-namespace", "{{ .Release.Namespace }}"),

  /** The only namespace that the program watches. */
  WATCHED_NAMESPACE("windlass-watched-namespace", "{{ .Values.watchNamespace }}"),

  /** The installation's name. */
  RELEASE("windlass-chart-release", "{{ .Release.Name }}"),

  /** The image tag, truncated to the maximum length of a label value. */
  TAG("windlass-image-tag", "{{ .Values.image.tag | toString | trunc 63 }}"),

  /** The program's ServiceAccount. */
  SERVICE_ACCOUNT("windlass-service-account", "{{ .Values.serviceAccount.name }}");

  private final String placeholder;
  private final String expression;

  InstallationValue(String placeholder, String expression) {
    this.placeholder = placeholder;
    this.expression = expression;
  }

  /**
   * Returns the placeholder that represents this value in the program's permissions and objects.
   * The placeholder is a valid name for a namespace.
   */
  public String placeholder() {
    return placeholder;
  }

  /**
   * Returns a template of the given object, in which template expressions replace the placeholders.
   */
  static String template(HasMetadata object) {
    return template(Serialization.asYaml(object));
  }

  /**
   * Returns a template of the given text, in which template expressions replace the placeholders.
   */
  static String template(String text) {
    String template = ChartSource.literal(text);
    for (InstallationValue value : values()) {
      template = template.replace(value.placeholder, value.expression);
    }
    return template;
  }
}
