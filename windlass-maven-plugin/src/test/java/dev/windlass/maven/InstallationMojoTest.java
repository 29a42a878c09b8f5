// SPDX-License-Identifier: Apache-2.0
package dev.windlass.maven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The command with which {@code windlass:helm} runs the program. */
final class InstallationMojoTest {

  private final HelmMojo goal = new HelmMojo();

  private List<String> command() throws Exception {
    List<String> command = goal.command("classes", List.of("--write-helm=chart"));
    return command.subList(command.indexOf("classes") + 1, command.size());
  }

  @Test
  void usesTheConfigurationOfTheProject() throws Exception {
    goal.mainClass = "com.example.Main";
    goal.image = "main:1";
    goal.arguments = List.of("--workers=2");
    assertThat(command())
        .containsExactly(
            "com.example.Main", "--workers=2", "--write-helm=chart", "--write-image=main:1");
  }

  /** Maven itself would ignore a property that the pom.xml configures. */
  @Test
  void prefersPropertiesOnTheCommandLine() throws Exception {
    goal.mainClass = "com.example.Main";
    goal.image = "main:1";
    goal.arguments = List.of("--workers=2");
    goal.userProperties.setProperty("windlass.image", "registry.example.com/main:2");
    goal.userProperties.setProperty("windlass.arguments", "--workers=4,--namespace=shop");
    goal.userProperties.setProperty("windlass.mainClass", "com.example.Other");
    assertThat(command())
        .containsExactly(
            "com.example.Other",
            "--workers=4",
            "--namespace=shop",
            "--write-helm=chart",
            "--write-image=registry.example.com/main:2");
  }

  @Test
  void namesThePropertyOfAMissingClass() {
    assertThatThrownBy(this::command).hasMessageContaining("main.class");
  }
}
