// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import dev.windlass.informer.fifo.Delta;
import dev.windlass.informer.fifo.DeltaFifo;
import dev.windlass.informer.index.Store;
import dev.windlass.informer.reflector.FeedEvent;
import dev.windlass.informer.reflector.FeedStream;
import dev.windlass.informer.reflector.ListerWatcher;
import dev.windlass.informer.reflector.ListerWatcher.WatchRequest;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.informer.reflector.http.HttpListerWatcher;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ObjectDecoder;
import dev.windlass.object.ObjectKey;
import dev.windlass.workqueue.WorkItem;
import dev.windlass.workqueue.WorkQueue;
import dev.windlass.workqueue.WorkQueueOptions;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Benchmarks the stages that a watch event passes, one by one: parsing, decoding, the FIFO, the
 * store and the work queue. {@link StageReport} runs the benchmarks.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgs = "-Xmx1g")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class StageBenchmarks {

  private static final int FRAMES = 100;

  /** The maximum size of a TLS record: 16 KB. */
  private static final int TLS_RECORD = 16 * 1024;

  private static byte[] json(int number, long version) {
    return BenchObjects.json(number, version).getBytes(StandardCharsets.UTF_8);
  }

  /** One object in two forms: encoded as bytes, and decoded. */
  @State(Scope.Benchmark)
  public static class OneObject {
    private final ObjectDecoder<BenchResource> decoder =
        new ObjectDecoder<>(ObjectCodec.of(BenchResource.class));
    private final byte[] json = json(1, 1_000_000_001);
    private final CachedObject<BenchResource> object = decoder.decode(json, 0, json.length);
    private final DeltaFifo<BenchResource> fifo = new DeltaFifo<>(() -> {});
  }

  /** Measures how long the decoder takes to turn bytes into a cached object. */
  @Benchmark
  public CachedObject<BenchResource> decode(OneObject one) {
    return one.decoder.decode(one.json, 0, one.json.length);
  }

  /**
   * A set of objects with unique labels. The number of objects exceeds the number of label sets
   * that the decoder remembers.
   */
  @State(Scope.Benchmark)
  public static class Strangers {
    private static final int COUNT = 8192;

    private final ObjectDecoder<BenchResource> decoder =
        new ObjectDecoder<>(ObjectCodec.of(BenchResource.class));
    private final byte[][] jsons = new byte[COUNT][];
    private int next;

    /** Prepares the objects. */
    public Strangers() {
      for (int i = 0; i < COUNT; i++) {
        String json = new String(json(i, 1_000_000_000 + i), StandardCharsets.UTF_8);
        jsons[i] =
            json.replace("\"tier\":\"", "\"tier\":\"" + i + "-").getBytes(StandardCharsets.UTF_8);
      }
    }

    private byte[] next() {
      next = (next + 1) % COUNT;
      return jsons[next];
    }
  }

  /** Measures how long the decoder takes for objects with unique labels. */
  @Benchmark
  public CachedObject<BenchResource> decodeOwnLabels(Strangers strangers) {
    byte[] json = strangers.next();
    return strangers.decoder.decode(json, 0, json.length);
  }

  /**
   * Measures how long it takes to pass a change through the FIFO, from the reflector to the
   * applier.
   */
  @Benchmark
  public List<Delta<BenchResource>> fifoAddAndPoll(OneObject one) {
    one.fifo.updated(one.object);
    return one.fifo.poll();
  }

  /** A watch whose response is always the same. */
  @State(Scope.Benchmark)
  public static class Frames {
    private final KubernetesClient client;
    private final ListerWatcher source;

    /** Prepares the response. */
    public Frames() {
      StringBuilder lines = new StringBuilder();
      for (int i = 0; i < FRAMES; i++) {
        String json = BenchObjects.json(i, 1_000_000_000 + i);
        lines.append("{\"type\":\"MODIFIED\",\"object\":").append(json).append("}\n");
      }
      byte[] answer = lines.toString().getBytes(StandardCharsets.UTF_8);
      client =
          new KubernetesClientBuilder()
              .withConfig(new ConfigBuilder().withMasterUrl("http://localhost:1/").build())
              .withHttpClientFactory(new MemoryHttpClient.Factory(answer, TLS_RECORD))
              .build();
      source =
          new HttpListerWatcher(client, ObjectCodec.of(BenchResource.class).type(), WatchScope.ALL);
    }

    /** Closes the client. */
    @TearDown
    public void close() {
      client.close();
    }
  }

  /**
   * Measures how long it takes to parse one event of a watch. One request returns 100 events, so
   * the time includes a hundredth of the cost of a request.
   */
  @Benchmark
  @OperationsPerInvocation(FRAMES)
  public int watchFrames(Frames frames) {
    int events = 0;
    try (FeedStream stream =
        frames.source.watch(new WatchRequest("1", Duration.ofSeconds(20)), () -> {})) {
      for (Optional<FeedEvent> event = stream.poll(); event.isPresent(); event = stream.poll()) {
        if (event.get().type() == FeedEvent.Type.MODIFIED) {
          events++;
        }
      }
    }
    if (events != FRAMES) {
      throw new IllegalStateException(events + " events instead of " + FRAMES);
    }
    return events;
  }

  /** A store of many objects. Each value of its index refers to ten objects. */
  @State(Scope.Benchmark)
  public static class FullStore {

    private static final String INDEX = "ten";
    private static final int ANSWER = 10;

    /** The number of objects. */
    @Param({"1000", "10000", "100000"})
    public int objects;

    private final ObjectDecoder<BenchResource> decoder =
        new ObjectDecoder<>(ObjectCodec.of(BenchResource.class));
    private final Store<BenchResource> store = Store.create();
    private List<CachedObject<BenchResource>> states = List.of();
    private CachedObject<BenchResource> stranger = decode(999_999, 1);
    private String value = "";
    private int turn;

    private CachedObject<BenchResource> decode(int number, long version) {
      byte[] json = json(number, version);
      return decoder.decode(json, 0, json.length);
    }

    /** Fills the store. */
    @Setup(Level.Trial)
    public void fill() {
      store.addIndex(
          INDEX,
          object -> {
            String name = object.key().name();
            return List.of(name.substring(0, name.length() - 1));
          });
      for (int i = 0; i < objects; i++) {
        store.put(decode(i, 1));
      }
      int middle = objects / 2;
      states = List.of(decode(middle, 1_000_000_001), decode(middle, 1_000_000_002));
      String name = BenchObjects.key(middle).name();
      value = name.substring(0, name.length() - 1);
      if (store.byIndex(INDEX, value).size() != ANSWER) {
        throw new IllegalStateException("the answer is not " + ANSWER + " objects");
      }
    }
  }

  /**
   * Measures the lookup of ten objects by index. The time should not depend on the size of the
   * store.
   */
  @Benchmark
  public List<CachedObject<BenchResource>> byIndex(FullStore full) {
    return full.store.byIndex(FullStore.INDEX, full.value);
  }

  /** Measures how long it takes to store a new state of a known object. */
  @Benchmark
  public Optional<CachedObject<BenchResource>> storeUpdate(FullStore full) {
    full.turn = 1 - full.turn;
    return full.store.put(full.states.get(full.turn));
  }

  /** Measures how long it takes to add and remove an object. */
  @Benchmark
  public Optional<CachedObject<BenchResource>> storeAddAndRemove(FullStore full) {
    full.store.put(full.stranger);
    return full.store.remove(full.stranger.key());
  }

  /** A queue in which a thousand keys of ten namespaces wait. */
  @State(Scope.Benchmark)
  public static class FullQueue {
    private static final int KEYS = 1_000;
    private static final int NAMESPACES = 10;

    private final WorkQueue<ObjectKey> queue =
        WorkQueue.create(
            WorkQueueOptions.<ObjectKey>named("bench").withGrouping(ObjectKey::namespace));
    private final ObjectKey[] keys = new ObjectKey[KEYS + NAMESPACES];
    private int next;

    /** Fills the queue. */
    public FullQueue() {
      for (int i = 0; i < keys.length; i++) {
        keys[i] = ObjectKey.of("namespace-" + i % NAMESPACES, "object-" + i);
      }
      for (int i = 0; i < KEYS; i++) {
        queue.add(next());
      }
    }

    private ObjectKey next() {
      next = (next + 1) % keys.length;
      return keys[next];
    }
  }

  /** Measures how long it takes to add a key, and to take and release another one. */
  @Benchmark
  public ObjectKey queueAddTakeRelease(FullQueue full) {
    full.queue.add(full.next());
    try (WorkItem<ObjectKey> item = full.queue.poll().orElseThrow()) {
      return item.key();
    }
  }
}
