// SPDX-License-Identifier: Apache-2.0
package bucket;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The external system, whose buckets are ready, and are gone, at the second request. */
public final class ObjectStore {

  /** The number of requests that each bucket has received. */
  public static final Map<String, Integer> REQUESTS = new ConcurrentHashMap<>();

  private ObjectStore() {}

  static boolean isReady(String name) {
    return REQUESTS.merge(name, 1, Integer::sum) > 1;
  }

  static boolean delete(String name) {
    return REQUESTS.merge(name + " deleted", 1, Integer::sum) > 1;
  }
}
