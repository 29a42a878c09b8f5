// SPDX-License-Identifier: Apache-2.0

// Command peer is a validating webhook on controller-runtime's webhook server, which looks at one
// field of a typed object.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager/signals"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// Gadget is the validated type.
type Gadget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              GadgetSpec `json:"spec,omitempty"`
}

// GadgetSpec has the field that is looked at, and others.
type GadgetSpec struct {
	Size   int               `json:"size"`
	Labels map[string]string `json:"labels,omitempty"`
	Parts  []Part            `json:"parts,omitempty"`
}

// Part is an element of a list.
type Part struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// DeepCopyObject makes Gadget a runtime.Object.
func (g *Gadget) DeepCopyObject() runtime.Object {
	copied := *g
	g.ObjectMeta.DeepCopyInto(&copied.ObjectMeta)
	return &copied
}

type validator struct{}

func (validator) validate(gadget *Gadget) (admission.Warnings, error) {
	if gadget.Spec.Size < 0 {
		return nil, fmt.Errorf("spec.size must not be negative")
	}
	return nil, nil
}

func (v validator) ValidateCreate(_ context.Context, gadget *Gadget) (admission.Warnings, error) {
	return v.validate(gadget)
}

func (v validator) ValidateUpdate(_ context.Context, _, gadget *Gadget) (admission.Warnings, error) {
	return v.validate(gadget)
}

func (v validator) ValidateDelete(context.Context, *Gadget) (admission.Warnings, error) {
	return nil, nil
}

func main() {
	port := flag.Int("port", 0, "the port to listen on")
	certificates := flag.String("certificates", "", "the directory of tls.crt and tls.key")
	flag.Parse()
	log.SetLogger(logr.Discard())

	scheme := runtime.NewScheme()
	scheme.AddKnownTypes(schema.GroupVersion{Group: "example.com", Version: "v1"}, &Gadget{})
	server := webhook.NewServer(webhook.Options{
		Host:    "127.0.0.1",
		Port:    *port,
		CertDir: *certificates,
	})
	server.Register("/validate-example-com-v1-gadget", admission.WithValidator[*Gadget](scheme, validator{}))
	if err := server.Start(signals.SetupSignalHandler()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
