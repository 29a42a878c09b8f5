// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.reflector.FeedEvent;
import dev.windlass.informer.reflector.FeedFailure;
import dev.windlass.informer.reflector.FeedFailure.Reason;
import dev.windlass.informer.reflector.ListReason;
import dev.windlass.object.ConfigMaps;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a handler and the cache see of an API server that disappears, returns, or sends wrong data.
 * Covers docs/reliability.md, A1 to A3, A5, A7, A8, A10, B1, C8, D3 and F1.
 */
@Timeout(60)
final class ServerFaultsTest {

  private static final FeedFailure REFUSED = FeedFailure.of(Reason.UNREACHABLE, "test: refused");

  @AutoClose private final SteppedChain chain = new SteppedChain();

  private static FeedEvent.Json json(String name, int version) {
    return FeedEvent.Json.of(ConfigMaps.json(name, name, Integer.toString(version)));
  }

  /** Each cut costs one watch, no list, and no change. */
  @Test
  void missesNothingThoughTheWatchIsCutAHundredTimes() throws Exception {
    chain.put("a");
    assertThat(chain.heard()).containsExactly("+a1 initial");
    for (int cut = 0; cut < 100; cut++) {
      int version = cut * 2 + 1;
      chain.server.dropWatches();
      chain.put("a");
      chain.runFor(Duration.ofSeconds(1));
      chain.put("a");
      assertThat(chain.heard())
          .containsExactly(
              "~a" + version + ">" + (version + 1), "~a" + (version + 1) + ">" + (version + 2));
      assertThat(chain.reflector.problem()).isEmpty();
    }
    assertThat(chain.stats.lists()).isEqualTo(Map.of(ListReason.START, 1L));
    assertThat(chain.server.watches()).hasSize(101);
    chain.assertCacheIsTrue();
  }

  /** With growing delays, and a reason for as long as it is not up to date. */
  @Test
  void waitsForAServerThatIsAbsentForTenMinutes() throws Exception {
    chain.put("a");
    IntStream.range(0, 1_000).forEach(i -> chain.server.failNextList(REFUSED));
    chain.runFor(Duration.ofMinutes(10));
    assertThat(chain.reflector.problem()).map(FeedFailure::reason).contains(Reason.UNREACHABLE);
    assertThat(chain.applier.hasSynced()).isFalse();
    assertThat(chain.handler.lane().hasSynced()).isFalse();
    assertThat(chain.heard()).isEmpty();
    assertThat(chain.server.lists()).hasSizeBetween(20, 60);
    chain.server.forgetScripts();
    chain.runFor(Duration.ofSeconds(30));
    assertThat(chain.reflector.problem()).isEmpty();
    assertThat(chain.handler.lane().hasSynced()).isTrue();
    assertThat(chain.heard()).containsExactly("+a1 initial");
  }

  /** A list that hangs in the middle is given up, and none of it is ever visible. */
  @Test
  void givesUpAListOfWhichOnePageHangs() throws Exception {
    IntStream.range(0, 4).forEach(i -> chain.put("o" + i));
    chain.server.scriptNextList(
        new FeedEvent.Opened(),
        FeedEvent.listed(json("half", 1)),
        new FeedEvent.ListEnd("9", "next"));
    chain.server.scriptNextList(new FeedEvent.Opened());
    chain.runFor(Duration.ofSeconds(59));
    assertThat(chain.heard()).isEmpty();
    assertThat(chain.reflector.problem()).isEmpty();
    chain.runFor(Duration.ofSeconds(3));
    assertThat(chain.stats.failures()).isEqualTo(Map.of(Reason.TIMEOUT, 1L));
    assertThat(chain.heard())
        .containsExactly("+o01 initial", "+o12 initial", "+o23 initial", "+o34 initial");
    assertThat(chain.server.openStreams()).isEqualTo(1);
  }

  /** One list; missing objects are reported as deleted, new and changed ones as such. */
  @Test
  void tellsWhatHappenedBeforeAVersionExpired() throws Exception {
    List.of("gone", "kept", "changed").forEach(chain::put);
    chain.heard();
    chain.server.dropWatches();
    chain.delete("gone");
    chain.put("changed");
    chain.put("new");
    chain.server.compact();
    chain.runFor(Duration.ofSeconds(3));
    assertThat(chain.heard())
        .containsExactlyInAnyOrder("-gone1 missed", "~changed3>5", "+new6")
        .doesNotContain("~kept2>2");
    assertThat(chain.stats.lists()).isEqualTo(Map.of(ListReason.START, 1L, ListReason.EXPIRED, 1L));
    chain.assertCacheIsTrue();
  }

