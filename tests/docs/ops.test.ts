import { expect, test } from "bun:test";
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { describeSettings } from "../../src/config/config";
import { definitionOf, definitions, type MetricName } from "../../src/kernel/metrics/definitions";
import { testsFolder } from "../support/folders";

const root = resolve(import.meta.dir, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

interface Rule {
	readonly alert: string;
	readonly expr: string;
	readonly for: string;
	readonly labels: { readonly severity: string };
	readonly annotations: { readonly summary: string; readonly runbook: string };
}

const rules: Rule[] = parse(read("ops/prometheus/alerts.yaml")).groups.flatMap(
	({ rules: all }: { rules: Rule[] }) => all,
);
const dashboard = JSON.parse(read("ops/grafana/tollgate.json"));
const expressions: string[] = [
	...rules.map(({ expr }) => expr),
	...dashboard.panels.flatMap(({ targets }: { targets: { expr: string }[] }) => targets.map(({ expr }) => expr)),
];

/** The metrics that an expression names, without the endings of the series of a histogram. */
const metricsIn = (expression: string) =>
	[...expression.matchAll(/tollgate_\w+/g)].map(([name]) =>
		name in definitions ? name : name.replace(/_(bucket|sum|count)$/, ""),
	);

test("alerts and the dashboard use metrics that exist, with labels that they have", () => {
	const unknown = expressions.flatMap(metricsIn).filter((name) => !(name in definitions));
	expect(unknown).toEqual([]);
	for (const expression of expressions) {
		const labels = new Set(metricsIn(expression).flatMap((name) => definitionOf(name as MetricName).labels));
		const used = [
			...[...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(",")),
			...[...expression.matchAll(/[{,]\s*(\w+)=/g)].map(([, name = ""]) => name),
		].map((name) => name.trim());
		const known = [...labels, "le", "job"];
		expect({ expression, unknown: used.filter((name) => !known.includes(name)) }).toEqual({ expression, unknown: [] });
	}
});

test("each alert has a time, a severity, a sentence and a section of the runbooks; no section is left over", () => {
	const sections = [...read("docs/runbooks.md").matchAll(/^### (\w+)$/gm)].map(([, name = ""]) => name);
	expect(rules.map(({ alert }) => alert)).toEqual(sections);
	for (const { alert, for: duration, labels, annotations } of rules) {
		expect(annotations.runbook).toBe(`docs/runbooks.md#${alert.toLowerCase()}`);
		expect(annotations.summary).toEndWith(".");
		expect(duration).toMatch(/^\d+[mh]$/);
		expect(["warning", "critical"]).toContain(labels.severity);
	}
});

test("the dashboard has panels with titles of their own that do not overlap", () => {
	const places = dashboard.panels.map(({ gridPos: { x, y } }: { gridPos: { x: number; y: number } }) => `${x} ${y}`);
	expect(new Set(places).size).toBe(places.length);
	expect(new Set(dashboard.panels.map(({ title }: { title: string }) => title)).size).toBe(places.length);
});

test("the Compose file sets known settings only", () => {
	const { services } = parse(read("ops/compose/compose.yaml"));
	const names = Object.keys(services.tollgate.environment).map((name) => name.replace(/_FILE$/, ""));
	const known = [...describeSettings().matchAll(/^ {2}(TOLLGATE_\w+)/gm)].map(([, name]) => name);
	expect(names.filter((name) => !known.includes(name))).toEqual([]);
	expect(services.tollgate).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
});

const chart = "ops/helm/tollgate";

/** Renders a template of the chart as Helm does, for the few functions that the chart uses; fails on any other. */
function rendered(name: string) {
	const values = { ...parse(read(`${chart}/values.yaml`)) };
	const lookUp = (path: string): unknown =>
		path.split(".").reduce((found: unknown, key) => (found as Record<string, unknown> | undefined)?.[key], values);
	const text = read(`${chart}/templates/${name}.yaml`).replaceAll(/\{\{ (.*?) \}\}/g, (_, expression: string) => {
		if (expression === ".Release.Name") return "billing";
		const [, toYaml, path = ""] = /^(toYaml )?\.Values\.([\w.]+)(?: \| (nindent 2|quote))?$/.exec(expression) ?? [];
		const value = lookUp(path);
		expect({ expression, isKnown: value !== undefined }).toEqual({ expression, isKnown: true });
		if (toYaml !== undefined) return JSON.stringify(value);
		return String(value);
	});
	return parse(text);
}

test("the Helm chart runs one server that nobody else writes with, and waits for an upgrade", async () => {
	const { spec } = rendered("deployment");
	const pod = spec.template.spec;
	const [container] = pod.containers;
	expect(spec).toMatchObject({ replicas: 1, strategy: { type: "Recreate" } });
	expect(pod).toMatchObject({ enableServiceLinks: false, securityContext: { runAsNonRoot: true, runAsUser: 10_001 } });
	expect(read("Dockerfile")).toContain("USER 10001:10001");
	expect(container).toMatchObject({
		image: "tollgate:latest",
		securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
		startupProbe: { httpGet: { path: "/readyz", port: "http" }, periodSeconds: 10, failureThreshold: 360 },
		livenessProbe: { httpGet: { path: "/healthz" } },
		readinessProbe: { httpGet: { path: "/readyz" } },
	});
	const mounted = container.volumeMounts.map(({ name }: { name: string }) => name);
	expect(pod.volumes.map(({ name }: { name: string }) => name)).toEqual(mounted);
	expect(pod.volumes[0].persistentVolumeClaim.claimName).toBe(rendered("claim").metadata.name);
	expect(container.envFrom[0].configMapRef.name).toBe(rendered("settings").metadata.name);
	expect(rendered("service").spec.selector).toEqual(spec.selector.matchLabels);
	expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels);
	const known = [...describeSettings().matchAll(/^ {2}(TOLLGATE_\w+)/gm)].map(([, name]) => name);
	expect(Object.keys(rendered("settings").data).filter((name) => !known.includes(name))).toEqual([]);
	expect(parse(read(`${chart}/Chart.yaml`)).appVersion).toBe(JSON.parse(read("package.json")).version);
	await runIfThere("helm", ["template", "billing", join(root, chart)]);
});

/** Runs a program that a machine may lack, and says so. */
async function runIfThere(program: string, args: readonly string[]): Promise<string | undefined> {
	if (Bun.which(program) === null) {
		process.stdout.write(`skipped: this machine has no ${program}\n`);
		return undefined;
	}
	const child = Bun.spawn([program, ...args], { stdout: "pipe", stderr: "pipe" });
	const [output, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
	expect({ program, status: await child.exited, errors }).toEqual({ program, status: 0, errors: expect.any(String) });
	return `${output}${errors}`;
}

test("systemd accepts the unit, and rates its exposure at 1.5 at most", async () => {
	const folder = mkdtempSync(join(testsFolder, "unit-"));
	const program = join(folder, "tollgate");
	writeFileSync(program, "");
	chmodSync(program, 0o755);
	const unit = join(folder, "tollgate.service");
	writeFileSync(unit, read("ops/systemd/tollgate.service").replace("/usr/local/bin/tollgate", program));
	await runIfThere("systemd-analyze", ["verify", unit]);
	const rated = await runIfThere("systemd-analyze", ["security", "--offline=true", "--no-pager", unit]);
	if (rated !== undefined)
		expect(Number(/Overall exposure level[^:]*: ([\d.]+)/.exec(rated)?.[1])).toBeLessThanOrEqual(1.5);
	rmSync(folder, { recursive: true });
});

test("the proxies accept their files, and pass the largest batch", async () => {
	expect(read("ops/nginx/tollgate.conf")).toContain("client_max_body_size 8m;");
	expect(read("ops/caddy/Caddyfile")).toContain("max_size 8MiB");
	const file = join(mkdtempSync(join(testsFolder, "caddy-")), "Caddyfile");
	copyFileSync(join(root, "ops/caddy/Caddyfile"), file);
	await runIfThere("caddy", ["validate", "--config", file, "--adapter", "caddyfile"]);
	await runIfThere("promtool", ["check", "rules", join(root, "ops/prometheus/alerts.yaml")]);
});
