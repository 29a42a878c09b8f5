// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.reflector.FeedEvent;
import dev.windlass.informer.reflector.ListReason;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ConfigMaps;
import dev.windlass.object.Transform;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Which events a handler receives if the watch repeats, reorders or loses events. Covers
 * docs/reliability.md, C1 to C7.
 */
@Timeout(60)
final class OddEventsTest {

  private static final Duration AUDITS = Duration.ofMinutes(5);

  @AutoClose private final SteppedChain chain = new SteppedChain(Transform.NONE, AUDITS);

  private static FeedEvent.Json json(String name, int version) {
    return json(name, name, version);
  }

  private static FeedEvent.Json json(String name, String uid, int version) {
    return FeedEvent.Json.of(ConfigMaps.json(name, uid, Integer.toString(version)));
  }

  private void send(FeedEvent... events) {
    List.of(events).forEach(chain.server::send);
  }

  private void listed(FeedEvent.Json... objects) throws Exception {
    FeedEvent[] list = new FeedEvent[objects.length + 1];
    for (int i = 0; i < objects.length; i++) {
      list[i] = FeedEvent.listed(objects[i]);
    }
    list[objects.length] = new FeedEvent.ListEnd("10", "");
    chain.server.scriptNextList(list);
    chain.server.scriptNextWatch(new FeedEvent.Opened());
    chain.heard();
  }

  /** Each event arrives twice and is delivered once. */
  @Test
  void hearsOnceWhatIsSaidTwice() throws Exception {
    listed();
    for (FeedEvent event :
        List.of(
            FeedEvent.added(json("a", 11)),
            FeedEvent.modified(json("a", 12)),
            FeedEvent.deleted(json("a", 13)))) {
      send(event, event);
      chain.run();
      send(event);
    }
    assertThat(chain.heard()).containsExactly("+a11", "~a11>12", "-a13");
  }

  /** A range of past events is replayed, as after a resume from too low a version. */
  @Test
  void hearsNothingOfAStretchThatIsReplayedOverWhatIsNewer() throws Exception {
    listed();
    FeedEvent[] stretch = {
      FeedEvent.added(json("a", 11)),
      FeedEvent.modified(json("a", 12)),
      FeedEvent.modified(json("a", 14))
    };
    send(stretch);
    send(stretch);
    assertThat(chain.heard()).containsExactly("+a11", "~a11>12", "~a12>14");
    assertThat(chain.cached()).isEqualTo(Map.of(ConfigMaps.key("a"), "14"));
  }

  /** Two changes of one object arrive in the wrong order; the later state wins. */
  @Test
  void holdsTheLaterOfTwoChangesThatComeInTheWrongOrder() throws Exception {
    listed(json("a", 5));
    send(FeedEvent.modified(json("a", 12)), FeedEvent.modified(json("a", 11)));
    assertThat(chain.heard()).containsExactly("~a5>12");
    assertThat(chain.cached()).isEqualTo(Map.of(ConfigMaps.key("a"), "12"));
    assertThat(chain.stats.outOfOrderEvents()).isEqualTo(1);
  }

  /** The cache keeps no record of deleted objects. */
  @Test
  void findsAGhostThatCameBehindItsDeletionByAnAudit() throws Exception {
    listed(json("a", 5));
    send(FeedEvent.deleted(json("a", 12)), FeedEvent.modified(json("a", 11)));
    assertThat(chain.heard()).containsExactly("-a12", "+a11");
    chain.runFor(AUDITS.plusSeconds(15));
    assertThat(chain.heard()).containsExactly("-a11 missed");
    assertThat(chain.store.size()).isZero();
  }

