import { JsonBounds } from "../../../kernel/json-bounds";
import type { Fault } from "./body";
import { valuesMaxOf } from "./limits";
import type { EventFormat } from "./schema";

/** Returns undefined if the text is not JSON. The limits of the format are checked before (`JsonBounds`). */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Returns the value of a body of one JSON text. */
export function parseBody(text: string, format: EventFormat): { readonly value: unknown } | Fault {
	const excess = new JsonBounds(valuesMaxOf[format]).excessOf(text);
	if (excess !== undefined) return { fault: `The body ${excess}` };
	const value = parseJson(text);
	return value === undefined ? { fault: "The body is not valid JSON" } : { value };
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === "object" && value !== null && !Array.isArray(value);
