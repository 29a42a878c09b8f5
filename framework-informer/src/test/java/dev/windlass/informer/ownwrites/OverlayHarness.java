// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.ownwrites;

import static dev.windlass.object.ConfigMaps.key;

import dev.windlass.informer.index.Store;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ConfigMaps;
import dev.windlass.object.ParsedObject;
import dev.windlass.scheduling.ManualScheduler;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** An overlay that observes its store, on virtual time. */
abstract class OverlayHarness {

  static final Duration UNCONFIRMED = Duration.ofSeconds(Overlay.UNCONFIRMED_SECONDS);
  static final Duration FORGOTTEN = Duration.ofMinutes(10);
  static final Duration MOMENT = Duration.ofMillis(1);

  final ManualScheduler time = new ManualScheduler();
  final Store<ConfigMap> cache = Store.create();
  final List<CachedObject<ConfigMap>> missed = new ArrayList<>();
  final Overlay<ConfigMap> overlay =
      new Overlay<>(cache, false, ConfigMaps.DECODER, time, missed::add);

  {
    cache.observe(overlay);
  }

  void written(String name, String uid, String version) {
    written(ConfigMaps.json(name, uid, version));
  }

  void written(String json) {
    overlay.written(ParsedObject.of(json.getBytes(StandardCharsets.UTF_8)));
  }

  String shown(String name) {
    return overlay.get(key(name)).map(CachedObject::resourceVersion).orElse("none");
  }

  boolean isUnclear(String name) {
    return overlay.isUnclear(key(name));
  }
}
