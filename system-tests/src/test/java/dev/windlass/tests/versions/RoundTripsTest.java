// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.versions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.windlass.testing.webhook.RoundTrips;
import dev.windlass.tests.versions.Boxes.BoxStatus;
import dev.windlass.tests.versions.Boxes.BoxV1;
import dev.windlass.tests.versions.Boxes.BoxV2;
import dev.windlass.tests.versions.Boxes.BoxV3;
import dev.windlass.webhook.conversion.Conversion;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

final class RoundTripsTest {

  private static final Conversion<BoxV2> SAME =
      conversion(UnaryOperator.identity(), UnaryOperator.identity());

  /** A conversion that changes nothing but what the functions change. */
  private static Conversion<BoxV2> conversion(
      UnaryOperator<BoxV2> toHub, UnaryOperator<BoxV1> fromHub) {
    return Conversion.hub(BoxV2.class)
        .spoke(BoxV1.class, box -> toHub.apply(hub(box)), hub -> fromHub.apply(first(hub)));
  }

  private static BoxV2 hub(BoxV1 box) {
    BoxV2 hub = new BoxV2();
    hub.setSpec(box.getSpec());
    hub.setStatus(box.getStatus());
    return hub;
  }

  private static BoxV1 first(BoxV2 hub) {
    BoxV1 box = new BoxV1();
    box.setSpec(hub.getSpec());
    box.setStatus(hub.getStatus());
    return box;
  }

  private static UnaryOperator<BoxV1> dropping(Consumer<BoxContent> change) {
    return box -> {
      if (box.getSpec() != null) {
        change.accept(box.getSpec());
      }
      return box;
    };
  }

  /**
   * Fewer objects than by default, for conversions that pass: the number adds nothing to what these
   * tests show, and the examples run with the default.
   */
  private static RoundTrips few(RoundTrips trips) {
    return trips.objects(60);
  }

  private static AssertionError failure(RoundTrips trips) {
    return catchThrowableOfType(AssertionError.class, trips::check);
  }

  @TestFactory
  Stream<DynamicTest> passesForFieldsOfAllSorts() {
    return RoundTrips.of(SAME).tests();
  }

  @Test
  void hasATestForEachDirection() {
    assertThat(RoundTrips.of(SAME).tests())
        .extracting(DynamicTest::getDisplayName)
        .containsExactly("Box v2 -> v1 -> v2", "Box v1 -> v2 -> v1");
  }

  @Test
  void testsPairsOfSpokesIfTheConversionKeepsLostFields() {
    Conversion<BoxV2> three =
        SAME.spoke(
            BoxV3.class,
            box -> {
              BoxV2 hub = new BoxV2();
              hub.setStatus(box.getStatus());
              return hub;
            },
            hub -> {
              BoxV3 box = new BoxV3();
              box.setStatus(hub.getStatus());
              return box;
            });
    assertThat(RoundTrips.of(three.keepingLostFields()).tests())
        .extracting(DynamicTest::getDisplayName)
        .containsExactly(
            "Box v2 -> v1 -> v2",
            "Box v2 -> v3 -> v2",
            "Box v1 -> v2 -> v1",
            "Box v1 -> v3 -> v1",
            "Box v3 -> v2 -> v3",
            "Box v3 -> v1 -> v3");
    assertThat(RoundTrips.of(three).tests())
        .extracting(DynamicTest::getDisplayName)
        .doesNotContain("Box v1 -> v3 -> v1");
  }

  @Test
  void namesALostFieldAndShowsTheSmallestObject() {
    AssertionError failure =
        failure(
            RoundTrips.of(
                conversion(
                    UnaryOperator.identity(),
                    dropping(
                        spec -> {
                          if (spec.parts != null) {
                            spec.parts.forEach(part -> part.weight = null);
                          }
                        }))));
    assertThat(failure).hasMessageStartingWith("Box v2 -> v1 -> v2 loses spec.parts[0].weight");
    assertThat(failure.getMessage().replaceAll("[0-9]+\n", "7\n").replaceAll("\\s", ""))
        .contains("\"spec\":{\"parts\":[{\"weight\":7}]}}")
        .contains("Inv1:")
        .contains("\"spec\":{\"parts\":[{}],\"flag\":false,\"number\":");
  }

  @Test
  void namesAChangedField() {
    assertThat(
            failure(
                RoundTrips.of(
                    conversion(UnaryOperator.identity(), dropping(spec -> spec.number++)))))
        .hasMessageStartingWith("Box v2 -> v1 -> v2 changes spec.number from 0 to 1");
  }

  @Test
  void namesAnAddedField() {
    assertThat(
            failure(
                RoundTrips.of(
                    conversion(UnaryOperator.identity(), dropping(spec -> spec.before = "added")))))
        .hasMessageStartingWith("Box v2 -> v1 -> v2 adds spec.renamed, which is \"added\"");
  }

