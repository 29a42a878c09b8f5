// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion.review;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.windlass.json.JsonLimits;
import dev.windlass.webhook.server.MalformedRequestException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads a ConversionReview in one pass over its bytes. For each object, it reads only the fields
 * that identify the object, and records the positions of the other fields.
 */
final class ReviewParser implements AutoCloseable {

  private final byte[] body;
  private final JsonParser json;

  private ReviewParser(byte[] body) throws IOException {
    this.body = body;
    this.json = JsonLimits.ofSkippedValues().createParser(body);
  }

  /**
   * Reads a ConversionReview.
   *
   * @throws MalformedRequestException if the body is not a ConversionReview that an API server
   *     would send
   */
  static ReviewRequest parse(byte[] body) throws MalformedRequestException {
    // JSON can have an encoding other than UTF-8, but the positions of its tokens would be unknown.
    if (body.length < 2 || body[0] != '{' || body[1] == 0) {
      throw new MalformedRequestException("the body is not a JSON object in UTF-8");
    }
    try (ReviewParser parser = new ReviewParser(body)) {
      return parser.review();
    } catch (JsonProcessingException e) {
      // The message of the exception quotes the body.
      throw new MalformedRequestException("the body is not valid JSON");
    } catch (IOException e) {
      throw new IllegalStateException("an array of bytes can't be read", e);
    }
  }

  /** An iterator over the known fields of one JSON object. It rejects fields that occur twice. */
  private final class Fields {
    private final Set<String> known;
    private final Set<String> seen = new HashSet<>();

    /** Enters the object at the current token. */
    Fields(String what, String... known) throws IOException, MalformedRequestException {
      require(json.currentToken() == JsonToken.START_OBJECT, what + " is not a JSON object");
      this.known = Set.of(known);
    }

    /**
     * Moves to the value of the next known field and returns the field's name. Returns an empty
     * result at the end of the object.
     */
    Optional<String> next() throws IOException, MalformedRequestException {
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        json.nextToken();
        if (known.contains(name)) {
          require(seen.add(name), "the field " + name + " occurs twice");
          return Optional.of(name);
        }
        json.skipChildren();
      }
      return Optional.empty();
    }

    void requireSeen(String name) throws MalformedRequestException {
      require(seen.contains(name), "the field " + name + " is missing");
    }
  }

  private static void require(boolean condition, String message) throws MalformedRequestException {
    if (!condition) {
      throw new MalformedRequestException(message);
    }
  }

  private ReviewRequest review() throws IOException, MalformedRequestException {
    json.nextToken();
    Fields fields = new Fields("the body", "apiVersion", "kind", "request");
    String apiVersion = "";
    String kind = "";
    ReviewRequest request = null;
    for (Optional<String> field = fields.next(); field.isPresent(); field = fields.next()) {
      switch (field.get()) {
        case "apiVersion" -> apiVersion = text("apiVersion");
        case "kind" -> kind = text("kind");
        default -> request = request();
      }
    }
    require(json.nextToken() == null, "the body does not end after the review");
    require(
        apiVersion.equals(ReviewRequest.API_VERSION) && kind.equals(ReviewRequest.KIND),
        "the body is not a ConversionReview of " + ReviewRequest.API_VERSION);
    if (request == null) {
      throw new MalformedRequestException("the review has no request");
    }
    return request;
  }

  private ReviewRequest request() throws IOException, MalformedRequestException {
    Fields fields = new Fields("the request", "uid", "desiredAPIVersion", "objects");
    String uid = "";
    String desired = "";
    List<RequestedObject> objects = new ArrayList<>();
    for (Optional<String> field = fields.next(); field.isPresent(); field = fields.next()) {
      switch (field.get()) {
        case "uid" -> uid = text("uid");
        case "desiredAPIVersion" -> desired = text("desiredAPIVersion");
        default -> {
          require(json.currentToken() == JsonToken.START_ARRAY, "objects is not a list");
          while (json.nextToken() != JsonToken.END_ARRAY) {
            objects.add(object());
          }
        }
      }
    }
    require(!uid.isEmpty(), "the request has no uid");
    require(!desired.isEmpty(), "the request has no desiredAPIVersion");
    fields.requireSeen("objects");
    return new ReviewRequest(uid, desired, objects);
  }

  private RequestedObject object() throws IOException, MalformedRequestException {
    int from = tokenStart();
    Fields fields = new Fields("an object", "apiVersion", "kind", "metadata");
    String apiVersion = "";
    ByteRange apiVersionRange = new ByteRange(from, from);
    String kind = "";
    Optional<ByteRange> metadata = Optional.empty();
    String[] key = {"", ""};
    for (Optional<String> field = fields.next(); field.isPresent(); field = fields.next()) {
      switch (field.get()) {
        case "apiVersion" -> {
          int start = tokenStart();
          apiVersion = text("apiVersion");
          apiVersionRange = new ByteRange(start, position());
        }
        case "kind" -> kind = text("kind");
        default -> {
          int start = tokenStart();
          key = key();
          metadata = Optional.of(new ByteRange(start, position()));
        }
      }
    }
    require(!apiVersion.isEmpty() && !kind.isEmpty(), "an object has no apiVersion or no kind");
    return new RequestedObject(
        body,
        new ByteRange(from, position()),
        apiVersion,
        apiVersionRange,
        kind,
        metadata,
        key[0],
        key[1]);
  }

  /** Reads an object's metadata. Returns the namespace and the name. */
  private String[] key() throws IOException, MalformedRequestException {
    Fields fields = new Fields("the metadata of an object", "namespace", "name");
    String[] key = {"", ""};
    for (Optional<String> field = fields.next(); field.isPresent(); field = fields.next()) {
      key[field.get().equals("namespace") ? 0 : 1] = text(field.get());
    }
    return key;
  }

  private String text(String field) throws IOException, MalformedRequestException {
    require(json.currentToken() == JsonToken.VALUE_STRING, field + " is not a string");
    return json.getText();
  }

  /** Returns the position of the current token's first byte. */
  private int tokenStart() {
    return (int) json.currentTokenLocation().getByteOffset();
  }

  /** Returns the position after the current token, which must have been read completely. */
  private int position() {
    return (int) json.currentLocation().getByteOffset();
  }

  @Override
  public void close() throws IOException {
    json.close();
  }
}
