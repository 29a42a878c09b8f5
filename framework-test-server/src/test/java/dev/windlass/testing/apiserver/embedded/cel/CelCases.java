// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import dev.windlass.testing.apiserver.embedded.probes.HttpProbe;
import java.util.ArrayList;
import java.util.List;

/** Rules, and values that satisfy or violate them. JSON is in single quotes. */
final class CelCases {
  private CelCases() {}

  /**
   * A rule.
   *
   * @param schema the schema of the value, without braces
   * @param rule the rule, without braces
   * @param values the values to write
   */
  record Case(String schema, String rule, List<String> values) {
    String property() {
      return "{%s,'x-kubernetes-validations':[{%s}]}".formatted(schema, rule);
    }

    @Override
    public String toString() {
      return rule;
    }
  }

  private static Case test(String schema, String expression, String... values) {
    String escaped = expression.replace("\\", "\\\\").replace("'", "\\u0027");
    return new Case(schema, "'rule':'" + escaped + "'", List.of(values));
  }

  private static final String INT = "'type':'integer'";
  private static final String TEXT = "'type':'string','maxLength':30";
  private static final String INTS = "'type':'array','maxItems':5,'items':{'type':'integer'}";
  private static final String TEXTS =
      "'type':'array','maxItems':5,'items':{'type':'string','maxLength':9}";
  private static final String MAP =
      "'type':'object','maxProperties':5,'additionalProperties':{'type':'integer'}";
  private static final String OBJECT =
      "'type':'object','properties':{'a':{'type':'integer'},'b':{'type':'string','maxLength':9},'for':{'type':'integer'},'x-y':{'type':'integer'},'n':{'type':'integer','nullable':true}}";

  /** Rules that compile. */
  static final List<Case> VALID =
      List.of(
          test(INT, "self > 3", "3", "4"),
          test(INT, "self % 2 == 0 || self < 0", "3", "4", "-1"),
          test(INT, "10 / self > 1", "0", "4", "100"),
          test(INT, "10 % self > 1", "0", "4"),
          test(INT, "self + 9223372036854775807 > 0", "1", "0"),
          test(INT, "int(string(self)) == self", "1"),
          test(INT, "double(self) > 1.5", "1", "2"),
          test(TEXT, "self.startsWith('a') && self.size() < 4", "'abc'", "'abcd'", "'b'"),
          test(TEXT, "self.matches('^a+$')", "'aa'", "'ab'"),
          test(TEXT, "self.split(',')[1] == 'b'", "'a,b'", "'a'"),
          test(TEXT, "self.lowerAscii().replace('x', 'y').trim() == 'ay'", "' AX '", "'b'"),
          test(TEXT, "self.indexOf('b') == 1 && self.substring(1) == 'b'", "'ab'", "'b'"),
          test(TEXT, "self.charAt(0) == 'a'", "'ab'", "'b'"),
          test(TEXT, "int(self) > 3", "'4'", "'x'", "'3'"),
          test(INTS, "self.all(x, x > 0)", "[1,2]", "[0]"),
          test(INTS, "self.exists(x, x == 2) && self.exists_one(x, x == 1)", "[1,2]", "[1,1,2]"),
          test(INTS, "self.filter(x, x > 1).size() == 1", "[1,2]", "[1]"),
          test(INTS, "self[0] == 1", "[1]", "[]"),
          test(TEXTS, "sets.contains(self, ['a'])", "['a','b']", "['b']"),
          test(TEXTS, "self.join('-') == 'a-b'", "['a','b']", "['b']"),
          test(MAP, "self.all(k, self[k] > 0) && 'a' in self", "{'a':1}", "{'b':1}", "{'a':0}"),
          test(MAP, "self['a'] == 1", "{'a':1}", "{'b':1}"),
          test(OBJECT, "has(self.a) && self.a > 1", "{'a':2}", "{}"),
          test(OBJECT, "self.a > 1", "{'a':2}", "{}", "{'a':1}"),
          test(OBJECT, "!has(self.b) || self.b == string(self.a)", "{'a':2,'b':'2'}", "{'b':'x'}"),
          test(OBJECT, "self.__for__ == self.x__dash__y", "{'for':2,'x-y':2}", "{'for':1,'x-y':2}"),
          test(OBJECT, "self.?a.orValue(5) == 5", "{}", "{'a':1}"),
          test(
              "'x-kubernetes-int-or-string':true,'maxLength':9",
              "type(self) == int ? self > 3 : self == 'x'",
              "4",
              "3",
              "'x'",
              "'y'"),
          test("'x-kubernetes-int-or-string':true,'maxLength':9", "self > 3", "4", "'y'"),
          test("'type':'number'", "self < 1.5", "1", "2.5"),
          test("'type':'boolean'", "self", "true", "false"),
          test(
              "'type':'string','format':'date-time'",
              "self > timestamp('2020-01-01T00:00:00Z')",
              "'2021-01-01T00:00:00Z'",
              "'2019-01-01T00:00:00Z'"),
          test("'type':'string','format':'duration'", "self < duration('1h')", "'59m'", "'2h'"),
          new Case(INT, "'rule':'self > 3','message':'must be large'", List.of("3", "4")),
          new Case(
              TEXT,
              "'rule':'self.size() > 3','messageExpression':'self + \\u0027 is short\\u0027'",
              List.of("'a'")),
          new Case(
              INT, "'rule':'self > 3','message':'m','reason':'FieldValueForbidden'", List.of("3")),
          new Case(
              INT, "'rule':'self > 3','message':'m','reason':'FieldValueRequired'", List.of("3")),
          new Case(
              INT, "'rule':'self > 3','message':'m','reason':'FieldValueDuplicate'", List.of("3")),
          new Case(
              OBJECT, "'rule':'self.a > 3','fieldPath':'.a','message':'m'", List.of("{'a':1}")),
          new Case(
              OBJECT,
              "'rule':'self.a > 3 && self.b == \\u0027x\\u0027'",
              List.of("{'a':4,'b':'x'}", "{'a':'x'}")));

