// SPDX-License-Identifier: Apache-2.0

// Command real-apiserver is etcd, kube-apiserver and kube-controller-manager in one file: the name
// that it is started under says which of the three it is. One file, because the three share most of
// their code, which is then compiled, linked, stored and paged in once.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
)

func main() {
	switch name := filepath.Base(os.Args[0]); name {
	case "etcd":
		etcdmain.Main(os.Args)
	case "kube-apiserver":
		runAndExit(apiserver.NewAPIServerCommand())
	case "kube-controller-manager":
		runAndExit(controllermanager.NewControllerManagerCommand())
	default:
		fmt.Fprintf(os.Stderr, "started as %q; link this file as etcd, kube-apiserver or kube-controller-manager and start the link\n", name)
		os.Exit(2)
	}
}

func runAndExit(command *cobra.Command) {
	os.Exit(cli.Run(command))
}
