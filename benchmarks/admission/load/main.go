// SPDX-License-Identifier: Apache-2.0

// Command load starts a webhook server and measures it over 50 connections: first its CPU and its
// latency at a fixed rate, then the requests per second that it can answer.
package main

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"flag"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

const connections = 50

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// certificate writes a certificate for 127.0.0.1 and returns the pool that trusts it.
func certificate(directory string) *x509.CertPool {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(err)
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "webhook"},
		NotBefore:             time.Now().Add(-time.Minute),
		NotAfter:              time.Now().Add(24 * time.Hour),
		IPAddresses:           []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA:                  true,
		BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	check(err)
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	check(err)
	chain := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	check(os.WriteFile(filepath.Join(directory, "tls.crt"), chain, 0o600))
	check(os.WriteFile(filepath.Join(directory, "tls.key"),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600))
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(chain)
	return pool
}

// review is the body of a request: an object of about 1.3 KB.
func review() []byte {
	parts := []map[string]string{}
	for i := range 10 {
		parts = append(parts, map[string]string{
			"name": fmt.Sprintf("part-%d", i), "value": strings.Repeat("x", 80)})
	}
	resource := map[string]string{"group": "example.com", "version": "v1", "resource": "gadgets"}
	kind := map[string]string{"group": "example.com", "version": "v1", "kind": "Gadget"}
	body, err := json.Marshal(map[string]any{
		"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
		"request": map[string]any{
			"uid": "705ab4f5-6393-11e8-b7cc-42010a800002", "kind": kind, "resource": resource,
			"requestKind": kind, "requestResource": resource,
			"name": "one", "namespace": "default", "operation": "CREATE",
			"userInfo": map[string]any{"username": "admin", "groups": []string{"system:masters"}},
			"object": map[string]any{
				"apiVersion": "example.com/v1", "kind": "Gadget",
				"metadata": map[string]any{"name": "one", "namespace": "default"},
				"spec":     map[string]any{"size": 3, "parts": parts},
			},
			"dryRun": false,
		},
	})
	check(err)
	return body
}

// cpu returns the CPU time that a process has used.
func cpu(pid int) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	check(err)
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+2:]))
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

type load struct {
	clients []*http.Client
	url     string
	body    []byte
	failed  atomic.Int64
}

func (l *load) call(client *http.Client) {
	answer, err := client.Post(l.url, "application/json", bytes.NewReader(l.body))
	if err != nil {
		l.failed.Add(1)
		return
	}
	text, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil || answer.StatusCode != 200 || !bytes.Contains(text, []byte(`"allowed":true`)) {
		l.failed.Add(1)
	}
}

// atRate sends requests at a fixed rate and returns their latencies, sorted.
func (l *load) atRate(perSecond int, length time.Duration) []time.Duration {
	number := int(length.Seconds() * float64(perSecond))
	latencies := make([]time.Duration, number)
	var group sync.WaitGroup
	begun := time.Now()
	for i := range number {
		due := begun.Add(time.Duration(i) * time.Second / time.Duration(perSecond))
		time.Sleep(time.Until(due))
		group.Add(1)
		go func() {
			defer group.Done()
			l.call(l.clients[i%len(l.clients)])
			latencies[i] = time.Since(due)
		}()
	}
	group.Wait()
	slices.Sort(latencies)
	return latencies
}

// most sends requests on all connections as fast as they are answered.
func (l *load) most(length time.Duration) int64 {
	var group sync.WaitGroup
	var number atomic.Int64
	until := time.Now().Add(length)
	for _, client := range l.clients {
		group.Add(1)
		go func() {
			defer group.Done()
			for time.Now().Before(until) {
				l.call(client)
				number.Add(1)
			}
		}()
	}
	group.Wait()
	return number.Load()
}

func main() {
	name := flag.String("name", "", "the name to print")
	length := flag.Duration("length", 20*time.Second, "the length of each measurement")
	rate := flag.Int("rate", 200, "requests per second")
	flag.Parse()

	directory, err := os.MkdirTemp("", "admission")
	check(err)
	defer os.RemoveAll(directory)
	pool := certificate(directory)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	port := listener.Addr().(*net.TCPAddr).Port
	listener.Close()

	arguments := append(flag.Args()[1:],
		fmt.Sprintf("--port=%d", port), "--certificates="+directory)
	server := exec.Command(flag.Arg(0), arguments...)
	server.Stderr = os.Stderr
	check(server.Start())
	defer server.Wait()
	defer server.Process.Signal(syscall.SIGTERM)

	l := &load{url: fmt.Sprintf("https://127.0.0.1:%d/validate-example-com-v1-gadget?timeout=5s", port), body: review()}
	for range connections {
		l.clients = append(l.clients, &http.Client{Transport: &http.Transport{
			TLSClientConfig:   &tls.Config{RootCAs: pool},
			ForceAttemptHTTP2: true,
			MaxConnsPerHost:   1,
		}})
	}
	for begun := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		l.failed.Store(0)
		l.call(l.clients[0])
		if l.failed.Load() == 0 {
			break
		}
		if time.Since(begun) > 30*time.Second {
			check(fmt.Errorf("%s does not answer", *name))
		}
	}
	l.atRate(*rate, *length) // warm up
	before := cpu(server.Process.Pid)
	latencies := l.atRate(*rate, *length)
	used := cpu(server.Process.Pid) - before
	l.most(*length / 2) // warm up
	number := l.most(*length)
	fmt.Printf("%s p50_us=%d p99_us=%d cpu_us_per_request=%d requests_per_s=%d failed=%d\n",
		*name,
		latencies[len(latencies)/2].Microseconds(),
		latencies[len(latencies)*99/100].Microseconds(),
		used.Microseconds()/int64(len(latencies)),
		number/int64(length.Seconds()),
		l.failed.Load())
}
