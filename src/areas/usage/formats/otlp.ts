import type { DimensionValue } from "../rules";
import type { UsageEvent } from "../schema";
import type { Fault } from "./body";
import { isObject, parseBody } from "./json";
import { attributesMax, metricsMax, resourcesMax, stepMax } from "./limits";
import { Rejections } from "./rejected";
import { linesMax } from "./schema";

/** The attributes of a point, or of its resource, that name the customer. */
const customerAttributes = ["tollgate.customer.id", "customer.id"] as const;
const resourceAttribute = "tollgate.resource.id";
const ours: ReadonlySet<string> = new Set([...customerAttributes, resourceAttribute]);

type Json = Readonly<Record<string, unknown>>;
type Attributes = ReadonlyMap<string, DimensionValue>;

/** A point that is an event; messages of later refusals contain `name`. */
export interface Point {
	readonly name: string;
	readonly event: UsageEvent;
}

export interface ReadPoints {
	readonly points: readonly Point[];
	readonly rejected: Rejections;
}

/** The resource, scope and metric that the points of a metric share. */
interface Metric {
	readonly name: string;
	/** Returns the SHA-256 state of the metric's identity, for each point to continue. */
	readonly stream: () => Bun.CryptoHasher;
	readonly resource: Resource;
}

/** The attributes of a resource, read and hashed once for all of its points. */
interface Resource {
	readonly attributes: Attributes;
	readonly fault: string | undefined;
	readonly hash: () => Bun.CryptoHasher;
}

/**
 * Reads the points of an `ExportMetricsServiceRequest` (OTLP 1, JSON) as events. As the protocol requires, each point
 * is accepted or rejected on its own. Only points that state the amount since the last point can be counted: sums and
 * histograms of delta temporality. Reads in steps.
 */
export function* readMetrics(text: string): Generator<void, ReadPoints | Fault> {
	const parsed = parseBody(text, "metrics");
	if ("fault" in parsed) return parsed;
	yield;
	const body = parsed.value;
	if (!isObject(body)) return { fault: "The body is not valid JSON" };
	const resources = listOf(body.resourceMetrics);
	if (resources.length > resourcesMax) return tooMany(resourcesMax, "resources");
	const rejected = new Rejections();
	const points: Point[] = [];
	let [metrics, seen] = [0, 0];
	for (const { metric, data } of metricsIn(resources)) {
		metrics += 1;
		if (metrics > metricsMax) return tooMany(metricsMax, "metrics");
		const each = listOf(data.dataPoints);
		seen += each.length;
		if (seen > linesMax) return tooMany(linesMax, "points");
		const fault = faultOf(metric.name, data) ?? metric.resource.fault;
		for (const point of each) {
			const read = fault ?? pointOf(metric, data, point);
			if (typeof read === "string") rejected.add(read);
			else if (read) points.push(read);
			if ((rejected.points + points.length) % stepMax === 0) yield;
		}
	}
	return { points, rejected };
}

const tooMany = (max: number, things: string): Fault => ({
	fault: `body: holds more than ${max} ${things}; set 'send_batch_max_size' of the collector's batch processor to at most ${linesMax}, or to less`,
});

const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : []);
const objectOf = (value: unknown): Json => (isObject(value) ? value : {});

/** A metric's data, with the name of its kind. */
interface Data extends Json {
	readonly kind: string;
}

const kinds = ["sum", "histogram", "exponentialHistogram", "gauge", "summary"] as const;

function* metricsIn(resources: readonly Json[]): Generator<{ metric: Metric; data: Data }> {
	for (const { resource: sent, scopeMetrics } of resources) {
		const resource = resourceOf(objectOf(sent).attributes);
		for (const { scope, metrics } of listOf(scopeMetrics)) {
			const { name: scopeName, version } = objectOf(scope);
			for (const one of listOf(metrics)) {
				const name = typeof one.name === "string" ? one.name : "";
				const stream = once(() =>
					resource
						.hash()
						.copy()
						.update(jsonOf([scopeName ?? "", version ?? "", name, one.unit ?? ""])),
				);
				for (const kind of kinds)
					if (isObject(one[kind])) yield { metric: { name, stream, resource }, data: { ...one[kind], kind } };
			}
		}
	}
}

function resourceOf(sent: unknown): Resource {
	const attributes = attributesOf(sent);
	if (typeof attributes === "string")
		return { attributes: new Map(), fault: `a resource ${attributes}`, hash: newHash };
	return { attributes, fault: undefined, hash: once(() => newHash().update(`[${JSON.stringify(sorted(attributes))}`)) };
}

const newHash = (): Bun.CryptoHasher => new Bun.CryptoHasher("sha256");

/** Returns the next items of a list in JSON, after others. */
const jsonOf = (items: readonly unknown[]): string => `,${JSON.stringify(items).slice(1, -1)}`;

function once<Value>(make: () => Value): () => Value {
	let made: { readonly value: Value } | undefined;
	return () => {
		made ??= { value: make() };
		return made.value;
	};
}

