// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.informer.notify.ResourceEventHandler;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Hears of the ConfigMaps of the namespace default by their names, of others by their keys. */
final class HeardEvents implements ResourceEventHandler<ConfigMap> {

  final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

  @Override
  public void handle(ResourceEvent<ConfigMap> event) {
    boolean isHere = event.key().namespace().equals("default");
    heard.add(event.type() + " " + (isHere ? event.key().name() : event.key()));
  }

  /** The next event, which may take 20 s. */
  String next() throws InterruptedException {
    String next = heard.poll(20, TimeUnit.SECONDS);
    return next == null ? "nothing" : next;
  }

  List<String> next(int count) throws InterruptedException {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(next());
    }
    return all;
  }
}
