// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real;

import java.nio.file.Path;

/**
 * The objects and resourceVersions of a {@link RealApiServer} at one moment, for {@link
 * RealApiServer#restore}. A snapshot is deleted when the server that created it is closed.
 */
public final class EtcdSnapshot {

  private final Path directory;

  EtcdSnapshot(Path directory) {
    this.directory = directory;
  }

  Path directory() {
    return directory;
  }
}
