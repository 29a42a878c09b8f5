// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.CachedClient;
import dev.windlass.client.Client;
import dev.windlass.client.InvalidException;
import dev.windlass.client.ObjectPatch;
import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Random sequences of applies and of writes by others, each on an object of its own. */
final class ExactApplySequences {

  private static final int ROUNDS = 4;
  private static final List<ExactApplyKind> KINDS = List.of(ExactApplyKind.values());

  /** What came out. */
  static final class Counts {
    /** Applies that were left out. */
    int skipped;

    /** Of these, first applies of a new process. */
    int afterRestart;

    /**
     * Of these, applies for which the server would have made a new version in which nothing is new:
     * it had stored an empty map that it shows to nobody, and whoever writes next makes it forget
     * that; or it would only have changed the time of the entry, because it stores another text.
     */
    int unseen;

    /** Applies that were sent and made a new version. */
    int needed;

    /**
     * Applies of something else than the last one, or after another process under the same name.
     */
    int unforeseeable;

    /** Sequences that ended early, since the server refused a combination. */
    int refused;

    /** Foreign writes that made a new version. */
    int foreign;

    void add(Counts other) {
      skipped += other.skipped;
      afterRestart += other.afterRestart;
      unseen += other.unseen;
      needed += other.needed;
      unforeseeable += other.unforeseeable;
      foreign += other.foreign;
      refused += other.refused;
    }

    @Override
    public String toString() {
      return "%,d foreign changes; applies: %,d left out (%,d of which by a new process, %,d for versions without news), %,d needed, %,d needless, which nobody could know; %,d sequences refused"
          .formatted(foreign, skipped, afterRestart, unseen, needed, unforeseeable, refused);
    }
  }

  private final KubernetesSerialization json = new KubernetesSerialization();
  private final Supplier<CachedClient> newClient;
  private CachedClient client;
  private final Client same;
  private final Client other;
  private final String namespace;
  private final Counts counts = new Counts();

  /**
   * Prepares sequences.
   *
   * @param newClient creates a client as a new process does, which remembers no applies
   */
  ExactApplySequences(Supplier<CachedClient> newClient, String namespace) {
    this.newClient = newClient;
    this.client = newClient.get();
    this.same = client.uncached().withFieldOwner("me");
    this.other = client.uncached().withFieldOwner("other");
    this.namespace = namespace;
  }

  Counts counts() {
    return counts;
  }

  /** Runs one sequence. */
  void run(int number, long seed) {
    Random random = new Random(seed);
    ExactApplyKind kind = KINDS.get(random.nextInt(KINDS.size()));
    Sequence<?> sequence = new Sequence<>(kind, kind.type, "s-" + number, random);
    try {
      sequence.run();
    } catch (InvalidException e) {
      counts.refused++; // as without an image, while another manager has more of the container
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(
          "seed %d, %s: %s: %s".formatted(seed, kind, e.getMessage(), sequence.log), e);
    }
  }

  /** One object and what is done to it. */
  private final class Sequence<T extends HasMetadata> {
    private final ExactApplyKind kind;
    private final Class<T> type;
    private final String name;
    private final Random random;
    final List<String> log = new ArrayList<>();

    /** What this client has applied last, by subresource, unless others did so in its name. */
    private final Map<String, String> last = new HashMap<>();

    /** The subresources that this process has not applied since it was restarted. */
    private final Set<String> restarted = new HashSet<>();

    /** As the server has shown it last; null while there is no object. */
    private @Nullable T now;

    /** Of what this client has created; then each apply says it. */
    private @Nullable String uid;

    @SuppressWarnings("unchecked") // the kind's
    Sequence(ExactApplyKind kind, Class<? extends HasMetadata> type, String name, Random random) {
      this.kind = kind;
      this.type = (Class<T>) type;
      this.name = name;
      this.random = random;
    }

    void run() {
      String wanted = kind.wanted(random);
      if (random.nextInt(4) == 0) {
        log.add("applyNew " + wanted);
        T answer = client.applyNew(object(wanted));
        now = answer;
        uid = answer.getMetadata().getUid();
        last.put("", wanted);
      } else {
        apply(wanted);
      }
      for (int round = 0; round < ROUNDS; round++) {
        foreign();
        if (random.nextInt(6) == 0) {
          wanted = kind.wanted(random);
        }
        if (random.nextInt(4) == 0) {
          restart();
        }
        apply(wanted);
        if (kind.hasStatus && random.nextInt(3) == 0) {
          applyStatus(kind.status(random));
        }
      }
      client.uncached().delete(type, key());
    }

    private void restart() {
      log.add("restart");
      client = newClient.get();
      last.clear();
      restarted.addAll(List.of("", "status"));
    }

    private ObjectKey key() {
      return ObjectKey.of(namespace, name);
    }

    private T object(String content) {
      T object = json.unmarshal(kind.header + content.substring(1), type);
      object.getMetadata().setNamespace(namespace);
      object.getMetadata().setName(name);
      return object;
    }

