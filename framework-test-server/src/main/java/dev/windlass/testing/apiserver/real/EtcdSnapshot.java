// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real;

import java.nio.file.Path;

/**
 * A snapshot of the objects and resourceVersions of a {@link RealApiServer}, which {@link
 * RealApiServer#restore} can restore. The snapshot is deleted when its server is closed.
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
