// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion.review;

import dev.windlass.logging.OneLine;
import dev.windlass.webhook.conversion.ConversionException;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A typed object during its conversion between two versions. Its metadata contains the given labels
 * and annotations.
 *
 * @param object the object
 * @param marks the labels and annotations that the result will have
 * @param <T> the class of a version
 */
record ConvertedObject<T extends HasMetadata>(T object, LabelsAndAnnotations marks) {

  /** The maximum length of a message of a {@link ConversionException}. */
  private static final int LONGEST_MESSAGE = 1024;

  static <T extends HasMetadata> ConvertedObject<T> of(T decoded) {
    return new ConvertedObject<>(decoded, LabelsAndAnnotations.of(decoded.getMetadata()));
  }

  /** Returns this object with other labels and annotations. */
  ConvertedObject<T> with(LabelsAndAnnotations other) {
    object.setMetadata(other.on(object.getMetadata()));
    return new ConvertedObject<>(object, other);
  }

  /** Returns an object with other content, and with the metadata of this object. */
  ConvertedObject<T> withContent(T content) {
    content.setMetadata(marks.on(object.getMetadata()));
    return new ConvertedObject<>(content, marks);
  }

  /** Returns the result of a function of the program. */
  <R extends HasMetadata> ConvertedObject<R> through(Function<? super T, ? extends R> function)
      throws ConversionFailure {
    R result = call(function);
    if (result == null) {
      throw new ConversionFailure("the conversion function returned null", null);
    }
    LabelsAndAnnotations after = marks.after(result.getMetadata());
    result.setMetadata(after.on(object.getMetadata()));
    return new ConvertedObject<>(result, after);
  }

  private <R extends HasMetadata> @Nullable R call(Function<? super T, ? extends R> function)
      throws ConversionFailure {
    try {
      return function.apply(object);
    } catch (ConversionException e) {
      // The message is sufficient, so the stack trace is not logged.
      throw new ConversionFailure(
          OneLine.of(String.valueOf(e.getMessage()), LONGEST_MESSAGE), null);
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      throw new ConversionFailure("the conversion function threw " + e.getClass().getName(), e);
    }
  }
}
