// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.schema;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe.Reply;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which strings of each format, and which numbers of properties, both servers accept. */
abstract class FormatsContract {

  private static final String LISTS = "/apis/formats.example.com/v1/namespaces/default/values";

  /** A format, and values that are accepted and refused. A bar separates the values. */
  private record Format(String name, String accepted, String refused) {}

  private static final String LONG = "a".repeat(64);

  private static final Format[] FORMATS = {
    new Format(
        "uri",
        "http://example.com/a?b=c#d|/path|mailto:a@example.com|http://x/a b|*|urn:a:b|http://[::1]:80/",
        "x|a/b||http://a b/|:a|http://x/%zz|http://x:port/|1http://x"),
    new Format("email", "a@example.com|Ann <a@example.com>|a.b+c@x", "x|@x|a@|a b@x|a@b c|"),
    new Format(
        "hostname",
        "example.com|web|1a|a-|a-b.example.london",
        "-a|a_b|a..b|a.b-|exa mple|" + LONG),
    new Format("ipv4", "10.0.0.1|010.000.000.001|::ffff:1.2.3.4", "256.0.0.1|1.2.3|::1|x|"),
    new Format(
        "ipv6", "::1|2001:db8::8a2e:370:7334|::ffff:1.2.3.4", "10.0.0.1|1::2::3|fe80::1%eth0|:"),
    new Format(
        "cidr", "10.0.0.0/8|2001:db8::/32|10.0.0.1/08", "10.0.0.0|10.0.0.0/33|x/8|10.0.0.0/"),
    new Format(
        "mac",
        "01:23:45:67:89:ab|01-23-45-67-89-AB-CD-EF|0123.4567.89ab",
        "01:23:45:67:89|01:23-45:67:89:ab|x"),
    new Format(
        "uuid",
        "123e4567-e89b-12d3-a456-426614174000|123E4567E89B12D3A456426614174000",
        "x|123e4567|"),
    new Format(
        "uuid3", "123e4567-e89b-32d3-a456-426614174000", "123e4567-e89b-12d3-a456-426614174000"),
    new Format(
        "uuid4",
        "123e4567-e89b-42d3-a456-426614174000",
        "123e4567-e89b-42d3-c456-426614174000|123e4567-e89b-52d3-a456-426614174000"),
    new Format(
        "uuid5", "123e4567-e89b-52d3-a456-426614174000", "123e4567-e89b-42d3-a456-426614174000"),
    new Format("byte", "aGVsbG8=|aGVsbG8h", "aGVsbG8|a|a b=||_-__"),
    new Format("password", "anything|", ""),
    new Format(
        "date", "2014-12-15|2024-02-29", "2014-12-5|2014-02-29|2014-13-01|x|2014-12-15T00:00:00Z|"),
    new Format(
        "duration",
        "22 ns|3 days|PT1H30M|PT0S|1h30m|0|-1.5h|1 hour 2 minutes|2wk|1.5hours",
        "x|5|1 y||PT|-"),
    new Format(
        "date-time",
        "2014-12-15T19:30:20.000Z|2014-12-15t19:30:20z|2014-12-15T19:30:20+01:00|2014-12-15T19:30:20,5Z",
        "PT1H30M|2014-12-15|2014-12-15T19:30Z|2014-12-15T19:30:20|2014-12-15T24:00:00Z|2014-12-15T23:59:60Z|x|"
            + "2014-12-15 19:30:20Z|2024-05-06T07:08:09+02:00[Europe/Paris]"),
    new Format("datetime", "2014-12-15T19:30:20.000Z", "2014-12-15"),
    new Format("k8s-short-name", "Web", ""),
    new Format("k8s-long-name", "Web", ""),
    new Format("int32", "x", ""),
    new Format("quantity", "x", ""),
    new Format("time", "x", ""),
  };

  private HttpProbe http;

  abstract TestApiServer server();

  @BeforeEach
  void defines() {
    http = HttpProbe.on(server());
    String formats =
        Arrays.stream(FORMATS)
            .map(f -> "'%s':{'type':'string','format':'%1$s'}".formatted(f.name()))
            .collect(Collectors.joining(","));
    http.post(
        HttpProbe.CRDS,
        """
        {'metadata':{'name':'values.formats.example.com'},'spec':{'group':'formats.example.com',
        'scope':'Namespaced','names':{'plural':'values','kind':'Value'},'versions':[{'name':'v1',
        'served':true,'storage':true,'schema':{'openAPIV3Schema':{'type':'object','properties':{
        'number':{'type':'integer','format':'int32'},
        'map':{'type':'object','minProperties':1,'maxProperties':2,
        'additionalProperties':{'type':'string'}},
        'union':{'type':'object','minProperties':1,'maxProperties':1,'properties':{
        'a':{'type':'string'},'b':{'type':'string'}}},%s}}}}]}}
        """
            .formatted(formats));
    eventually().atMost(Duration.ofSeconds(20)).until(() -> http.get(LISTS).code() == 200);
  }

  private Reply create(String field, String json) {
    return http.post(
        LISTS + "?dryRun=All",
        "{'apiVersion':'formats.example.com/v1','kind':'Value','metadata':{'name':'a'},'%s':%s}"
            .formatted(field, json));
  }

  private static Stream<String> values(String text) {
    return text.isEmpty() ? Stream.empty() : Arrays.stream(text.split("\\|", -1));
  }

  @Test
  void checksFormats() {
    SoftAssertions all = new SoftAssertions();
    for (Format format : FORMATS) {
      values(format.accepted())
          .forEach(
              value ->
                  all.assertThat(create(format.name(), quoted(value)).code())
                      .as("%s accepts '%s'", format.name(), value)
                      .isEqualTo(201));
      values(format.refused())
          .forEach(
              value ->
                  all.assertThat(create(format.name(), quoted(value)).message())
                      .as("%s refuses '%s'", format.name(), value)
                      .isEqualTo(
                          "Value.formats.example.com \"a\" is invalid: %s: Invalid value: %s: %1$s"
                              + " in body must be of type %1$s: %2$s",
                          format.name(), quoted(value)));
    }
    all.assertAll();
  }

  private static String quoted(String value) {
    return JsonNodeFactory.instance.textNode(value).toString();
  }

  @Test
  void checksTheNumberOfProperties() {
    assertThat(create("map", "{'a':'x'}").code()).isEqualTo(201);
    assertThat(create("map", "{'a':'x','b':'y'}").code()).isEqualTo(201);
    assertThat(create("union", "{'a':'x','unknown':'y'}").code())
        .as("after pruning")
        .isEqualTo(201);
    assertThat(create("map", "{}").message())
        .endsWith("map: Invalid value: 0: map in body should have at least 1 properties");
    assertThat(create("map", "{'a':'x','b':'y','c':'z'}").message())
        .endsWith("map: Too many: 3: must have at most 2 items");
    assertThat(create("union", "{'a':'x','b':'y'}").message())
        .endsWith("union: Too many: 2: must have at most 1 item");
    assertThat(create("number", "5000000000").code()).as("int32 is not checked").isEqualTo(201);
  }
}