  @Test
  void findsLabelsThatAFunctionRemoves() {
    assertThat(
            failure(
                RoundTrips.of(
                    Conversion.hub(BoxV2.class)
                        .spoke(
                            BoxV1.class,
                            box -> {
                              BoxV2 hub = hub(box);
                              box.getMetadata().setLabels(null);
                              hub.setMetadata(box.getMetadata());
                              return hub;
                            },
                            RoundTripsTest::first))))
        .hasMessageStartingWith("Box v2 -> v1 -> v2 loses metadata.labels");
  }

  /** An object without fields can have a meaning, as {@code emptyDir: {}} does. */
  @Test
  void findsAnEmptyObjectThatIsLost() {
    assertThat(
            failure(
                RoundTrips.of(
                    conversion(
                        UnaryOperator.identity(),
                        dropping(
                            spec -> {
                              if (new BoxContent.Pair(null, null).equals(spec.pair)) {
                                spec.pair = null;
                              }
                            })))))
        .hasMessageStartingWith("Box v2 -> v1 -> v2 loses spec.pair, which was {}");
  }

  /** What the annotations of fabric8's CRD generator say. */
  public static final class Limited {
    @Required
    @Min(3)
    @Max(5)
    private Integer size;

    public Integer getSize() {
      return size;
    }

    public void setSize(Integer size) {
      this.size = size;
    }
  }

  @Group("boxes.windlass.dev")
  @Kind("Box")
  @Plural("boxes")
  @Version("v5")
  @SuppressWarnings("serial")
  static final class LimitedBox extends CustomResource<Limited, Void> implements Namespaced {}

  @Group("boxes.windlass.dev")
  @Kind("Box")
  @Plural("boxes")
  @Version("v4")
  @SuppressWarnings("serial")
  static final class LimitedBoxToo extends CustomResource<Limited, Void> implements Namespaced {}

  @Test
  void generatesWhatTheAnnotationsAllow() {
    Set<Integer> sizes = new HashSet<>();
    Conversion<LimitedBox> noting =
        Conversion.hub(LimitedBox.class)
            .spoke(
                LimitedBoxToo.class,
                box -> {
                  LimitedBox hub = new LimitedBox();
                  hub.setSpec(box.getSpec());
                  return hub;
                },
                hub -> {
                  LimitedBoxToo box = new LimitedBoxToo();
                  box.setSpec(hub.getSpec());
                  if (hub.getSpec() != null) {
                    sizes.add(hub.getSpec().getSize());
                  }
                  return box;
                });
    assertThatCode(few(RoundTrips.of(noting))::check).doesNotThrowAnyException();
    assertThat(sizes).containsOnly(3, 5);
  }

  @Test
  void acceptsLossesThatAreDeclared() {
    Conversion<BoxV2> lossy =
        conversion(
            UnaryOperator.identity(),
            dropping(
                spec -> {
                  spec.text = null;
                  spec.pair = null;
                  if (spec.parts != null) {
                    spec.parts.forEach(part -> part.weight = null);
                  }
                }));
    String[] lost = {"spec.text", "spec.pair", "spec.parts[].weight"};
    // The classes are the same, so an object of v1 has these fields as well, and loses them.
    RoundTrips declared =
        few(RoundTrips.of(lossy)).mayLose(BoxV1.class, lost).mayLose(BoxV2.class, lost);
    assertThatCode(declared::check).doesNotThrowAnyException();
    assertThat(failure(RoundTrips.of(lossy).mayLose(BoxV1.class, "spec.text", "spec.pair")))
        .hasMessageContaining("loses spec.parts[0].weight");
    RoundTrips kept = few(RoundTrips.of(lossy.keepingLostFields())).mayLose(BoxV2.class, lost);
    assertThatCode(kept::check).doesNotThrowAnyException();
  }

  @Test
  void showsTheExceptionOfAFunction() {
    Conversion<BoxV2> throwing =
        conversion(
            UnaryOperator.identity(),
            dropping(
                spec -> {
                  if (spec.maybe != null) {
                    throw new IllegalStateException("not for me");
                  }
                }));
    AssertionError failure = failure(RoundTrips.of(throwing));
    assertThat(failure)
        .hasMessageStartingWith("Box v2 -> v1 -> v2 fails: Box default/sample can't be converted")
        .hasMessageContaining("not for me")
        .hasCauseInstanceOf(IllegalStateException.class);
    assertThat(failure.getMessage().replaceAll("\\s", "")).contains("\"spec\":{\"maybe\":");
  }

