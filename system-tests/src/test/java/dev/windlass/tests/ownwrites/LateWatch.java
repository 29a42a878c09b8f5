// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.ownwrites;

import dev.windlass.informer.reflector.FeedEvent;
import dev.windlass.informer.reflector.FeedStream;
import dev.windlass.informer.reflector.ListerWatcher;
import dev.windlass.informer.reflector.ListerWatcher.ListRequest;
import dev.windlass.informer.reflector.ListerWatcher.WatchRequest;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Watches that bring nothing for as long as they are told to be late. */
final class LateWatch {

  private final List<Runnable> wakeUps = new CopyOnWriteArrayList<>();
  private volatile boolean late;

  void late(boolean wanted) {
    late = wanted;
    if (!wanted) {
      wakeUps.forEach(Runnable::run);
    }
  }

  ListerWatcher over(ListerWatcher source) {
    return new ListerWatcher() {
      @Override
      public FeedStream list(ListRequest request, Runnable wakeUp) {
        return source.list(request, wakeUp);
      }

      @Override
      public FeedStream watch(WatchRequest request, Runnable wakeUp) {
        wakeUps.add(wakeUp);
        return held(source.watch(request, wakeUp));
      }

      @Override
      public boolean streamsLists() {
        return source.streamsLists();
      }

      @Override
      public String describe() {
        return source.describe();
      }
    };
  }

  private FeedStream held(FeedStream stream) {
    return new FeedStream() {
      @Override
      public Optional<FeedEvent> poll() {
        return late ? Optional.empty() : stream.poll();
      }

      @Override
      public void close() {
        stream.close();
      }
    };
  }
}
