// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import static dev.windlass.testing.core.Samples.cachedFoo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.reconcile.Request;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.object.CachedObject;
import dev.windlass.testing.core.Foo;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class EventHandlerByTypeTest {

  private final RecordingSink sink = new RecordingSink();
  private final CachedObject<Foo> foo = cachedFoo("foo");

  private static EventHandler<Foo> saying(String name) {
    return (event, sink) -> sink.add(Request.of(name));
  }

  /** One function per type of events, as in controller-runtime's {@code handler.Funcs}. */
  @Test
  void leavesEachTypeToItsHandler() {
    EventHandler<Foo> handler =
        EventHandler.<Foo>byType()
            .created(saying("created"))
            .updated(saying("updated"))
            .deleted(saying("deleted"))
            .generic(saying("generic"));
    handler.handle(new ResourceEvent.Added<>(foo, true), sink);
    handler.handle(new ResourceEvent.Updated<>(foo, foo), sink);
    handler.handle(new ResourceEvent.Deleted<>(foo, true), sink);
    handler.handle(new ResourceEvent.Generic<>(foo), sink);
    assertThat(sink.keys()).containsExactly("created", "updated", "deleted", "generic");
  }

  @Test
  void doesNothingWithWhatItHasNoHandlerFor() {
    EventHandler<Foo> handler = EventHandler.<Foo>byType().deleted(saying("deleted"));
    handler.handle(new ResourceEvent.Added<>(foo, true), sink);
    assertThat(sink.keys()).isEmpty();
  }

  /** One mapping in two places is one memory, in the copy for a source too. */
  @Test
  void remembersWithTheHandlersThatItHas() {
    List<String> answer = new ArrayList<>(List.of("x"));
    EnqueueMapped<Foo> mapping =
        new EnqueueMapped<>(object -> answer.stream().map(Request::of).toList());
    StatefulEventHandler<Foo> source =
        EventHandler.<Foo>byType().created(mapping).updated(mapping).fresh();
    source.handle(new ResourceEvent.Added<>(foo, false), sink);
    assertThat(mapping.remembered()).as("the source has a copy").isZero();
    sink.added.clear();
    answer.set(0, "y");
    source.handle(new ResourceEvent.Updated<>(foo, foo), sink);
    assertThat(sink.keys()).containsExactly("x", "y");
    sink.added.clear();
    answer.clear();
    source.handle(new ResourceEvent.Updated<>(foo, foo), sink);
    assertThat(sink.keys()).containsExactly("y");
  }

  /** Without a handler for deletions, deleted objects must still be forgotten. */
  @Test
  void forgetsWhatIsGone() {
    EnqueueMapped<Foo> mapping = new EnqueueMapped<>(object -> List.of(Request.of("x")));
    EventHandler<Foo> handler = EventHandler.<Foo>byType().created(mapping);
    handler.handle(new ResourceEvent.Added<>(foo, false), sink);
    assertThat(mapping.remembered()).isEqualTo(1);
    handler.handle(new ResourceEvent.Deleted<>(foo, true), sink);
    assertThat(mapping.remembered()).isZero();
  }

  /** A source that is given one of these knows that it remembers. */
  @Test
  void remembersWithinASource() {
    EventHandler<Foo> inner =
        EventHandler.<Foo>byType()
            .created(EventHandler.mappingMetadata(EventHandlerByTypeTest::requests));
    EventHandler<Foo> own = StatefulEventHandler.own(EventHandler.<Foo>byType().created(inner));
    own.handle(new ResourceEvent.Added<>(foo, false), sink);
    sink.added.clear();
    assertThat(own).isInstanceOf(StatefulEventHandler.class);
  }

  private static List<Request> requests(CachedObject<?> object) {
    return List.of(Request.of(object.key().name()));
  }
}
