// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which files it replaces and deletes. */
final class WrittenFolderTest {

  @TempDir private Path temporary;

  @Test
  void replacesAndDeletesItsOwnFiles() {
    WrittenFolder folder = new WrittenFolder(temporary.resolve("new/chart"));
    assertThat(folder.write(Map.of("values.yaml", "a", "templates/old.yaml", "b"))).isEqualTo(2);
    assertThat(folder.write(Map.of("values.yaml", "c", "templates/old.yaml", ""))).isEqualTo(1);
    assertThat(folder.folder().resolve("values.yaml")).hasContent("c");
    assertThat(folder.folder().resolve("templates/old.yaml")).doesNotExist();
  }

  @Test
  void deletesFilesThatAreNoLongerGenerated() throws IOException {
    WrittenFolder folder = new WrittenFolder(temporary);
    folder.write(Map.of("a.yaml", "a", "old/b.yaml", "b", "old/c.yaml", "c"));
    Path foreign = Files.writeString(temporary.resolve("old/mine.yaml"), "mine");
    assertThat(folder.write(Map.of("a.yaml", "a", "old/c.yaml", "c"))).isEqualTo(2);
    assertThat(temporary.resolve("old/b.yaml")).doesNotExist();
    assertThat(foreign).hasContent("mine");
    folder.write(Map.of("a.yaml", "a", "old/b.yaml", "other", "old/c.yaml", "c"));
    Path edited = Files.writeString(temporary.resolve("old/c.yaml"), "edited");
    assertThatThrownBy(() -> folder.write(Map.of("a.yaml", "changed")))
        .hasMessageContaining(edited + " was not written by this program, or has been changed");
    assertThat(temporary.resolve("a.yaml")).hasContent("a");
    assertThat(edited).hasContent("edited");
  }

  @Test
  void deletesNothingOutsideTheFolder() throws IOException {
    WrittenFolder folder = new WrittenFolder(temporary.resolve("chart"));
    folder.write(Map.of("a.yaml", "a"));
    Path outside = Files.writeString(temporary.resolve("a.yaml"), "a");
    Path record = folder.folder().resolve(WrittenFolder.RECORD);
    Files.writeString(record, Files.readString(record).replace("a.yaml", "../a.yaml"));
    folder.write(Map.of());
    assertThat(outside).hasContent("a");
  }

  @Test
  void keepsFilesThatOthersHaveWrittenOrChanged() throws IOException {
    WrittenFolder folder = new WrittenFolder(temporary);
    Path values = Files.writeString(temporary.resolve("values.yaml"), "mine");
    for (String content : new String[] {"generated", ""}) {
      assertThatThrownBy(() -> folder.write(Map.of("a.yaml", "a", "values.yaml", content)))
          .hasMessageContaining(values + " was not written by this program");
    }
    assertThat(values).hasContent("mine");
    assertThat(temporary.resolve("a.yaml")).doesNotExist();
    Files.delete(values);
    folder.write(Map.of("values.yaml", "generated"));
    Files.writeString(values, "edited");
    assertThatThrownBy(() -> folder.write(Map.of("values.yaml", "other")))
        .hasMessageContaining("has been changed since");
    folder.write(Map.of("values.yaml", "edited")); // nothing is lost
  }

  @Test
  void rejectsAFolderThatCanNotBeCreated() throws IOException {
    Path file = Files.writeString(temporary.resolve("file"), "");
    assertThatThrownBy(() -> new WrittenFolder(file.resolve("chart")).write(Map.of("a", "a")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("can't be created");
  }
}
