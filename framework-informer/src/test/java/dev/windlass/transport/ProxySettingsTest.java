// SPDX-License-Identifier: Apache-2.0
package dev.windlass.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.scheduling.Scheduler;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The right values are those of Go's golang.org/x/net/http/httpproxy, which kubectl uses. */
final class ProxySettingsTest {

  private static final SocketTransport OWN = new SocketTransport(Scheduler.system());

  private static Config config(String server, String proxy, String... without) {
    Config config = Config.empty();
    config.setMasterUrl(server);
    config.setHttpsProxy(proxy);
    config.setHttpProxy("http://other:1");
    config.setNoProxy(without);
    return config;
  }

  @ParameterizedTest
  @CsvSource({
    "api.example.com, *, true",
    "api.example.com, 'a , * ', true",
    "api.example.com, *.example.com, true",
    "api.example.com, .example.com, true",
    "api.example.com, example.com, true",
    "api.example.com, ' EXAMPLE.com ', true",
    "API.example.com, example.com:443, true",
    "api.example.com:6443, example.com:443, false",
    "api.example.com:6443, .example.com:6443, true",
    "example.com, *.example.com, false",
    "example.com, .example.com, false",
    "badexample.com, example.com, false",
    "api.example.com, 'api, ,:6443,example.*', false",
    "build_agent:6443, build_agent, true",
    "10.1.2.3, 'build_agent,10.1.2.3', true",
    "10.1.2.3, ' 10.0.0.0/8 , 127.0.0.1 ', true",
    "10.1.2.3, 10.1.2.0/25, true",
    "10.1.2.130, 10.1.2.0/25, false",
    "10.1.2.3:6443, 10.1.2.3:6443, true",
    "10.1.2.3:6443, 10.1.2.3:6444, false",
    "10.1.2.3, '10.0.0.0/33,10.0.0.0/,10.0.0.0/x,name/8,1.2.3.4.5', false",
    "10.1.2.3, 10.0.0.0/0, true",
    "[fd00::1], fd00::/8, true",
    "[fd00::1], 10.0.0.0/8, false",
    "[fd00::1]:6443, fd00::1, true",
    "[fd00::1]:6443, [fd00::1], true",
    "[fd00::1]:6443, [fd00::1]:6443, true",
    "[fd00::1]:6443, [fd00:0:0::1]:6444, false",
    "10.1.2.3, '', false"
  })
  void followKubectlsRuleForExceptions(String host, String without, boolean direct) {
    Config config = config("https://" + host + "/", "http://proxy:3128", without.split(","));
    ProxySettings.reduce(config, OWN);
    assertThat(config.getHttpsProxy()).isEqualTo(direct ? null : "http://proxy:3128");
    assertThat(config.getHttpProxy()).isEqualTo(config.getHttpsProxy());
    assertThat(config.getNoProxy()).isNullOrEmpty();
    OWN.newBuilder(config); // fabric8 accepts the result
  }

  @ParameterizedTest
  @CsvSource({
    "proxy:3128, http://proxy:3128",
    "' http://proxy ', http://proxy:80",
    "https://proxy, https://proxy:443",
    "HTTPS://proxy, https://proxy:443",
    "socks5h://proxy, socks5://proxy:1080",
    "http://[::1]:3128, http://[::1]:3128",
    "http://robot:p%40ss@proxy:3128/, http://robot:p%40ss@proxy:3128"
  })
  void completeTheAddressOfAProxy(String given, String complete) {
    Config config = config("https://api.example.com/", given);
    ProxySettings.reduce(config, OWN);
    assertThat(config.getHttpsProxy()).isEqualTo(complete);
    SocketClientBuilder builder = (SocketClientBuilder) OWN.newBuilder(config);
    assertThat(builder.secureProxy).isEqualTo(complete.startsWith("https:"));
  }

  @Test
  void distinguishServersWithAndWithoutTls() {
    Config config = config("http://api.example.com/", "https://proxy");
    ProxySettings.reduce(config, OWN);
    assertThat(config.getHttpProxy()).isEqualTo("http://other:1");
  }

  @ParameterizedTest
  @CsvSource({"ftp://u:secret@proxy", "http://u:secret@my proxy", "u:secret@my_proxy:1"})
  void areRefusedWithoutThePassword(String proxy) {
    assertThatThrownBy(() -> ProxySettings.reduce(config("https://api.example/", proxy), OWN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is not the address of a proxy")
        .hasMessageContaining("proxy-url")
        .hasMessageNotContaining("secret")
        .hasNoCause();
  }

  @Test
  void refuseAProxyToWhichTheTransportWouldSendClearText() {
    HttpClient.Factory other = OWN::newBuilder;
    assertThatThrownBy(
            () -> ProxySettings.reduce(config("https://api.example/", "https://u:secret@p"), other))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the proxy 'https://p' expects TLS")
        .hasMessageContaining("use a proxy with http");
  }
}
