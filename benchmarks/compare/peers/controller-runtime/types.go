// SPDX-License-Identifier: Apache-2.0

package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// BenchSpec is the desired state.
type BenchSpec struct {
	Text   string `json:"text"`
	SentAt int64  `json:"sentAt,omitempty"`
}

// BenchStatus is the observed state.
type BenchStatus struct {
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
	Ready              bool  `json:"ready,omitempty"`
}

// Bench is the custom resource of the comparison.
type Bench struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   BenchSpec   `json:"spec"`
	Status BenchStatus `json:"status,omitempty"`
}

// DeepCopyObject copies the object.
func (in *Bench) DeepCopyObject() runtime.Object {
	out := &Bench{TypeMeta: in.TypeMeta, Spec: in.Spec, Status: in.Status}
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return out
}

// BenchList is a list of Bench objects.
type BenchList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Bench `json:"items"`
}

// DeepCopyObject copies the list.
func (in *BenchList) DeepCopyObject() runtime.Object {
	out := &BenchList{TypeMeta: in.TypeMeta, Items: make([]Bench, len(in.Items))}
	in.ListMeta.DeepCopyInto(&out.ListMeta)
	for i := range in.Items {
		out.Items[i] = *in.Items[i].DeepCopyObject().(*Bench)
	}
	return out
}

// AddToScheme registers the types.
func AddToScheme(scheme *runtime.Scheme) error {
	version := schema.GroupVersion{Group: "compare.windlass.dev", Version: "v1"}
	scheme.AddKnownTypes(version, &Bench{}, &BenchList{})
	metav1.AddToGroupVersion(scheme, version)
	return nil
}
