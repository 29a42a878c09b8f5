// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.ownwrites;

import dev.windlass.informer.index.IndexFunction;
import dev.windlass.informer.index.Query;
import dev.windlass.informer.index.Store;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A store that notifies an {@link Overlay} of each change, as soon as the change can be read. */
final class ConfirmingStore<T> implements Store<T> {

  private final Store<T> store;
  private final Overlay<T> overlay;

  ConfirmingStore(Store<T> store, Overlay<T> overlay) {
    this.store = store;
    this.overlay = overlay;
  }

  @Override
  public Optional<CachedObject<T>> put(CachedObject<T> object) {
    Optional<CachedObject<T>> before = store.put(object);
    overlay.stored(object, before.orElse(null));
    return before;
  }

  @Override
  public Optional<CachedObject<T>> remove(ObjectKey key) {
    Optional<CachedObject<T>> last = store.remove(key);
    last.ifPresent(overlay::removed);
    return last;
  }

  @Override
  public void listed(long version) {
    store.listed(version);
    overlay.listed(version);
  }

  @Override
  public Optional<CachedObject<T>> get(ObjectKey key) {
    return store.get(key);
  }

  @Override
  public List<CachedObject<T>> list() {
    return store.list();
  }

  @Override
  public List<CachedObject<T>> list(Query query) {
    return store.list(query);
  }

  @Override
  public boolean matches(CachedObject<T> object, Query query) {
    return store.matches(object, query);
  }

  @Override
  public Set<ObjectKey> keys() {
    return store.keys();
  }

  @Override
  public int size() {
    return store.size();
  }

  @Override
  public long bytes() {
    return store.bytes();
  }

  @Override
  public List<CachedObject<T>> byIndex(String index, String value) {
    return store.byIndex(index, value);
  }

  @Override
  public Set<String> indexValues(String index) {
    return store.indexValues(index);
  }

  @Override
  public void addIndex(String index, IndexFunction<T> function) {
    store.addIndex(index, function);
  }

  @Override
  public long indexFailures() {
    return store.indexFailures();
  }
}
