// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileTest {

  @Test
  void countsASampleForTheInnermostFrameThatBelongsToAPart() {
    assertThat(
            Profile.parts(
                List.of(
                    "[C2 CompilerThre tid=7];C2Compiler::compile_method 5",
                    "[C1 CompilerThre tid=8];Compiler::compile_method 4",
                    "[GC Thread#0 tid=9];start_thread 3",
                    "[main tid=1];dev/windlass/manager/Manager.run;java/lang/ClassLoader.loadClass;"
                        + "java/util/HashMap.get 2",
                    "[w tid=2];dev/windlass/controller/running/Worker.run;"
                        + "com/fasterxml/jackson/databind/ObjectReader.readValue;"
                        + "java/util/HashMap.put 7",
                    "[w tid=2];dev/windlass/transport/Connection.perform;"
                        + "sun/security/ssl/SSLSocketImpl.decode 6",
                    "[w tid=2];dev/windlass/transport/Connection.perform;__GI_write 8",
                    "[w tid=2];dev/windlass/controller/running/Worker.run;java/util/HashMap.get 9",
                    "[w tid=2];dev/windlass/compare/Peer.converge 1")))
        .isEqualTo(
            Map.of(
                Profile.Part.COMPILER_2, 5L,
                Profile.Part.COMPILER_1, 4L,
                Profile.Part.COLLECTOR, 3L,
                Profile.Part.CLASSES, 2L,
                Profile.Part.JSON, 7L,
                Profile.Part.TLS, 6L,
                Profile.Part.HTTP, 8L,
                Profile.Part.FRAMEWORK, 9L,
                Profile.Part.OTHER, 1L));
  }

  @Test
  void printsTheSharesOfEachRun(@TempDir Path directory) throws IOException {
    Path library = Files.createFile(directory.resolve("libasyncProfiler.so"));
    Path samples = directory.resolve("a.collapsed");
    Profile profile = new Profile(library);
    assertThat(profile.flag("sync 5 a", samples))
        .startsWith("-agentpath:" + library)
        .endsWith("file=" + samples);
    Files.writeString(samples, "[C2 CompilerThre tid=7];a 3\n[main tid=1];b 1\n");
    assertThat(profile.markdown())
        .contains("| sync 5 a | 0.0 | 75.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 0.0 | 25.0 | 4 |");
  }
}