  /** Rules with functions that only the real server has. */
  static final List<Case> UNEVALUATED =
      List.of(
          test(TEXT, "self.find('[0-9]+') == '12'", "'a12b3'", "'a'"),
          test(TEXT, "self.findAll('[0-9]+').size() == 2", "'a12b3'", "'a'"),
          test(TEXT, "'%s-%d'.format([self, 3]) == 'a-3'", "'a'", "'b'"),
          test(TEXT, "isURL(self) && url(self).getHost() == 'h:80'", "'http://h:80/p'", "'x'"),
          test(TEXT, "url(self).getEscapedPath() == '/p'", "'http://h/p?q=1'", "'::'"),
          test(TEXT, "url(self).getQuery()['q'] == ['1', '2']", "'http://h/p?q=1&q=2'", "'/'"),
          test(
              TEXT,
              "isQuantity(self) && quantity(self).isLessThan(quantity('1Gi'))",
              "'500Mi'",
              "'2Gi'",
              "'x'"),
          test(TEXT, "quantity(self).add(quantity('1')).asInteger() == 3", "'2'", "'2000m'", "'1'"),
          test(TEXT, "quantity(self) == quantity('1k')", "'1000'", "'1e3'", "'1Ki'"),
          test(
              TEXT,
              "isIP(self) && ip(self).family() == 4",
              "'10.0.0.1'",
              "'::1'",
              "'x'",
              "'01.0.0.1'"),
          test(TEXT, "ip(self).isLoopback()", "'127.0.0.1'", "'::1'", "'10.0.0.1'"),
          test(
              TEXT,
              "ip.isCanonical(self)",
              "'2001:db8::abcd'",
              "'2001:DB8::ABCD'",
              "'2001:db8::0:0:0:abcd'"),
          test(TEXT, "cidr('10.0.0.0/8').containsIP(self)", "'10.1.2.3'", "'11.0.0.0'"),
          test(
              TEXT,
              "isCIDR(self) && cidr(self).masked() == cidr(self)",
              "'10.0.0.0/8'",
              "'10.0.0.1/8'",
              "'10.0.0.0/33'"),
          test(TEXT, "!format.dns1123Label().validate(self).hasValue()", "'a-b'", "'A'"),
          test(TEXT, "format.named('uuid').value().validate(self).orValue(['']) == ['']", "'x'"),
          test(INTS, "self.map(x, x * 2).sum() == 6", "[1,2]", "[1]"),
          test(INTS, "self.isSorted() && self.min() == 1 && self.max() == 3", "[1,3]", "[3,1]"),
          test(INTS, "self.indexOf(2) == 1 && self.lastIndexOf(2) == 2", "[1,2,2]", "[2]"),
          test(INTS, "self.min() == 1", "[1]", "[]"));

  /** Rules about the previous value, and pairs of old and new values. */
  static final List<Case> TRANSITIONS =
      List.of(
          new Case(INT, "'rule':'self >= oldSelf','message':'must not shrink'", List.of("1", "2")),
          new Case(INT, "'rule':'self >= oldSelf','message':'must not shrink'", List.of("2", "1")),
          new Case(
              TEXT, "'rule':'self == oldSelf','message':'is immutable'", List.of("'a'", "'b'")),
          new Case(
              INT,
              "'rule':'oldSelf.hasValue() || self > 3','optionalOldSelf':true",
              List.of("4", "1")),
          new Case(
              INT,
              "'rule':'oldSelf.hasValue() || self > 3','optionalOldSelf':true",
              List.of("1", "1")));

  /** Rules that do not compile. */
  static final List<Case> INVALID =
      List.of(
          test(INT, "self.foo == 1"),
          test(OBJECT, "self.foo == 1"),
          test(OBJECT, "self.a == 'x'"),
          test(OBJECT, "self.a"),
          test(INT, "self >"),
          test(INT, "foo(self)"),
          test(INT, "self + 'a' == 'b'"),
          test(TEXT, "self.size() == 'a'"),
          new Case(INT, "'rule':''", List.of()),
          new Case(INT, "'rule':'self > 3','messageExpression':'self'", List.of()),
          new Case(INT, "'rule':'self > 3','optionalOldSelf':true", List.of()));

  /** Returns a definition of one version whose spec has a property for each case. */
  static String definition(String group, List<Case> cases) {
    List<String> properties = new ArrayList<>();
    for (int i = 0; i < cases.size(); i++) {
      properties.add("'p" + i + "':" + cases.get(i).property());
    }
    return HttpProbe.quoted(
            """
            {'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition',
             'metadata':{'name':'rules.%s'},
             'spec':{'group':'%s','scope':'Namespaced','names':{'plural':'rules','kind':'Rule'},
              'versions':[{'name':'v1','served':true,'storage':true,
               'schema':{'openAPIV3Schema':{'type':'object','properties':{
                'spec':{'type':'object','properties':{%s}}}}}}]}}
            """)
        .formatted(group, group, HttpProbe.quoted(String.join(",", properties)));
  }
}
