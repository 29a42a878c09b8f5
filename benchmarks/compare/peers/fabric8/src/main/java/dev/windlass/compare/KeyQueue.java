// SPDX-License-Identifier: Apache-2.0
package dev.windlass.compare;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;

/**
 * A queue of keys. Adding a key that is already waiting has no effect, and no two threads process
 * the same key at the same time. This class is thread-safe.
 */
final class KeyQueue {

  private final Queue<String> waiting = new ArrayDeque<>();
  private final Set<String> dirty = new HashSet<>();
  private final Set<String> processing = new HashSet<>();

  synchronized void add(String key) {
    if (dirty.add(key) && !processing.contains(key)) {
      waiting.add(key);
      notify();
    }
  }

  synchronized String take() throws InterruptedException {
    while (waiting.isEmpty()) {
      wait();
    }
    String key = waiting.remove();
    dirty.remove(key);
    processing.add(key);
    return key;
  }

  synchronized void done(String key) {
    processing.remove(key);
    if (dirty.contains(key)) {
      waiting.add(key);
      notify();
    }
  }
}
