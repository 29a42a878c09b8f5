// SPDX-License-Identifier: Apache-2.0
package dev.windlass.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines are separated by '|' in these tables, where the parser sees CR and LF. */
final class ResponseParsingTest {

  /** A socket that has received the given bytes, which arrive in pieces of the given size. */
  private static final class Received extends Socket {
    private final InputStream bytes;
    private final int piece;

    Received(String text, int piece) {
      this.bytes = new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
      this.piece = piece;
    }

    @Override
    public InputStream getInputStream() {
      return new InputStream() {
        @Override
        public int read() throws IOException {
          return bytes.read();
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
          return bytes.read(target, offset, Math.min(piece, length));
        }

        @Override
        public int available() throws IOException {
          return bytes.available();
        }
      };
    }

    @Override
    public OutputStream getOutputStream() {
      return OutputStream.nullOutputStream();
    }
  }

  private static String read(String response, int piece, boolean head) throws IOException {
    Wire wire = new Wire(new Received(response.replace("|", "\r\n"), piece));
    ResponseHead header = ResponseHead.read(wire);
    BodyReader body = BodyReader.of(header, head, wire);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ByteBuffer next;
    while (!body.isAtEnd() && (next = body.next()) != null) {
      bytes.write(next.array(), next.position(), next.remaining());
    }
    boolean open = header.persistent() && body.leavesOpen();
    return "%d %s,%s,%s"
        .formatted(
            header.code(),
            header.reason(),
            bytes.toString(StandardCharsets.ISO_8859_1).replace("\r\n", "|"),
            !open ? "closed" : wire.hasExcess() ? "excess" : "open");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      textBlock =
          """
          HTTP/1.1 200 OK|Content-Length: 5||hello                                > 200 OK,hello,open
          HTTP/1.1 200 OK|Content-Length: 5||hello, world                         > 200 OK,hello,excess
          HTTP/1.1 200|content-length:5||hello                                    > 200 ,hello,open
          HTTP/1.1 200 OK|Content-Length: 5|CONTENT-LENGTH:   5||hello            > 200 OK,hello,open
          HTTP/1.1 200 OK|Content-Length: 0||                                     > 200 OK,,open
          HTTP/1.1 200 OK|Content-Length: 5|Connection: x, Close||hello           > 200 OK,hello,closed
          HTTP/1.1 200 OK|Connection: keep-alive|connection: close|Content-Length: 0|| > 200 OK,,closed
          HTTP/1.0 200 OK|Content-Length: 5|Connection: keep-alive||hello         > 200 OK,hello,closed
          HTTP/1.0 200 OK||to the end|                                            > 200 OK,to the end|,closed
          HTTP/1.1 200 OK||to the end                                             > 200 OK,to the end,closed
          HTTP/1.1 200 OK|Transfer-Encoding: chunked||5|hello|0||                 > 200 OK,hello,open
          HTTP/1.1 200 OK|Transfer-Encoding: Chunked||3;a=b|hel|02 ; c|lo|0;x||   > 200 OK,hello,open
          HTTP/1.1 200 OK|Transfer-Encoding: chunked||a|0123456789|0|T: x|U: y||  > 200 OK,0123456789,open
          HTTP/1.1 200 OK|Transfer-Encoding: chunked||0||HTTP                     > 200 OK,,excess
          HTTP/1.1 100 Continue|A: b||HTTP/1.1 103 X||HTTP/1.1 201 Created|Content-Length: 1||x > 201 Created,x,open
          HTTP/1.1 204 No Content|Content-Length: 7||                             > 204 No Content,,open
          HTTP/1.1 204 No Content|Transfer-Encoding: chunked||                    > 204 No Content,,open
          HTTP/1.1 304 Not Modified|Content-Length: 7||                           > 304 Not Modified,,open
          HTTP/1.1 299 |Content-Length: 0||                                       > 299 ,,open
          """)
  void readsValidResponses(String response, String expected) throws Exception {
    for (int piece : new int[] {1, 3, 100_000}) {
      assertThat(read(response, piece, false)).isEqualTo(expected);
      if (!response.contains("hunked")) {
        assertThat(read(response.replace("|", "\n"), piece, false))
            .as("without CR")
            .isEqualTo(expected.replace("|", "\n"));
      }
    }
  }

