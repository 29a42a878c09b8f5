// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.scheduling.StepDelay;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The stages of an informer go on by themselves. */
final class InformerStagesTest {

  @AutoClose private final SteppedChain chain = new SteppedChain();

  @BeforeEach
  void listsNothing() throws Exception {
    assertThat(chain.heard()).isEmpty();
  }

  @Test
  void detectsWhileNothingIsProcessed() throws Exception {
    chain.put("a");
    chain.reflect();
    chain.put("a");
    chain.reflect();
    assertThat(chain.fifo.size()).isEqualTo(2);
    assertThat(chain.store.size()).isZero();
    assertThat(chain.handler.handleAll()).as("nobody was called").isEmpty();
    assertThat(chain.heard()).containsExactly("+a1", "~a1>2");
  }

  @Test
  void deliversWhatWaitsThoughNothingMoreIsDetected() throws Exception {
    chain.put("a");
    chain.put("b");
    chain.reflect();
    chain.reflector.close();
    StepDelay pause = chain.applier.run();
    while (pause.equals(StepDelay.NONE)) {
      pause = chain.applier.run();
    }
    assertThat(chain.handler.handleAll()).containsExactly("+a1", "+b2");
  }

  @Test
  void showsWhatWasChangedUnseenAsOneAdditionOfTheLatestState() throws Exception {
    chain.server.dropWatches();
    chain.put("a");
    chain.put("a");
    chain.put("a");
    chain.server.compact();
    chain.runFor(Duration.ofSeconds(3));
    assertThat(chain.heard()).containsExactly("+a3");
  }
}
