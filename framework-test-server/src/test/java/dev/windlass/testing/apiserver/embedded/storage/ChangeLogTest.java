// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.testing.apiserver.embedded.objects.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ChangeLogTest {
  private static final int CAPACITY = 5;

  private static Change change(long revision) {
    return new Change(Change.Type.ADDED, revision, Json.object(), null);
  }

  /** Random appends and compactions against a plain list of all revisions ever. */
  @Test
  void readsOnFromEachRevisionAtOrAboveItsFloor() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    ChangeLog log = new ChangeLog(CAPACITY, 0);
    List<Long> model = new ArrayList<>();
    long revision = 0;
    for (int step = 0; step < 1000; step++) {
      revision += 1 + random.nextInt(3);
      if (random.nextInt(10) == 0) {
        log.forget(revision);
      } else {
        log.append(change(revision));
        model.add(revision);
      }
      assertThat(log.end() - log.first()).isLessThanOrEqualTo(CAPACITY);
      assertThat(log.end()).isEqualTo(model.size());
      for (long from = log.floor(); from <= revision + 1; from++) {
        List<Long> read = new ArrayList<>();
        for (long position = log.after(from); position < log.end(); position++) {
          read.add(log.at(position).revision());
        }
        long start = from;
        assertThat(read)
            .as("seed %d, step %d, from %d", seed, step, from)
            .isEqualTo(model.stream().filter(r -> r > start).toList());
      }
    }
  }
}