  /** An audit repairs events lost by a healthy watch. */
  @Test
  void hearsOfSwallowedEventsAfterAnAudit() throws Exception {
    List.of("changed", "deleted", "kept").forEach(chain::put);
    chain.heard();
    chain.server.loseEvents(
        () -> {
          chain.put("changed");
          chain.delete("deleted");
          chain.put("added");
        });
    chain.runFor(AUDITS.minusSeconds(1));
    assertThat(chain.heard()).isEmpty();
    chain.runFor(Duration.ofSeconds(15));
    assertThat(chain.heard())
        .containsExactlyInAnyOrder("~changed1>4", "-deleted2 missed", "+added6");
    assertThat(chain.stats.auditMismatches()).isEqualTo(3);
    assertThat(chain.stats.lists()).isEqualTo(Map.of(ListReason.START, 1L, ListReason.AUDIT, 1L));
    chain.assertCacheIsTrue();
  }

  /** Created and deleted around a gap, while its addition still waits in the FIFO. */
  @Test
  void leavesNoGhostOfAnObjectWhoseAdditionStillWaits() throws Exception {
    chain.heard();
    chain.put("ghost");
    chain.reflect(); // the addition waits
    chain.server.dropWatches();
    chain.delete("ghost");
    chain.server.compact();
    chain.reflect();
    for (int i = 0; i < 3; i++) {
      chain.time.advance(Duration.ofSeconds(1));
      chain.reflect();
    }
    assertThat(chain.fifo.size()).as("the addition and the list").isEqualTo(2);
    assertThat(chain.heard()).containsExactly("+ghost1", "-ghost1 missed");
    assertThat(chain.store.size()).isZero();
  }

  /** Deleted and re-created during a gap; a list shows the successor. */
  @Test
  void tellsARecreationInAGapAsADeletionAndAnAddition() throws Exception {
    chain.put("a");
    chain.heard();
    chain.server.dropWatches();
    chain.delete("a");
    chain.put("a");
    chain.server.compact();
    chain.runFor(Duration.ofSeconds(3));
    assertThat(chain.heard()).containsExactly("-a1 missed", "+a3");
    chain.assertCacheIsTrue();
  }

  /** Seen as one MODIFIED event; no index keeps the first object. */
  @Test
  void clearsWhatBelongedToThePredecessorOfAnObject() throws Exception {
    chain.store.addIndex("uid", object -> List.of(object.uid()));
    listed(json("a", "first", 5));
    send(FeedEvent.modified(json("a", "second", 11)));
    assertThat(chain.heard()).containsExactly("-a5 missed", "+a11");
    assertThat(chain.store.byIndex("uid", "first")).isEmpty();
    assertThat(chain.store.byIndex("uid", "second"))
        .extracting(CachedObject<ConfigMap>::resourceVersion)
        .containsExactly("11");
    send(FeedEvent.deleted(json("a", "first", 10)));
    assertThat(chain.heard()).as("the end of the first comes too late").isEmpty();
    assertThat(chain.store.size()).isEqualTo(1);
  }

  /** The content of the cache determines what an event means. */
  @Test
  void makesTheRightEventsOfWrongOnes() throws Exception {
    listed(json("known", 5));
    send(
        FeedEvent.deleted(json("unknown", 11)),
        FeedEvent.modified(json("new", 12)),
        FeedEvent.added(json("known", 13)),
        FeedEvent.deleted(json("known", 14)),
        FeedEvent.deleted(json("known", 14)));
    assertThat(chain.heard()).containsExactly("+new12", "~known5>13", "-known14");
  }

  /** A state without a version or a UID is accepted, and later events apply. */
  @Test
  void takesWhatHasNeitherVersionNorUid() throws Exception {
    listed();
    send(
        FeedEvent.added(
            FeedEvent.Json.of("{\"metadata\":{\"namespace\":\"default\",\"name\":\"a\"}}")),
        FeedEvent.modified(json("a", 12)),
        FeedEvent.deleted(json("a", 13)));
    assertThat(chain.heard()).containsExactly("+a", "-a missed", "+a12", "-a13");
    assertThat(chain.store.size()).isZero();
  }
}