  /** Watches closed without an error lead to a list, not to a tight loop. */
  @Test
  void listsInsteadOfReconnectingForEver() throws Exception {
    chain.put("a");
    IntStream.range(0, 1_000)
        .forEach(i -> chain.server.scriptNextWatch(new FeedEvent.Opened(), new FeedEvent.Ended()));
    chain.runFor(Duration.ofMinutes(2));
    assertThat(chain.stats.lists()).containsKey(ListReason.WATCH_FAILED);
    assertThat(chain.server.watches()).hasSizeLessThan(40);
    assertThat(chain.reflector.problem()).isPresent();
    chain.server.forgetScripts();
    chain.put("b");
    chain.runFor(Duration.ofSeconds(30));
    assertThat(chain.heard()).containsExactly("+a1 initial", "+b2");
    assertThat(chain.reflector.problem()).isEmpty();
  }

  /** A backup was restored; the server's current state applies, even if it is older. */
  @Test
  void followsAServerWhoseVersionsWentBack() throws Exception {
    chain.server.scriptNextList(
        FeedEvent.listed(json("a", 90)),
        FeedEvent.listed(json("b", 95)),
        new FeedEvent.ListEnd("100", ""));
    chain.server.scriptNextWatch(new FeedEvent.Opened(), new FeedEvent.Bookmark("7"));
    chain.server.scriptNextList(FeedEvent.listed(json("a", 5)), new FeedEvent.ListEnd("7", ""));
    chain.server.scriptNextWatch(new FeedEvent.Opened());
    assertThat(chain.heard())
        .containsExactly("+a90 initial", "+b95 initial", "~a90>5", "-b95 missed");
    assertThat(chain.stats.lists())
        .isEqualTo(Map.of(ListReason.START, 1L, ListReason.WENT_BACK, 1L));
    chain.server.send(FeedEvent.modified(json("a", 8)));
    assertThat(chain.heard()).as("it goes on from there").containsExactly("~a5>8");
  }

  /** An unknown error that keeps recurring leads to a list. */
  @Test
  void listsAfterErrorsThatNobodyUnderstands() throws Exception {
    chain.put("a");
    chain.heard();
    FeedFailure strange = FeedFailure.ofStatus(500, "", Duration.ZERO);
    chain.server.failWatches(strange);
    chain.server.failNextWatch(strange);
    chain.server.failNextWatch(strange);
    chain.delete("a");
    chain.runFor(Duration.ofSeconds(10));
    assertThat(chain.heard()).containsExactly("-a1 missed");
    assertThat(chain.stats.lists())
        .isEqualTo(Map.of(ListReason.START, 1L, ListReason.WATCH_FAILED, 1L));
  }

  /** The copy is kept and marked as not up to date, with growing delays between retries. */
  @Test
  void outlastsATypeThatIsTakenAwayAndComesBack() throws Exception {
    chain.put("a");
    chain.heard();
    FeedFailure unknown = FeedFailure.ofStatus(404, "the server could not find it", Duration.ZERO);
    IntStream.range(0, 1_000).forEach(i -> chain.server.failNextList(unknown));
    chain.server.failWatches(unknown);
    chain.delete("a");
    chain.runFor(Duration.ofMinutes(10));
    assertThat(chain.heard()).isEmpty();
    assertThat(chain.reflector.problem()).map(FeedFailure::reason).contains(Reason.UNKNOWN_TYPE);
    assertThat(chain.server.lists()).hasSizeLessThan(60);
    chain.server.forgetScripts();
    chain.put("b");
    chain.runFor(Duration.ofSeconds(30));
    assertThat(chain.heard()).containsExactlyInAnyOrder("-a1 missed", "+b3");
    assertThat(chain.reflector.problem()).isEmpty();
    chain.assertCacheIsTrue();
  }

  /** Whatever the server rejects, the informer recovers by itself; tested without a server. */
  @ParameterizedTest
  @CsvSource({"401", "403", "404", "500", "503", "504"})
  void comesBackAfterTenMinutesOfRefusals(int code) throws Exception {
    chain.put("a");
    chain.heard();
    FeedFailure refusal = FeedFailure.ofStatus(code, "test", Duration.ZERO);
    IntStream.range(0, 1_000).forEach(i -> chain.server.failNextList(refusal));
    IntStream.range(0, 1_000).forEach(i -> chain.server.failNextWatch(refusal));
    chain.server.failWatches(refusal);
    chain.put("a");
    chain.runFor(Duration.ofMinutes(10));
    assertThat(chain.reflector.problem()).isPresent();
    chain.server.forgetScripts();
    chain.runFor(Duration.ofSeconds(31));
    assertThat(chain.heard()).containsExactly("~a1>2");
    assertThat(chain.reflector.problem()).isEmpty();
  }
}
