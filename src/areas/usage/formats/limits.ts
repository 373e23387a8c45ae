import type { EventFormat } from "./schema";

/**
 * These limits hold for every format. They bound how long a body of 8 MiB occupies the thread that writes the log: less
 * than 50 ms for each step of reading it, and less than 50 ms for writing it. Our choices
 * (docs/interface/usage.md#events).
 */

/** Lines or points that one step reads. */
export const stepMax = 2000;

/** Empty lines in a body of NDJSON. */
export const emptyLinesMax = 10_000;

/** Values in all lists and objects of a body. A thousand events may have 69 dimensions each, ten thousand lines 44, as many points ten attributes. */
export const valuesMaxOf: Readonly<Record<EventFormat, number>> = {
	report: 75_000,
	cloudevent: 75_000,
	cloudevents: 75_000,
	ndjson: 500_000,
	metrics: 500_000,
};

/** Dimension names of a request, once for each list of names in an order of its own. */
export const dimensionNamesMax = 50_000;

/** Resources in a body of metrics: each is an instance of a program. */
export const resourcesMax = 1000;

/** Metrics in a body, with points or without. */
export const metricsMax = 10_000;

/** Attributes of a resource or of a point: the default limit of OpenTelemetry's SDKs for spans. */
export const attributesMax = 128;
