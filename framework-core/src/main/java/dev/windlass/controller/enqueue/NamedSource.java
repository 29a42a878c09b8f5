// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

/**
 * A source with a descriptive name for logs. A source that is a lambda expression has no such name.
 * Instances are immutable.
 *
 * @param name the name, such as {@code the channel of foos}
 * @param source the source to which this one delegates
 */
record NamedSource(String name, Source source) implements Source {

  @Override
  public Running start(PrioritySink sink) {
    return source.start(sink);
  }

  @Override
  public Kind kind() {
    return source.kind();
  }

  @Override
  public Running warmUp() {
    return source.warmUp();
  }

  @Override
  public String toString() {
    return name;
  }
}
