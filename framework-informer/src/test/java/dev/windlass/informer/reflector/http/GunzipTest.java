// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.informer.reflector.FeedEvent;
import dev.windlass.object.MalformedObjectException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;

/** Forty bad inputs, 14: an answer that unpacks to far more than anybody could send. */
final class GunzipTest {

  private static final int PIECE = 1024 * 1024;

  /** Counts what is unpacked, and keeps nothing. */
  private static final class Counter implements FrameParser {
    long bytes;

    @Override
    public void accept(ByteBuffer buffer, Consumer<FeedEvent> events) {
      bytes += buffer.remaining();
    }

    @Override
    public FeedEvent end() {
      return new FeedEvent.Ended();
    }
  }

  /** So many times the same piece, as one member. */
  private static byte[] packed(byte[] piece, int times) {
    Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
    CRC32 check = new CRC32();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(new byte[] {31, (byte) 139, Deflater.DEFLATED, 0, 0, 0, 0, 0, 0, 0});
    byte[] block = {};
    for (int i = 0; i < times; i++) {
      check.update(piece);
      block = i < 2 ? block(deflater, piece) : block;
      bytes.writeBytes(block);
    }
    deflater.end();
    bytes.writeBytes(new byte[] {3, 0}); // the last block, which is empty
    ByteBuffer end = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    end.putInt((int) check.getValue()).putInt(piece.length * times);
    bytes.writeBytes(end.array());
    return bytes.toByteArray();
  }

  private static byte[] block(Deflater deflater, byte[] piece) {
    byte[] block = new byte[piece.length + 64];
    deflater.setInput(piece);
    int length = deflater.deflate(block, 0, block.length, Deflater.SYNC_FLUSH);
    return Arrays.copyOf(block, length);
  }

  @Test
  void refusesABomb() {
    Counter counter = new Counter();
    Gunzip gunzip = new Gunzip(counter);
    byte[] bomb = packed(new byte[PIECE], 1024);
    assertThat(bomb.length).isLessThan(2 * PIECE);
    assertThatThrownBy(() -> gunzip.accept(ByteBuffer.wrap(bomb), event -> {}))
        .isInstanceOf(MalformedObjectException.class)
        .hasMessage("the response decompresses to more than 256 MiB and 200 times its size");
    assertThat(counter.bytes).isLessThan(300L * PIECE);
    gunzip.close();
  }

  /** However well it packs: a list of small objects that are nearly the same, say. */
  @Test
  void takesALargeAnswerAndASmallOneThatPacksWell() {
    byte[] mixed = new byte[PIECE];
    new Random(1).nextBytes(mixed);
    Arrays.fill(mixed, PIECE / 50, PIECE, (byte) ' ');
    for (byte[] answer : new byte[][] {packed(mixed, 300), packed(new byte[PIECE], 200)}) {
      Counter counter = new Counter();
      Gunzip gunzip = new Gunzip(counter);
      gunzip.accept(ByteBuffer.wrap(answer), event -> {});
      assertThat(counter.bytes).isGreaterThanOrEqualTo(200L * PIECE);
      assertThat(gunzip.end()).isInstanceOf(FeedEvent.Ended.class);
    }
  }

  /** Some proxies pack piece by piece; all members together are the answer. */
  @Test
  void readsAllMembersOfAnAnswer() {
    byte[] first = packed("[1,".getBytes(StandardCharsets.UTF_8), 1);
    byte[] second = packed("2]".getBytes(StandardCharsets.UTF_8), 1);
    byte[] padded = new byte[first.length + second.length + 7];
    System.arraycopy(first, 0, padded, 0, first.length);
    System.arraycopy(second, 0, padded, first.length, second.length);
    for (int pieces : new int[] {1, 3, padded.length}) {
      Counter counter = new Counter();
      Gunzip gunzip = new Gunzip(counter);
      for (int at = 0; at < padded.length; at += pieces) {
        int count = Math.min(pieces, padded.length - at);
        gunzip.accept(ByteBuffer.wrap(padded, at, count), event -> {});
      }
      assertThat(counter.bytes).isEqualTo(5);
      assertThat(gunzip.end()).isInstanceOf(FeedEvent.Ended.class);
    }
    Gunzip cut = new Gunzip(new Counter());
    cut.accept(ByteBuffer.wrap(padded, 0, first.length + 4), event -> {});
    assertThat(cut.end())
        .as("the second one ended in its middle")
        .isInstanceOf(FeedEvent.Failed.class);
  }

  /** Many small bombs are one. */
  @Test
  void refusesABombOfManyMembers() {
    byte[] member = packed(new byte[PIECE], 64);
    Gunzip gunzip = new Gunzip(new Counter());
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 5; i++) {
                gunzip.accept(ByteBuffer.wrap(member), event -> {});
              }
            })
        .isInstanceOf(MalformedObjectException.class);
    gunzip.close();
  }
}
