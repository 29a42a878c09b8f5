// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.admission.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.object.ObjectSerialization;
import dev.windlass.webhook.admission.AdmissionRequest;
import dev.windlass.webhook.admission.AdmissionRule;
import dev.windlass.webhook.admission.FieldError;
import dev.windlass.webhook.admission.Operation;
import dev.windlass.webhook.admission.Verdict;
import dev.windlass.webhook.conversion.review.Reviews;
import dev.windlass.webhook.server.MalformedRequestException;
import dev.windlass.webhook.server.RequestHandler;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ReviewTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  static final class GadgetSpec {
    public Integer size;
    public String color;
  }

  @Group("example.com")
  @Version("v1")
  static final class Gadget extends CustomResource<GadgetSpec, Void> implements Namespaced {
    private static final long serialVersionUID = 1L;
  }

  private static final AdmissionRule<Gadget> RULE = AdmissionRule.of(Gadget.class);

  private static ObjectNode json(String text) {
    try {
      return (ObjectNode) JSON.readTree(text.replace('\'', '"'));
    } catch (Exception e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  private static String gadget(String spec) {
    return "{'apiVersion':'example.com/v1','kind':'Gadget','metadata':{'name':'g','namespace':'n'},"
        + "'spec':"
        + spec
        + "}";
  }

  private static ObjectNode review(Operation operation, String object, String oldObject) {
    return json(
        "{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview','request':{'uid':'u-1',"
            + "'resource':{'group':'example.com','version':'v1','resource':'gadgets'},"
            + "'operation':'"
            + operation
            + "','name':'g','namespace':'n','userInfo':{'username':'ann','groups':['dev'],"
            + "'extra':{'scopes':['a','b']}},'dryRun':true,'object':"
            + object
            + ",'oldObject':"
            + oldObject
            + "}}");
  }

  private static JsonNode answer(RequestHandler handler, ObjectNode review) throws Exception {
    byte[] body = review.toString().getBytes(StandardCharsets.UTF_8);
    JsonNode answer = JSON.readTree(handler.handle(body));
    assertThat(answer.path("apiVersion").asText()).isEqualTo("admission.k8s.io/v1");
    assertThat(answer.path("kind").asText()).isEqualTo("AdmissionReview");
    assertThat(answer.path("response").path("uid").asText()).isEqualTo("u-1");
    return answer.path("response");
  }

  @Test
  void theValidatorGetsBothStatesAndTheUser() throws Exception {
    List<AdmissionRequest<Gadget>> seen = new ArrayList<>();
    RequestHandler handler =
        Review.validating(
            RULE,
            request -> {
              seen.add(request);
              return Verdict.allow().withWarning("size is deprecated");
            },
            ObjectSerialization.DEFAULT);

    JsonNode response =
        answer(handler, review(Operation.UPDATE, gadget("{'size':2}"), gadget("{'size':1}")));

    assertThat(response.path("allowed").asBoolean()).isTrue();
    assertThat(response.path("warnings")).hasToString("[\"size is deprecated\"]");
    AdmissionRequest<Gadget> request = seen.get(0);
    assertThat(request.object().getSpec().size).isEqualTo(2);
    assertThat(request.oldObject().orElseThrow().getSpec().size).isEqualTo(1);
    assertThat(request.operation()).isEqualTo(Operation.UPDATE);
    assertThat(request.user().name()).isEqualTo("ann");
    assertThat(request.user().groups()).containsExactly("dev");
    assertThat(request.user().extra()).containsEntry("scopes", List.of("a", "b"));
    assertThat(request.dryRun()).isTrue();
    assertThat(request.namespace() + "/" + request.name()).isEqualTo("n/g");
  }

  @Test
  void aDeletionShowsTheObjectThatIsDeleted() throws Exception {
    RequestHandler handler =
        Review.validating(
            RULE,
            request -> {
              assertThat(request.oldObject().orElseThrow().getSpec().size).isEqualTo(7);
              return Verdict.deny("still has size " + request.object().getSpec().size);
            },
            ObjectSerialization.DEFAULT);

    JsonNode response = answer(handler, review(Operation.DELETE, "null", gadget("{'size':7}")));

    assertThat(response.path("allowed").asBoolean(true)).isFalse();
    assertThat(response.path("status").path("message").asText()).isEqualTo("still has size 7");
    assertThat(response.path("status").path("code").asInt()).isEqualTo(403);
    assertThat(response.path("status").path("reason").asText()).isEqualTo("Forbidden");
  }

  @Test
  void anObjectOfADeletedCollectionHasItsName() throws Exception {
    RequestHandler handler =
        Review.validating(
            RULE,
            request -> Verdict.deny(request.name() + " is protected"),
            ObjectSerialization.DEFAULT);
    ObjectNode review = review(Operation.DELETE, "null", gadget("{'size':7}"));
    ((ObjectNode) review.path("request")).put("name", "");

    JsonNode response = answer(handler, review);

    assertThat(response.path("status").path("message").asText()).isEqualTo("g is protected");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "status", "scale"})
  void aRuleForAllSubresourcesGetsTheOneOfTheRequest(String subresource) throws Exception {
    RequestHandler handler =
        Review.validating(
            AdmissionRule.of(Gadget.class).subresource("*"),
            request -> Verdict.deny("at '" + request.subresource() + "'"),
            ObjectSerialization.DEFAULT);
    ObjectNode review = review(Operation.UPDATE, gadget("{}"), gadget("{}"));
    ((ObjectNode) review.path("request")).put("subResource", subresource);

    JsonNode response = answer(handler, review);

    assertThat(response.path("status").path("message").asText())
        .isEqualTo("at '" + subresource + "'");
  }

  @Test
  void invalidFieldsAreReportedAsTheApiServerReportsThem() throws Exception {
    RequestHandler handler =
        Review.validating(
            RULE,
            request ->
                Verdict.of(
                    List.of(
                        FieldError.invalid("spec.size", 0, "must be positive"),
                        FieldError.required("spec.color", "every gadget has one"))),
            ObjectSerialization.DEFAULT);

    JsonNode status =
        answer(handler, review(Operation.CREATE, gadget("{'size':0}"), "null")).path("status");

    assertThat(status.path("code").asInt()).isEqualTo(422);
    assertThat(status.path("reason").asText()).isEqualTo("Invalid");
    assertThat(status.path("message").asText())
        .isEqualTo(
            "Gadget.example.com \"g\" is invalid: [spec.size: Invalid value: 0: must be"
                + " positive, spec.color: Required value: every gadget has one]");
    assertThat(status.path("details").path("causes").get(0))
        .hasToString(
            "{\"reason\":\"FieldValueInvalid\",\"message\":\"Invalid value: 0: must be"
                + " positive\",\"field\":\"spec.size\"}");
  }

  @Test
  void aDefaulterChangesOnlyWhatItSets() throws Exception {
    RequestHandler handler =
        Review.defaulting(
            RULE, request -> request.object().getSpec().color = "red", ObjectSerialization.DEFAULT);

    JsonNode response =
        answer(handler, review(Operation.CREATE, gadget("{'size':1,'unknown':{'x':1}}"), "null"));

    assertThat(response.path("patchType").asText()).isEqualTo("JSONPatch");
    assertThat(new String(response.path("patch").binaryValue(), StandardCharsets.UTF_8))
        .isEqualTo("[{\"op\":\"add\",\"path\":\"/spec/color\",\"value\":\"red\"}]");
  }

  /** As a program with classes that only its own Jackson module can read. */
  @Test
  void readsObjectsAsTheProgramDoes() throws Exception {
    RequestHandler handler =
        Review.defaulting(
            RULE,
            request -> request.object().getSpec().color += "!",
            ObjectSerialization.of(Reviews.shouting()));

    JsonNode response =
        answer(handler, review(Operation.CREATE, gadget("{'size':1,'color':'red'}"), "null"));

    assertThat(new String(response.path("patch").binaryValue(), StandardCharsets.UTF_8))
        .isEqualTo("[{\"op\":\"replace\",\"path\":\"/spec/color\",\"value\":\"RED!\"}]");
  }

  @Test
  void aDefaulterThatChangesNothingSendsNoPatch() throws Exception {
    RequestHandler handler = Review.defaulting(RULE, request -> {}, ObjectSerialization.DEFAULT);

    JsonNode response = answer(handler, review(Operation.CREATE, gadget("{}"), "null"));

    assertThat(response.path("allowed").asBoolean()).isTrue();
    assertThat(response.has("patch")).isFalse();
  }

  /** What does not fit the class: a size that is not a number. */
  @ParameterizedTest(name = "{0} from {2} to {1}: {3}")
  @CsvSource(
      delimiter = '|',
      value = {
        "CREATE | {'size':'x'}           |                        | denied",
        "UPDATE | {'size':'x'}           | {'size':1}             | denied",
        "UPDATE | {'size':'x','color':1} | {'size':'x','color':2} | denied",
        "UPDATE | {'size':'x'}           | {'size':'x'}           | allowed",
        "UPDATE | {'size':1}             | {'size':'x'}           | validated",
        "DELETE |                        | {'size':'x'}           | allowed",
      })
  void anObjectThatDoesNotFitTheClassIsDeniedOnlyWhereItsSpecChanges(
      Operation operation, String spec, String oldSpec, String outcome) throws Exception {
    List<String> calls = new ArrayList<>();
    RequestHandler handler =
        Review.validating(
            RULE,
            request -> {
              calls.add("with " + (request.oldObject().isPresent() ? "an" : "no") + " old state");
              return Verdict.allow();
            },
            ObjectSerialization.DEFAULT);
    ObjectNode review =
        review(
            operation,
            spec == null ? "null" : gadget(spec),
            oldSpec == null ? "null" : gadget(oldSpec));

    JsonNode response = answer(handler, review);

    assertThat(response.path("allowed").asBoolean()).isEqualTo(!outcome.equals("denied"));
    assertThat(calls)
        .isEqualTo(outcome.equals("validated") ? List.of("with no old state") : List.of());
    if (outcome.equals("denied")) {
      assertThat(response.path("status").path("message").asText())
          .contains(
              "Gadget.example.com \"g\" is invalid: spec.size: Invalid value: \"x\": must be of type"
                  + " integer");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'size':'many'} | spec.size: Invalid value: 'many': must be of type integer",
        "{'size':true}   | spec.size: Invalid value: true: must be of type integer",
        "{'size':[1]}    | spec.size: Invalid value: 'array': must be of type integer",
        "{'color':{}}    | spec.color: Invalid value: 'object': must be of type string",
      })
  void theErrorNamesTheValueAndTheTypeThatTheClassRequires(String spec, String error)
      throws Exception {
    assertThat(messageFor(spec)).endsWith(" is invalid: " + error.replace('\'', '"'));
  }

  @Test
  void theErrorTruncatesALongValue() throws Exception {
    assertThat(messageFor("{'size':'" + "x".repeat(10_000) + "'}"))
        .contains("spec.size: Invalid value: \"xxx")
        .hasSizeLessThan(200);
  }

  private static String messageFor(String spec) throws Exception {
    RequestHandler handler =
        Review.validating(RULE, request -> Verdict.allow(), ObjectSerialization.DEFAULT);
    JsonNode response = answer(handler, review(Operation.CREATE, gadget(spec), "null"));
    return response.path("status").path("message").asText();
  }

  @Test
  void anObjectThatDoesNotFitTheClassIsAllowedByOption() throws Exception {
    RequestHandler handler =
        Review.validating(
            AdmissionRule.of(Gadget.class).allowUndecodable(),
            request -> Verdict.deny("called"),
            ObjectSerialization.DEFAULT);

    JsonNode response = answer(handler, review(Operation.CREATE, gadget("{'size':'x'}"), "null"));

    assertThat(response.path("allowed").asBoolean()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "null",
        "{",
        "{}",
        "{'kind':'AdmissionReview','apiVersion':'admission.k8s.io/v1beta1','request':{}}",
        "{'kind':'ConversionReview','apiVersion':'admission.k8s.io/v1','request':{}}",
        "{'kind':'AdmissionReview','apiVersion':'admission.k8s.io/v1'}",
        "{'kind':'AdmissionReview','apiVersion':'admission.k8s.io/v1','request':[]}",
        "{'kind':'AdmissionReview','apiVersion':'admission.k8s.io/v1','request':{'uid':''}}",
        "{'kind':'AdmissionReview','apiVersion':'admission.k8s.io/v1','request':{'uid':'1',"
            + "'operation':'create'}}",
      })
  void whatNoApiServerSendsIsRefused(String body) {
    RequestHandler handler =
        Review.validating(RULE, request -> Verdict.allow(), ObjectSerialization.DEFAULT);
    byte[] bytes = body.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> handler.handle(bytes)).isInstanceOf(MalformedRequestException.class);
  }

  @Test
  void aRequestForAnotherTypeIsRefusedWithTheCause() {
    RequestHandler handler =
        Review.validating(RULE, request -> Verdict.allow(), ObjectSerialization.DEFAULT);
    ObjectNode review = review(Operation.CREATE, gadget("{}"), "null");
    ((ObjectNode) review.path("request").path("resource")).put("version", "v2");
    assertThatThrownBy(() -> handler.handle(review.toString().getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(MalformedRequestException.class)
        .hasMessageContaining("this webhook is for gadgets.example.com/v1 only");
  }

  @ParameterizedTest
  @ValueSource(ints = {900, 3_000, 100_000})
  void nestingThatIsTooDeepIsRefused(int depth) throws Exception {
    RequestHandler handler =
        Review.validating(RULE, request -> Verdict.allow(), ObjectSerialization.DEFAULT);
    String deep = "[".repeat(depth) + "]".repeat(depth);
    byte[] body =
        review(Operation.CREATE, gadget("{'other':'@'}"), "null")
            .toString()
            .replace("\"@\"", deep)
            .getBytes(StandardCharsets.UTF_8);
    if (depth < 1_000) {
      assertThat(JSON.readTree(handler.handle(body)).path("response").path("allowed").asBoolean())
          .isTrue();
    } else {
      assertThatThrownBy(() -> handler.handle(body))
          .isInstanceOf(MalformedRequestException.class)
          .hasMessageContaining("nested in more than 1,000 levels");
    }
  }
}
