// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli.install;

/**
 * A value that the user of a chart chooses. A placeholder represents the value in the permissions
 * and objects that the program declares. A chart has an expression of Helm in its place, and {@code
 * install.yaml} has the value itself.
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

  /** Returns the expression by which a template of Helm refers to this value. */
  String expression() {
    return expression;
  }
}
