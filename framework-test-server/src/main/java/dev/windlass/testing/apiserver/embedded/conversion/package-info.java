// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: conversion webhooks, which convert custom resources between the versions of a
 * CustomResourceDefinition.
 */
@NullMarked
package dev.windlass.testing.apiserver.embedded.conversion;

import org.jspecify.annotations.NullMarked;
