// SPDX-License-Identifier: Apache-2.0

// Command compare is the peer program of controller-runtime. The page ../../README.md describes it.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// record counts reconciles, records distinct keys and latencies, and prints the events.
type record struct {
	mu         sync.Mutex
	expected   int
	keys       map[client.ObjectKey]struct{}
	sent       map[client.ObjectKey]int64
	latencies  []int64
	reconciles int64
	latest     int64
	done       bool
	waits      atomic.Bool
	all        chan event.GenericEvent
}

func emit(value any) {
	line, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(line))
}

func (r *record) begin(key client.ObjectKey, sentAt int64) {
	now := time.Now().UnixMicro()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reconciles++
	r.latest = max(r.latest, now)
	if sentAt > r.sent[key] {
		r.sent[key] = sentAt
		r.latencies = append(r.latencies, now-sentAt)
	}
}

func (r *record) succeed(key client.ObjectKey) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.done {
		return
	}
	r.keys[key] = struct{}{}
	if len(r.keys) >= r.expected {
		r.done = true
		emit(map[string]any{
			"event": "done", "micros": time.Now().UnixMicro(), "reconciles": r.reconciles,
		})
	}
}

func (r *record) reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reconciles = 0
	r.latencies = nil
	emit(map[string]any{"event": "reset"})
}

func (r *record) count() {
	r.mu.Lock()
	defer r.mu.Unlock()
	emit(map[string]any{"reconciles": r.reconciles, "latest": r.latest})
}

func (r *record) stats() {
	runtime.GC()
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	r.mu.Lock()
	defer r.mu.Unlock()
	sorted := slices.Clone(r.latencies)
	slices.Sort(sorted)
	emit(map[string]any{
		"reconciles": r.reconciles,
		"heapBytes":  memory.HeapAlloc,
		"classes":    nil,
		"latencies": map[string]any{
			"count": len(sorted), "p50": rank(sorted, 0.5), "p99": rank(sorted, 0.99), "max": rank(sorted, 1),
		},
	})
}

func rank(sorted []int64, share float64) int64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[int(share*float64(len(sorted)-1)+0.5)]
}

type reconciler struct {
	client.Client
	record   *record
	converge bool
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var bench Bench
	if err := r.Get(ctx, request.NamespacedName, &bench); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if r.record.waits.Load() {
		time.Sleep(100 * time.Millisecond) // for an external call
	}
	r.record.begin(request.NamespacedName, bench.Spec.SentAt)
	if r.converge {
		if err := r.drive(ctx, &bench); err != nil {
			return ctrl.Result{}, err
		}
	}
	r.record.succeed(request.NamespacedName)
	return ctrl.Result{}, nil
}

func (r *reconciler) drive(ctx context.Context, bench *Bench) error {
	child := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: bench.Name, Namespace: bench.Namespace},
	}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, child, func() error {
		child.Data = map[string]string{"text": bench.Spec.Text}
		return controllerutil.SetControllerReference(bench, child, r.Scheme())
	})
	if err != nil {
		return err
	}
	wanted := BenchStatus{Ready: true, ObservedGeneration: bench.Generation}
	if bench.Status == wanted {
		return nil
	}
	bench.Status = wanted
	return r.Status().Update(ctx, bench)
}

func run() error {
	expected, err := strconv.Atoi(os.Args[2])
	if err != nil {
		return err
	}
	workers, err := strconv.Atoi(os.Args[3])
	if err != nil {
		return err
	}
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	config.QPS = -1
	if err := AddToScheme(scheme.Scheme); err != nil {
		return err
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:  scheme.Scheme,
		Metrics: metricsserver.Options{BindAddress: "0"},
	})
	if err != nil {
		return err
	}
	converge := os.Args[1] == "converge"
	state := &record{
		expected: expected,
		keys:     map[client.ObjectKey]struct{}{},
		sent:     map[client.ObjectKey]int64{},
		all:      make(chan event.GenericEvent),
	}
	if os.Args[1] == "idle" {
		if err := idle(manager, state, expected); err != nil {
			return err
		}
		go commands(state)
		return manager.Start(ctrl.SetupSignalHandler())
	}
	builder := ctrl.NewControllerManagedBy(manager).
		For(&Bench{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: workers})
	if converge {
		builder = builder.Owns(&corev1.ConfigMap{})
	}
	if os.Args[1] == "scale" {
		builder = builder.WatchesRawSource(source.Channel(state.all, everything(manager.GetClient())))
	}
	err = builder.Complete(
		&reconciler{Client: manager.GetClient(), record: state, converge: converge})
	if err != nil {
		return err
	}
	go commands(state)
	return manager.Start(ctrl.SetupSignalHandler())
}

// idle adds one controller for each of a number of types.
func idle(manager ctrl.Manager, state *record, types int) error {
	for i := range types {
		object := &unstructured.Unstructured{}
		object.SetAPIVersion("compare.windlass.dev/v1")
		object.SetKind(fmt.Sprintf("Idle%03d", i))
		reconciler := reconcile.Func(func(_ context.Context, request ctrl.Request) (ctrl.Result, error) {
			state.succeed(request.NamespacedName)
			return ctrl.Result{}, nil
		})
		if err := ctrl.NewControllerManagedBy(manager).For(object).Complete(reconciler); err != nil {
			return err
		}
	}
	return nil
}

// everything requests a reconcile of each object.
func everything(objects client.Reader) handler.EventHandler {
	return handler.EnqueueRequestsFromMapFunc(
		func(ctx context.Context, _ client.Object) []ctrl.Request {
			var list BenchList
			if err := objects.List(ctx, &list); err != nil {
				panic(err)
			}
			var requests []ctrl.Request
			for _, bench := range list.Items {
				requests = append(requests, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(&bench)})
			}
			return requests
		})
}

func commands(state *record) {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		switch lines.Text() {
		case "stats":
			state.stats()
		case "reset":
			state.reset()
		case "all":
			state.waits.Store(true)
			state.reset()
			state.all <- event.GenericEvent{Object: &Bench{}}
		case "count":
			state.count()
		case "stop":
			os.Exit(0)
		}
	}
	os.Exit(0)
}

func main() {
	emit(map[string]any{"event": "started", "micros": time.Now().UnixMicro()})
	ctrl.SetLogger(logr.FromSlogHandler(
		slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})))
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