  @Test
  void expectsNoBodyAfterHead() throws Exception {
    assertThat(read("HTTP/1.1 200 OK|Content-Length: 5||", 9, true)).isEqualTo("200 OK,,open");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "|HTTP/1.1 200 OK||",
        "SSH-2.0-OpenSSH_9.6|",
        "HTTP/2 200 OK||",
        "HTTP/1.12 200 OK||",
        "HTTP/1.1||",
        "HTTP/1.1 20||",
        "HTTP/1.1 2x0 OK||",
        "HTTP/1.1 x00 OK||",
        "HTTP/1.1 -20 OK||",
        "HTTP/1.1 2000 OK||",
        "HTTP/1.1 099 OK||HTTP/1.1 200 OK||",
        "HTTP/1.1 000 OK||HTTP/1.1 200 OK||",
        "HTTP/1.1 101 Switching Protocols|Upgrade: x||",
        "HTTP/1.1 200 OK|no colon||",
        "HTTP/1.1 200 OK|: no name||",
        "HTTP/1.1 200 OK|A: b| Content-Length: 5||hello",
        "HTTP/1.1 200 OK|A: b|\tContent-Length: 5||hello",
        "HTTP/1.1 200 OK|Content-Length : 5||hello",
        "HTTP/1.1 200 OK|Content-Length\t: 5||hello",
        "HTTP/1.1 200 OK|Content-Length: 5|Content-Length: 6||hello!",
        "HTTP/1.1 200 OK|Content-Length: 5|content-length: 6||hello!",
        "HTTP/1.1 200 OK|Content-Length: 5, 5||hello",
        "HTTP/1.1 200 OK|Content-Length: +5||hello",
        "HTTP/1.1 200 OK|Content-Length: -1||hello",
        "HTTP/1.1 200 OK|Content-Length: -0||",
        "HTTP/1.1 200 OK|Content-Length:||hello",
        "HTTP/1.1 200 OK|Content-Length: 0x5||hello",
        "HTTP/1.1 200 OK|Content-Length: 9223372036854775808||hello",
        "HTTP/1.1 200 OK|Transfer-Encoding: chunked|Content-Length: 5||5|hello|0||",
        "HTTP/1.1 200 OK|Transfer-Encoding: gzip, chunked||0||",
        "HTTP/1.1 200 OK|Transfer-Encoding: identity||hello",
        "HTTP/1.1 200 OK|Transfer-Encoding: chunked||4|hello|0||",
        "HTTP/1.1 200 OK|Transfer-Encoding: chunked||6|hello|0||",
        "HTTP/1.1 200 OK|Transfer-Encoding: chunked||5|hello\n0||",
        "HTTP/1.1 200 OK|Transfer-Encoding: chunked||+5|hello|0||",
        "HTTP/1.1 200 OK|Transfer-Encoding: chunked||-5|hello|0||",
        "HTTP/1.1 200 OK|Transfer-Encoding: chunked|||hello|0||",
        "HTTP/1.1 200 OK|Transfer-Encoding: chunked||g|hello|0||",
        "HTTP/1.1 200 OK|Transfer-Encoding: chunked||8000000000000000|hello|0||",
      })
  void rejectsInvalidResponses(String response) {
    for (int piece : new int[] {1, 100_000}) {
      assertThatThrownBy(() -> read(response, piece, false))
          .isInstanceOf(IOException.class)
          .isNotInstanceOf(EOFException.class)
          .hasMessageNotContainingAny("\r", "\n");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK|A: b|Content-Length: 5||hello",
        "HTTP/1.1 100 Continue||HTTP/1.1 200 OK|Transfer-Encoding: chunked||5;x|hello|1|!|0|T: x||",
      })
  void failsIfTheConnectionEndsAnywhereInTheResponse(String response) throws Exception {
    String complete = response.replace("|", "\r\n");
    assertThat(read(complete, 100, false)).endsWith("open");
    for (int end = 0; end < complete.length(); end++) {
      String part = complete.substring(0, end);
      assertThatThrownBy(() -> read(part, 100, false)).as(part).isInstanceOf(EOFException.class);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'HTTP/1.1 200 OK|A: ', x",
    "'HTTP/1.1 200 OK|', 'A: b|'",
    "'', x",
    "'', 'HTTP/1.1 100 Continue||'",
    "'HTTP/1.1 200 OK|Transfer-Encoding: chunked||', 0",
    "'HTTP/1.1 200 OK|Transfer-Encoding: chunked||0|', 'A: b|'",
  })
  void limitsTheSizeOfEachHeader(String start, String endless) {
    String response = start + endless.repeat(70 * 1024 / endless.length());
    assertThatThrownBy(() -> read(response, 100_000, false))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("65536 bytes");
  }

  @Test
  void acceptsAHeaderOfNearly64KiB() throws Exception {
    String response = "HTTP/1.1 200 OK|A: " + "x".repeat(65_000) + "|Content-Length: 1||x";
    assertThat(read(response, 100, false)).isEqualTo("200 OK,x,open");
  }
}