const sorted = (attributes: Attributes): unknown[] =>
	[...attributes].sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));

function faultOf(name: string, { kind, aggregationTemporality }: Data): string | undefined {
	if (kind === "gauge" || kind === "summary")
		return `'${name}' is a ${kind}, which is no amount that adds up; send sums or histograms`;
	if (aggregationTemporality === 1 || aggregationTemporality === "AGGREGATION_TEMPORALITY_DELTA") return undefined;
	return `'${name}' has cumulative temporality; add the collector's 'cumulativetodelta' processor, or set OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE=delta`;
}

/** The bit of a point that has no recorded value (OTLP, DataPointFlags). */
const noRecordedValue = 1;

/** Returns an event, the reason for rejecting the point, or undefined if it measured nothing. */
function pointOf(metric: Metric, { kind }: Data, point: Json): Point | string | undefined {
	const { name, resource, stream } = metric;
	if ((Number(point.flags ?? 0) & noRecordedValue) !== 0) return undefined;
	const attributes = attributesOf(point.attributes);
	if (typeof attributes === "string") return `'${name}' has a point that ${attributes}`;
	const customerId = firstOf(attributes, customerAttributes) ?? firstOf(resource.attributes, customerAttributes);
	if (customerId === undefined)
		return `'${name}' does not say whose it is; set the attribute '${customerAttributes[0]}' on its points or its resource`;
	const measures = kind === "sum" ? sumOf(point) : histogramOf(point);
	if (measures === undefined) return `'${name}' has a point without a finite number`;
	const at = Number(point.timeUnixNano) / 1e6;
	if (!(at > 0 && at <= lastMs)) return `'${name}' has a point without 'timeUnixNano'`;
	const resourceId = attributes.get(resourceAttribute) ?? resource.attributes.get(resourceAttribute);
	const identity = [sorted(attributes), String(point.startTimeUnixNano ?? ""), String(point.timeUnixNano)];
	const event = {
		eventName: name,
		customerId: String(customerId),
		idempotencyKey: `otlp-${stream()
			.copy()
			.update(`${jsonOf(identity)}]`)
			.digest("base64url")}`,
		...(resourceId !== undefined && { resourceId: String(resourceId) }),
		timestamp: new Date(Math.floor(at)).toISOString(),
		dimensions: dimensionsOf(attributes, measures),
	};
	return { name, event };
}

function dimensionsOf(attributes: Attributes, measures: Measures): Record<string, DimensionValue> {
	const dimensions: Array<readonly [string, DimensionValue]> = [];
	for (const entry of attributes) if (!ours.has(entry[0])) dimensions.push(entry);
	// Names may be any text, also `__proto__`, which an assignment would not turn into a property.
	return Object.fromEntries([...dimensions, ...Object.entries(measures)]);
}

const firstOf = (attributes: Attributes, keys: readonly string[]): DimensionValue | undefined =>
	keys.map((key) => attributes.get(key)).find((value) => value !== undefined);

/** The last millisecond of the year 9999. */
const lastMs = 253_402_300_799_999;

type Measures = Readonly<Record<string, number | string>>;

function sumOf({ asInt, asDouble }: Json): Measures | undefined {
	const value = numberOf(asInt ?? asDouble);
	return value === undefined ? undefined : { value };
}

function histogramOf(point: Json): Measures | undefined {
	const count = numberOf(point.count);
	if (count === undefined) return undefined;
	const rest = (["sum", "min", "max"] as const).flatMap((name) => {
		const value = numberOf(point[name]);
		return value === undefined ? [] : [[name, value] as const];
	});
	return { count, ...Object.fromEntries(rest) };
}

/** 64-bit integers come as texts: a text that no double represents exactly stays a text, which counts exactly too. */
function numberOf(value: unknown): number | string | undefined {
	if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
	if (typeof value !== "string" || !/^-?\d{1,19}$/.test(value)) return undefined;
	return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/**
 * Returns lists and maps as JSON: a dimension is one value. Returns a predicate of their owner if there are too many.
 */
function attributesOf(attributes: unknown): Attributes | string {
	const found = new Map<string, DimensionValue>();
	const sent = listOf(attributes);
	if (sent.length > attributesMax) return `has more than ${attributesMax} attributes; drop some in the collector`;
	for (const { key, value } of sent) {
		const read = typeof key === "string" ? dimensionOf(objectOf(value)) : undefined;
		if (typeof key === "string" && read !== undefined) found.set(key, read);
	}
	return found;
}

function dimensionOf(value: Json): DimensionValue | undefined {
	if (typeof value.stringValue === "string") return value.stringValue;
	if (typeof value.boolValue === "boolean") return value.boolValue;
	const number = numberOf(value.intValue ?? value.doubleValue);
	if (number !== undefined) return number;
	const { stringValue: _, boolValue: __, intValue: ___, doubleValue: ____, ...other } = value;
	return Object.keys(other).length > 0 ? JSON.stringify(other) : undefined;
}
