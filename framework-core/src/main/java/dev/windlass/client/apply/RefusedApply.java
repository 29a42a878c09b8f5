// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.apply;

import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the fields that may be why the server has refused an apply as invalid (422): fields that
 * the object has, the configuration lacks, and the apply does not remove, because the applier does
 * not own them. If such a field is a default of the server, nobody owns it. The applier can claim
 * it, and then its next apply removes it. A field that another manager owns stays.
 *
 * <p>The causes in the response name fields. If the configuration lacks a field that a cause names,
 * that field is in the way. If the configuration adds the field, such as a second source of a
 * volume, or another half of a union, fields beside it may be; only structures beside a structure
 * that the server forbids are claimed. Indices in the names count the elements of the merged list,
 * which is unknown, so each element that both sides have is searched.
 */
public final class RefusedApply {

  private static final Pattern STEP = Pattern.compile("([^.\\[\\]]+)|\\[([^\\]]*)\\]");

  /** The maximum number of fields in a message. */
  private static final int MAX_NAMED = 5;

  private static final Pattern INDEX = Pattern.compile("[0-9]+");

  private final FieldOwnership ownership;
  private final KubernetesSerialization json;
  private final Set<List<String>> unowned = new LinkedHashSet<>();
  private final Map<String, List<String>> foreign = new LinkedHashMap<>();

  private RefusedApply(FieldOwnership ownership, KubernetesSerialization json) {
    this.ownership = ownership;
    this.json = json;
  }

  /**
   * Compares the configuration with the object.
   *
   * @param wanted the configuration as a tree
   * @param live the object as a tree
   */
  public static RefusedApply of(
      List<StatusCause> causes,
      Map<?, ?> wanted,
      Map<?, ?> live,
      FieldOwnership ownership,
      KubernetesSerialization json) {
    RefusedApply found = new RefusedApply(ownership, json);
    if (ownership.isKnown()) {
      for (StatusCause cause : causes) {
        List<String> steps = new ArrayList<>();
        Matcher step = STEP.matcher(Objects.requireNonNullElse(cause.getField(), ""));
        while (step.find()) {
          steps.add(step.group(1) == null ? step.group(2) : step.group(1));
        }
        boolean forbidden = "FieldValueForbidden".equals(cause.getReason());
        found.search(steps, live, wanted, new Place(List.of(), ""), forbidden);
      }
    }
    return found;
  }

  /** Returns the {@code managedFields} in which the applier owns the fields in the way, if any. */
  public Optional<List<ManagedFieldsEntry>> claimed() {
    return unowned.isEmpty() ? Optional.empty() : ownership.claimed(unowned);
  }

  /** Returns the fields of other managers, with their owners, as text; empty if there are none. */
  public String foreign() {
    return foreign.entrySet().stream()
        .limit(MAX_NAMED)
        .map(field -> field.getKey() + " of " + String.join(" and ", field.getValue()))
        .collect(Collectors.joining(", "));
  }

  /** A place in an object: its steps in {@code managedFields}, and how people write it. */
  private record Place(List<String> path, String text) {
    Place field(String name) {
      return step("f:" + name, text.isEmpty() ? name : text + '.' + name);
    }

    Place element(String name) {
      return step(name, text + '[' + name.substring(2) + ']');
    }

    private Place step(String step, String newText) {
      List<String> longer = new ArrayList<>(path);
      longer.add(step);
      return new Place(longer, newText);
    }
  }

  private void search(
      List<String> steps,
      @Nullable Object live,
      @Nullable Object wanted,
      Place at,
      boolean forbidden) {
    if (steps.isEmpty()) {
      return;
    }
    String step = steps.get(0);
    List<String> rest = steps.subList(1, steps.size());
    if (live instanceof List<?> elements && wanted instanceof List<?> wishes) {
      for (String name : ownership.elements(at.path())) {
        Map<?, ?> keys = json.unmarshal(name.substring(2), Map.class);
        Place place = at.element(name);
        Object element = element(elements, keys);
        Object wish = element(wishes, keys);
        List<String> owners = ownership.othersOf(place.path());
        if (element != null
            && wish == null
            && !owners.isEmpty()
            && !ownership.isMine(place.path())) {
          foreign.put(place.text(), owners);
        }
        search(INDEX.matcher(step).matches() ? rest : steps, element, wish, place, forbidden);
      }
    } else if (live instanceof Map<?, ?> object && wanted instanceof Map<?, ?> wish) {
      Object wished = wish.get(step);
      if (wished == null) {
        found(step, object, at, true);
      } else if (!rest.isEmpty()) {
        search(rest, object.get(step), wished, at.field(step), forbidden);
      } else if (!object.containsKey(step)) {
        others(object, wish, at, forbidden && wished instanceof Map<?, ?>);
      } else if (object.get(step) instanceof Map<?, ?> below
          && wished instanceof Map<?, ?> wishes
          && !below.keySet().containsAll(wishes.keySet())) {
        others(below, wishes, at.field(step), false);
      }
    }
  }

  /**
   * Handles the fields of a structure that the configuration lacks.
   *
   * @param claim whether unowned structures among them are in the way
   */
  private void others(Map<?, ?> object, Map<?, ?> wish, Place at, boolean claim) {
    if (at.path().isEmpty()) {
      return; // the status beside a spec is no alternative
    }
    for (Map.Entry<?, ?> field : object.entrySet()) {
      if (!wish.containsKey(field.getKey())) {
        found(
            field.getKey().toString(), object, at, claim && field.getValue() instanceof Map<?, ?>);
      }
    }
  }

  private void found(String field, Map<?, ?> object, Place at, boolean claim) {
    Place place = at.field(field);
    if (!object.containsKey(field) || ownership.isMine(place.path())) {
      return; // an apply removes what is ours
    }
    List<String> owners = ownership.othersOf(place.path());
    if (!owners.isEmpty()) {
      foreign.put(place.text(), owners);
    } else if (claim || ownership.isOwn(place.path())) {
      unowned.add(place.path());
    }
  }

  private static @Nullable Object element(List<?> list, Map<?, ?> keys) {
    for (Object element : list) {
      if (element instanceof Map<?, ?> fields
          && keys.entrySet().stream()
              .allMatch(
                  key -> {
                    Object value = fields.get(key.getKey());
                    return value == null || value.equals(key.getValue());
                  })) {
        return element;
      }
    }
    return null;
  }
}
