import type { ErrorCode } from "./error-codes";
import { fail } from "./errors";

/**
 * A field of the interface that nothing here could carry out. To take it and do nothing would be to lie, so it is refused,
 * unless its value asks for nothing.
 */
export interface Unsupported {
	/** Names joined by dots; `[]` behind a name is each element of that list. */
	readonly path: string;
	/** The one value that is refused; without it every value that asks for something. */
	readonly value?: string;
	readonly code: ErrorCode;
	/** Why, and what to do instead. */
	readonly why: string;
}

/** Refuses the first field of the body that asks for what cannot be carried out, with that field's code. */
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

/** Absent, null, false, and what is empty ask for nothing. */
const asksForSomething = (value: unknown): boolean =>
	value !== undefined &&
	value !== null &&
	value !== false &&
	value !== "" &&
	(typeof value !== "object" || Object.keys(value).length > 0);