  @Test
  void generatesObjectsWithoutASpecUnlessTheyAlwaysHaveOne() {
    Conversion<BoxV2> needy =
        conversion(
            UnaryOperator.identity(),
            box -> {
              box.getSpec().hashCode();
              return box;
            });
    assertThat(failure(RoundTrips.of(needy))).hasCauseInstanceOf(NullPointerException.class);
    assertThatCode(
            few(RoundTrips.of(needy)).always(BoxV1.class, "spec").always(BoxV2.class, "spec")
                ::check)
        .doesNotThrowAnyException();
  }

  @Test
  void generatesTheValuesThatAreGiven() {
    Conversion<BoxV2> strict =
        conversion(
            UnaryOperator.identity(),
            dropping(
                spec -> {
                  if (spec.text != null && !spec.text.matches("[a-z]+:[0-9]+")) {
                    throw new IllegalStateException(spec.text);
                  }
                }));
    assertThatCode(
            few(RoundTrips.of(strict))
                    .values(BoxV1.class, "spec.text", random -> "a:" + random.nextInt(9))
                    .values(BoxV2.class, "spec.text", random -> "b:" + random.nextInt(9))
                ::check)
        .doesNotThrowAnyException();
  }

  @Group("boxes.windlass.dev")
  @Kind("Box")
  @Plural("boxes")
  @Version("v9")
  @SuppressWarnings("serial")
  static final class Poorer extends CustomResource<BoxStatus, BoxStatus> implements Namespaced {}

  @Test
  void findsAVersionThatDoesNotHaveTheFieldsOfTheHub() {
    assertThat(failure(RoundTrips.of(Conversion.hub(BoxV2.class).sameSchema(Poorer.class))))
        .hasMessageStartingWith("Box v2 -> v9 -> v2 this object does not fit")
        .hasMessageContaining("Poorer");
  }

  /** A class that reads a field and never writes it. */
  public static final class WriteOnly {
    public String other;
    private String secret;

    public void setSecret(String secret) {
      this.secret = secret;
    }

    @Override
    public String toString() {
      return secret;
    }
  }

  @Group("boxes.windlass.dev")
  @Kind("Box")
  @Plural("boxes")
  @Version("v8")
  @SuppressWarnings("serial")
  static final class Forgetful extends CustomResource<WriteOnly, Void> implements Namespaced {}

  @Group("boxes.windlass.dev")
  @Kind("Box")
  @Plural("boxes")
  @Version("v6")
  @SuppressWarnings("serial")
  static final class ForgetfulToo extends CustomResource<WriteOnly, Void> implements Namespaced {}

  @Test
  void findsAClassThatDoesNotWriteWhatItReads() {
    assertThat(
            failure(RoundTrips.of(Conversion.hub(Forgetful.class).sameSchema(ForgetfulToo.class))))
        .hasMessageContaining("the class " + Forgetful.class.getName() + " loses spec.secret");
  }

  /** A class whose values can't be generated. */
  public interface Shape {}

  /** Has such a value. */
  public static final class Shapes {
    public Shape shape;
  }

  @Group("boxes.windlass.dev")
  @Kind("Box")
  @Plural("boxes")
  @Version("v7")
  @SuppressWarnings("serial")
  static final class Abstract extends CustomResource<Shapes, Void> implements Namespaced {}

  @Test
  void namesAFieldWhoseValuesItCannotGenerate() {
    assertThatThrownBy(
            () -> RoundTrips.of(Conversion.hub(Abstract.class).sameSchema(BoxV1.class)).check())
        .hasMessageContaining("can't be generated for spec.shape")
        .hasMessageContaining("supply them with RoundTrips.values");
  }

  @Test
  void rejectsVersionsAndPathsThatDoNotExist() {
    assertThatThrownBy(() -> RoundTrips.of(SAME).always(BoxV3.class, "spec"))
        .hasMessageContaining("BoxV3 is not a version of Box.boxes.windlass.dev (v2, v1)");
    assertThatThrownBy(() -> RoundTrips.of(SAME).mayLose(BoxV1.class, "spec..x"))
        .hasMessageContaining("'spec..x' is not the path of a field");
    assertThatThrownBy(() -> RoundTrips.of(SAME).objects(0)).hasMessageContaining("not 0");
  }

  @Test
  void generatesOtherObjectsWithAnotherSeed() {
    Conversion<BoxV2> lossy =
        conversion(UnaryOperator.identity(), dropping(spec -> spec.text = null));
    assertThat(failure(RoundTrips.of(lossy).seed(7))).hasMessageContaining("(seed 7)");
    assertThat(failure(RoundTrips.of(lossy).seed(7)).getMessage())
        .isEqualTo(failure(RoundTrips.of(lossy).seed(7)).getMessage());
  }
}
