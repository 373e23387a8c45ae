import type { ErrorCode } from "./error-codes";
import { fail } from "./errors";

/**
 * A field of the interface that Tollgate does not support. Accepting and ignoring it would mislead, so Tollgate refuses it, unless its value
 * requests nothing.
 */
export interface Unsupported {
	/** Names joined by dots; `[]` behind a name is each element of that list. */
	readonly path: string;
	/** The only refused value; without it, every value that requests something. */
	readonly value?: string;
	readonly code: ErrorCode;
	/** The reason, and the alternative. */
	readonly why: string;
}

/** Refuses the first field of the body that requests something unsupported, with the code of the field. */
export function assertSupported(body: unknown, fields: readonly Unsupported[]): void {
	for (const { path, value, code, why } of fields)
		for (const found of valuesAt(body, path.split("."), "body"))
			if (value === undefined ? asksForSomething(found.value) : found.value === value)
				throw fail(code, `${found.where}: ${why}`);
}

interface Found {
	readonly where: string;
	readonly value: unknown;
}

function valuesAt(within: unknown, [step, ...rest]: readonly string[], where: string): Found[] {
	if (step === undefined) return [{ where, value: within }];
	const name = step.replace("[]", "");
	const value = isRecord(within) ? within[name] : undefined;
	const place = `${where}/${name}`;
	if (!step.endsWith("[]")) return valuesAt(value, rest, place);
	return Array.isArray(value) ? value.flatMap((element, at) => valuesAt(element, rest, `${place}/${at}`)) : [];
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a value requests something: it is present and neither null, false nor empty. */
const asksForSomething = (value: unknown): boolean =>
	value !== undefined &&
	value !== null &&
	value !== false &&
	value !== "" &&
	(typeof value !== "object" || Object.keys(value).length > 0);
