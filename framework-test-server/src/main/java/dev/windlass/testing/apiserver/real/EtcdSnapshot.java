// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real;

import java.nio.file.Path;

/**
 * The objects and resourceVersions of a {@link RealApiServer} at one moment, for {@link
 * RealApiServer#restore}. Closing the server that created a snapshot deletes the snapshot.
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
