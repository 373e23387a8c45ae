import type { DimensionValue } from "../rules";
import type { UsageEvent } from "../schema";
import type { Fault } from "./body";
import { isObject, parseJson } from "./json";
import { Rejections } from "./rejected";
import { linesMax } from "./schema";

/** The attributes of a point, or of the resource that it comes from, which say whose usage it is. Our choice of names. */
const customerAttributes = ["tollgate.customer.id", "customer.id"] as const;
const resourceAttribute = "tollgate.resource.id";
const ours: ReadonlySet<string> = new Set([...customerAttributes, resourceAttribute]);

type Json = Readonly<Record<string, unknown>>;
type Attributes = ReadonlyMap<string, DimensionValue>;

/** A point that is an event; `name` is said in what refuses it later. */
export interface Point {
	readonly name: string;
	readonly event: UsageEvent;
}

export interface ReadPoints {
	readonly points: readonly Point[];
	readonly rejected: Rejections;
}

/** What the points of one metric share. */
interface Metric {
	readonly name: string;
	/** Tells its streams from those of all other metrics. */
	readonly stream: readonly unknown[];
	readonly resource: Attributes;
}

/**
 * The points of an `ExportMetricsServiceRequest` (OTLP 1, JSON) as events. Each point is taken or rejected by itself, as the
 * protocol has it. Only what says how much came since the last point can be counted: sums and histograms of delta
 * temporality.
 */
export function readMetrics(text: string): ReadPoints | Fault {
	const body = parseJson(text);
	if (!isObject(body)) return { fault: "The body is not valid JSON" };
	const rejected = new Rejections();
	const points: Point[] = [];
	let seen = 0;
	for (const { metric, data } of metricsIn(body)) {
		const each = listOf(data.dataPoints);
		seen += each.length;
		if (seen > linesMax)
			return {
				fault: `body: holds more than ${linesMax} points; set 'send_batch_max_size' of the collector's batch processor to at most ${linesMax}`,
			};
		const fault = faultOf(metric.name, data);
		for (const point of each) {
			const read = fault ?? pointOf(metric, data, point);
			if (typeof read === "string") rejected.add(read);
			else if (read) points.push(read);
		}
	}
	return { points, rejected };
}

const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : []);
const objectOf = (value: unknown): Json => (isObject(value) ? value : {});

/** A metric's data, with the name of its kind. */
interface Data extends Json {
	readonly kind: string;
}

const kinds = ["sum", "histogram", "exponentialHistogram", "gauge", "summary"] as const;

function* metricsIn(body: Json): Generator<{ metric: Metric; data: Data }> {
	for (const { resource, scopeMetrics } of listOf(body.resourceMetrics)) {
		const attributes = attributesOf(objectOf(resource).attributes);
		for (const { scope, metrics } of listOf(scopeMetrics)) {
			const { name: scopeName, version } = objectOf(scope);
			for (const one of listOf(metrics)) {
				const name = typeof one.name === "string" ? one.name : "";
				const stream = [sorted(attributes), scopeName ?? "", version ?? "", name, one.unit ?? ""];
				for (const kind of kinds)
					if (isObject(one[kind]))
						yield { metric: { name, stream, resource: attributes }, data: { ...one[kind], kind } };
			}
		}
	}
}

const sorted = (attributes: Attributes): unknown[] =>
	[...attributes].sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));

function faultOf(name: string, { kind, aggregationTemporality }: Data): string | undefined {
	if (kind === "gauge" || kind === "summary")
		return `'${name}' is a ${kind}, which is no amount that adds up; send sums or histograms`;
	if (aggregationTemporality === 1 || aggregationTemporality === "AGGREGATION_TEMPORALITY_DELTA") return undefined;
	return `'${name}' has cumulative temporality; add the collector's 'cumulativetodelta' processor, or set OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE=delta`;
}

/** Source: OTLP, DataPointFlags: the bit of a point that says only that there is none. */
const noRecordedValue = 1;

/** An event, the reason why it is none, or undefined where nothing was measured. */
function pointOf(metric: Metric, { kind }: Data, point: Json): Point | string | undefined {
	const { name, resource, stream } = metric;
	if ((Number(point.flags ?? 0) & noRecordedValue) !== 0) return undefined;
	const attributes = attributesOf(point.attributes);
	const customerId = firstOf(attributes, customerAttributes) ?? firstOf(resource, customerAttributes);
	if (customerId === undefined)
		return `'${name}' does not say whose it is; set the attribute '${customerAttributes[0]}' on its points or its resource`;
	const measures = kind === "sum" ? sumOf(point) : histogramOf(point);
	if (measures === undefined) return `'${name}' has a point without a finite number`;
	const at = Number(point.timeUnixNano) / 1e6;
	if (!(at > 0 && at <= lastMs)) return `'${name}' has a point without 'timeUnixNano'`;
	const resourceId = attributes.get(resourceAttribute) ?? resource.get(resourceAttribute);
	const identity = [...stream, sorted(attributes), String(point.startTimeUnixNano ?? ""), String(point.timeUnixNano)];
	const event = {
		eventName: name,
		customerId: String(customerId),
		idempotencyKey: `otlp-${new Bun.CryptoHasher("sha256").update(JSON.stringify(identity)).digest("base64url")}`,
		...(resourceId !== undefined && { resourceId: String(resourceId) }),
		timestamp: new Date(Math.floor(at)).toISOString(),
		dimensions: { ...Object.fromEntries([...attributes].filter(([key]) => !ours.has(key))), ...measures },
	};
	return { name, event };
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

/** 64-bit integers come as texts: one that no double names exactly stays a text, which counts exactly too. */
function numberOf(value: unknown): number | string | undefined {
	if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
	if (typeof value !== "string" || !/^-?\d{1,19}$/.test(value)) return undefined;
	return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** Lists and maps as JSON: a dimension is one value. */
function attributesOf(attributes: unknown): Attributes {
	const found = new Map<string, DimensionValue>();
	for (const { key, value } of listOf(attributes)) {
		if (typeof key !== "string") continue;
		const { stringValue, boolValue, intValue, doubleValue, ...other } = objectOf(value);
		const number = numberOf(intValue ?? doubleValue);
		if (typeof stringValue === "string") found.set(key, stringValue);
		else if (typeof boolValue === "boolean") found.set(key, boolValue);
		else if (number !== undefined) found.set(key, number);
		else if (Object.keys(other).length > 0) found.set(key, JSON.stringify(other));
	}
	return found;
}
