// SPDX-License-Identifier: Apache-2.0

//! The peer program of kube-rs. The page ../../README.md describes it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::BufRead;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures::StreamExt;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{ApiResource, DynamicObject, GroupVersionKind, ObjectMeta, Patch, PatchParams};
use kube::runtime::controller::{Action, Config, Controller};
use kube::runtime::{reflector, watcher, WatchStreamExt};
use kube::{Api, Client, CustomResource, Resource, ResourceExt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[kube(
    group = "compare.windlass.dev",
    version = "v1",
    kind = "Bench",
    plural = "benches",
    namespaced,
    status = "BenchStatus"
)]
#[serde(rename_all = "camelCase")]
struct BenchSpec {
    text: String,
    #[serde(default)]
    sent_at: i64,
}

#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct BenchStatus {
    #[serde(default)]
    observed_generation: i64,
    #[serde(default)]
    ready: bool,
}

/// Counts reconciles, records distinct keys and latencies, and prints the events.
struct Record {
    expected: usize,
    keys: HashSet<(String, String)>,
    sent: HashMap<(String, String), i64>,
    latencies: Vec<i64>,
    reconciles: u64,
    done: bool,
}

fn micros() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("the clock is set")
        .as_micros() as i64
}

fn rank(sorted: &[i64], share: f64) -> i64 {
    if sorted.is_empty() {
        return 0;
    }
    sorted[(share * (sorted.len() - 1) as f64).round() as usize]
}

impl Record {
    fn begin(&mut self, key: &(String, String), sent_at: i64) {
        self.reconciles += 1;
        let last = self.sent.get(key).copied().unwrap_or(0);
        if sent_at > last {
            self.latencies.push(micros() - sent_at);
            self.sent.insert(key.clone(), sent_at);
        }
    }

    fn succeed(&mut self, key: (String, String)) {
        if self.done {
            return;
        }
        self.keys.insert(key);
        if self.keys.len() >= self.expected {
            self.done = true;
            println!(
                "{}",
                json!({"event": "done", "micros": micros(), "reconciles": self.reconciles})
            );
        }
    }

    fn reset(&mut self) {
        self.reconciles = 0;
        self.latencies.clear();
        println!("{}", json!({"event": "reset"}));
    }

    fn stats(&self) {
        let mut sorted = self.latencies.clone();
        sorted.sort_unstable();
        println!(
            "{}",
            json!({
                "reconciles": self.reconciles,
                "heapBytes": null,
                "classes": null,
                "latencies": {
                    "count": sorted.len(),
                    "p50": rank(&sorted, 0.5),
                    "p99": rank(&sorted, 0.99),
                    "max": rank(&sorted, 1.0),
                },
            })
        );
    }
}

struct Context {
    client: Client,
    record: Arc<Mutex<Record>>,
    converge: bool,
}

async fn reconcile(bench: Arc<Bench>, context: Arc<Context>) -> Result<Action, kube::Error> {
    let key = (bench.namespace().unwrap_or_default(), bench.name_any());
    context
        .record
        .lock()
        .expect("no holder panics")
        .begin(&key, bench.spec.sent_at);
    if context.converge {
        drive(&bench, &key, &context.client).await?;
    }
    context.record.lock().expect("no holder panics").succeed(key);
    Ok(Action::await_change())
}

async fn drive(bench: &Bench, key: &(String, String), client: &Client) -> Result<(), kube::Error> {
    let child = ConfigMap {
        metadata: ObjectMeta {
            namespace: Some(key.0.clone()),
            name: Some(key.1.clone()),
            owner_references: bench.controller_owner_ref(&()).map(|owner| vec![owner]),
            ..ObjectMeta::default()
        },
        data: Some(BTreeMap::from([("text".to_owned(), bench.spec.text.clone())])),
        ..ConfigMap::default()
    };
    let children: Api<ConfigMap> = Api::namespaced(client.clone(), &key.0);
    let params = PatchParams::apply("compare.windlass.dev");
    children.patch(&key.1, &params, &Patch::Apply(&child)).await?;

    let wanted = BenchStatus {
        observed_generation: bench.metadata.generation.unwrap_or_default(),
        ready: true,
    };
    if bench.status.as_ref() != Some(&wanted) {
        let benches: Api<Bench> = Api::namespaced(client.clone(), &key.0);
        let status = Patch::Merge(json!({ "status": wanted }));
        benches
            .patch_status(&key.1, &PatchParams::default(), &status)
            .await?;
    }
    Ok(())
}

fn error_policy(bench: Arc<Bench>, error: &kube::Error, _: Arc<Context>) -> Action {
    tracing::warn!("failed to reconcile {}: {error}", bench.name_any());
    Action::requeue(Duration::from_secs(1))
}

/// One watcher with a cache for each of a number of types.
async fn idle(
    client: Client,
    record: Arc<Mutex<Record>>,
    types: usize,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut watchers = Vec::new();
    for i in 0..types {
        let kind = format!("Idle{i:03}");
        let plural = format!("idle{i:03}s");
        let resource = ApiResource::from_gvk_with_plural(
            &GroupVersionKind::gvk("compare.windlass.dev", "v1", &kind),
            &plural,
        );
        let writer = reflector::store::Writer::new(resource.clone());
        let objects = Api::<DynamicObject>::all_with(client.clone(), &resource);
        let record = record.clone();
        let stream = reflector::reflector(writer, watcher(objects, watcher::Config::default()));
        watchers.push(tokio::spawn(stream.default_backoff().applied_objects().for_each(move |object| {
            if let Ok(object) = object {
                let key = (object.namespace().unwrap_or_default(), object.name_any());
                record.lock().expect("no holder panics").succeed(key);
            }
            std::future::ready(())
        })));
    }
    futures::future::join_all(watchers).await;
    Ok(())
}

fn commands(record: &Mutex<Record>) -> ! {
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let mut record = record.lock().expect("no holder panics");
        match line.as_str() {
            "stats" => record.stats(),
            "reset" => record.reset(),
            _ => break,
        }
    }
    std::process::exit(0)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("{}", json!({"event": "started", "micros": micros()}));
    tracing_subscriber::fmt()
        .with_max_level(tracing::Level::WARN)
        .with_writer(std::io::stderr)
        .init();
    let arguments: Vec<String> = std::env::args().collect();
    let converge = arguments[1] == "converge";
    let expected: usize = arguments[2].parse()?;
    let workers: u16 = arguments[3].parse()?;
    let record = Arc::new(Mutex::new(Record {
        expected,
        keys: HashSet::new(),
        sent: HashMap::new(),
        latencies: Vec::new(),
        reconciles: 0,
        done: false,
    }));
    let commanded = record.clone();
    std::thread::spawn(move || commands(&commanded));

    let client = Client::try_default().await?;
    if arguments[1] == "idle" {
        return idle(client, record, expected).await;
    }
    let mut controller = Controller::new(Api::<Bench>::all(client.clone()), watcher::Config::default())
        .with_config(Config::default().concurrency(workers));
    if converge {
        controller = controller.owns(Api::<ConfigMap>::all(client.clone()), watcher::Config::default());
    }
    let context = Arc::new(Context { client, record, converge });
    controller
        .run(reconcile, error_policy, context)
        .for_each(|_| std::future::ready(()))
        .await;
    Ok(())
}
