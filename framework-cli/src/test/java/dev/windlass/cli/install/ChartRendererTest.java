// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The part of Helm's template language that our charts use; ChartIT compares it with Helm. */
final class ChartRendererTest {

  @SuppressWarnings("unchecked") // the keys are strings
  private static String render(String template) {
    Map<String, Object> values =
        Serialization.unmarshal(
            """
            on: true
            off: false
            none: ""
            text: 'a "b"'
            number: 7
            list: [x, y]
            empty: []
            group: {deep: {k: v}}
            """,
            Map.class);
    return ChartRenderer.render(template, values, ObjectKey.of("here", "me"), Map.of("f", "1\n2"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "a {{ .Values.number }} b; a 7 b",
        "{{ .Release.Namespace }} {{ .Release.Name }}; here me",
        "{{ .Values.number | toString | trunc 63 }}; 7",
        "{{ .Values.text | trunc 4 }}; a \"b",
        "{{ .Values.text | quote }}; \"a \\\"b\\\"\"",
        "{{ \"{{ $labels.name }}\" }}; {{ $labels.name }}",
        "a   {{- .Values.number }}; a7",
        "{{ if .Values.on }}yes{{ else }}no{{ end }}; yes",
        "{{ if .Values.off }}yes{{ else }}no{{ end }}; no",
        "{{ if .Values.none }}yes{{ end }}no; no",
        "{{ with .Values.number }}<{{ . }}>{{ end }}; <7>",
        "{{ with .Values.empty }}<{{ . }}>{{ else }}none{{ end }}; none",
        "{{ range .Values.list }}<{{ . }}>{{ end }}; <x><y>",
        "{{ range .Values.empty }}<{{ . }}>{{ end }}none; none",
        "{{ if .Values.off }}{{ range .Values.list }}{{ end }}{{ else }}b{{ end }}; b",
        "{{ with .Values.off }}{{ if .x }}a{{ else }}b{{ end }}{{ end }}c; c",
      })
  void rendersAsHelmDoes(String template, String expected) {
    assertThat(render(template)).isEqualTo(expected);
  }

  @Test
  void indentsYamlAndFiles() {
    assertThat(render("a: {{- toYaml .Values.list | nindent 2 }}"))
        .isEqualTo("a:\n  - \"x\"\n  - \"y\"");
    assertThat(render("a: |- {{- .Files.Get \"f\" | nindent 2 }}")).isEqualTo("a: |-\n  1\n  2");
  }

  @Test
  void rejectsAFieldThatIsNotThere() {
    assertThatThrownBy(() -> render("{{ .Values.nmber }}"))
        .hasMessage("the chart has no field .Values.nmber");
    assertThatThrownBy(() -> render("{{ .Values.text | upper }}"))
        .hasMessage("there is no filter upper");
  }
}
