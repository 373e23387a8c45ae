import { fail } from "../../kernel/errors";
import { EntitlementCheckQuery, type EntitlementQuestion } from "./schema";

/** As for the dimensions of reports. */
const dimensionsMax = 50;

const known: ReadonlySet<string> = new Set(Object.keys(EntitlementCheckQuery.properties));
const bracketed = /^dimensions\[(.+)\]$/;

/** Returns the question of a check's query, with its dimensions. Throws BadUserInput for an unknown parameter. */
export function questionOf({ dimensions: bare, ...query }: EntitlementCheckQuery): EntitlementQuestion {
	const others = Object.keys(query).filter((key) => !known.has(key));
	const unknown = bare === undefined ? others.find((key) => !bracketed.test(key)) : "dimensions";
	if (unknown !== undefined)
		throw fail(
			"BadUserInput",
			unknown.startsWith("dimensions")
				? `query/${unknown}: send each dimension as a parameter of its own, such as dimensions[teamId]=red.`
				: `query/${unknown}: unknown parameter; omit it.`,
		);
	if (others.length === 0) return query;
	if (others.length > dimensionsMax)
		throw fail(
			"BadUserInput",
			`query/dimensions: at most ${dimensionsMax} dimensions; send those that identify entities.`,
		);
	const { featureId, currencyId, resourceId, requestedUsage, requestedValues } = query;
	const dimensions: Record<string, string> = {};
	for (const [key, value] of Object.entries(query)) {
		const [, name] = bracketed.exec(key) ?? [];
		if (name !== undefined) dimensions[name] = `${value}`;
	}
	return { featureId, currencyId, resourceId, requestedUsage, requestedValues, dimensions };
}
