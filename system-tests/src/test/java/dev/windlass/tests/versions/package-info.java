// SPDX-License-Identifier: Apache-2.0
/** Versions of a custom resource: conversion webhooks, and generated tests of conversions. */
@NullMarked
package dev.windlass.tests.versions;

import org.jspecify.annotations.NullMarked;