    private void apply(String wanted) {
      log.add("apply " + wanted);
      T object = object(wanted);
      object.getMetadata().setUid(uid);
      long before = client.skippedWrites();
      T answer = client.apply(object);
      judge("", wanted, before, answer, () -> same.apply(object));
    }

    private void applyStatus(String wanted) {
      log.add("apply status " + wanted);
      T object = object(wanted.replace("{\"status", "{\"metadata\":{},\"status"));
      long before = client.skippedWrites();
      T answer = client.status().apply(object);
      judge("status", wanted, before, answer, () -> same.status().apply(object));
    }

    private void judge(String subresource, String wanted, long before, T answer, Sends<T> sends) {
      boolean skipped = client.skippedWrites() > before;
      boolean first = restarted.remove(subresource);
      if (skipped) {
        counts.skipped++;
        counts.afterRestart += first ? 1 : 0;
        last.put(subresource, wanted);
        assertThat(version(answer)).as("what is shown").isEqualTo(version());
        changesNothing(subresource, sends.send(), ExactApplyKind.isStoredDifferently(wanted));
      } else {
        boolean changed = !version(answer).equals(version());
        boolean foreseeable = wanted.equals(last.get(subresource));
        assertThat(changed || !foreseeable).as("what was sent changes something").isTrue();
        if (changed) {
          counts.needed++;
        } else {
          counts.unforeseeable++;
        }
        now = answer;
        last.put(subresource, wanted);
      }
    }

    /**
     * What was left out, and was sent by somebody else then. If that has changed the time of the
     * entry, it was another process under the same name, like the one in {@link #foreign}: the next
     * apply may be needless. (So it was with seed 19274582160895, more than a second late.)
     */
    private void changesNothing(String subresource, T answer, boolean butTimes) {
      if (!version(answer).equals(version())) {
        assertThat(withoutVersion(answer, butTimes))
            .as("what was left out")
            .isEqualTo(withoutVersion(Objects.requireNonNull(now), butTimes));
        counts.unseen++;
        last.remove(subresource);
        now = answer;
      }
    }

    /**
     * The object without its version.
     *
     * @param withoutTimes whether to ignore the times of the managers, which also order them
     */
    private String withoutVersion(T object, boolean withoutTimes) {
      T copy = json.clone(object);
      copy.getMetadata().setResourceVersion(null);
      if (withoutTimes) {
        List<ManagedFieldsEntry> entries = copy.getMetadata().getManagedFields();
        entries.forEach(entry -> entry.setTime(null));
        entries.sort(Comparator.comparing(json::asJson));
      }
      return json.asJson(copy);
    }

    private T live() {
      return client.uncached().get(type, key()).orElseThrow();
    }

    /** Empty while there is no object. */
    private String version() {
      return now == null ? "" : version(now);
    }

    private String version(HasMetadata object) {
      return object.getMetadata().getResourceVersion();
    }

    private void foreign() {
      String content = kind.foreign(random);
      int what = random.nextInt(20);
      log.add(what + " " + content);
      String before = version();
      if (what < 5) {
        now = other.patch(object("{\"metadata\":{}}"), ObjectPatch.merge(content));
      } else if (what < 9) {
        T changed = json.unmarshal(merged(live(), content), type);
        now = other.update(changed);
      } else if (what < 13) {
        now = other.apply(object(content));
      } else if (what < 15 && kind.hasStatus) {
        String status = kind.status(random);
        now = other.status().patch(object("{\"metadata\":{}}"), ObjectPatch.merge(status));
      } else if (what < 16) {
        // another process under the same name
        now = same.apply(object(kind.wanted(random)));
        last.remove("");
      } else if (what < 17) {
        client.uncached().delete(type, key());
        now = other.create(object(kind.wanted(random)));
        last.clear();
        gone();
      } else if (what < 18) {
        client.uncached().delete(type, key());
        now = null;
        gone();
      } else if (what < 19) {
        String reset = "[{\"op\":\"replace\",\"path\":\"/metadata/managedFields\",\"value\":[{}]}]";
        now = other.patch(object("{\"metadata\":{}}"), ObjectPatch.json(reset));
      }
      counts.foreign += version().equals(before) ? 0 : 1;
    }

    private void gone() {
      uid = null;
    }

    @SuppressWarnings("unchecked") // JSON
    private String merged(T live, String content) {
      Map<String, Object> tree = json.convertValue(live, Map.class);
      merge(tree, json.unmarshal(content, Map.class));
      return json.asJson(tree);
    }

    @SuppressWarnings("unchecked") // JSON
    private void merge(Map<String, Object> tree, Map<String, Object> change) {
      change.forEach(
          (field, value) -> {
            if (value instanceof Map<?, ?> below && tree.get(field) instanceof Map<?, ?> at) {
              merge((Map<String, Object>) at, (Map<String, Object>) below);
            } else {
              tree.put(field, value);
            }
          });
    }
  }

  /** Sends what was left out. */
  private interface Sends<T> {
    T send();
  }
}
