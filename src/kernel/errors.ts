import type { ErrorCode } from "./error-codes";

/** How much of what a caller sent a refusal repeats. Our choice: enough to find the place; an id may have 255 characters. */
const repeatedLengthMax = 100;

/** Our choice: the longest of our own sentences has some three hundred characters, and may list forty choices. */
const messageLengthMax = 2000;

const cut = (text: string, lengthMax: number): string =>
	text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1)}…`;

/** At most 100 characters of what a caller sent, for a message that repeats it. */
export const shorten = (sent: string): string => cut(sent, repeatedLengthMax);

/** What stands between quotes that open after a space and close before one: not what stands between two quoted names. */
const quoted = /(?<![^\s([{:])(?:'([^']{101,})'|"([^"]{101,})")(?![^\s.,;:)\]}])/g;

/** A message with all that it repeats in quotes shortened: every refusal is one, whoever wrote its sentence. */
export const withShortQuotes = (message: string): string =>
	cut(
		message.length <= repeatedLengthMax
			? message
			: message.replace(quoted, (all, single?: string, double?: string) =>
					single === undefined ? `"${shorten(double ?? all)}"` : `'${shorten(single)}'`,
				),
		messageLengthMax,
	);

/** A refusal that a caller can meet. Anything else that is thrown is a bug, and answers 500. */
export class DomainError extends Error {
	constructor(
		readonly code: ErrorCode,
		message: string,
		/** The billing side's machine-readable reason; only with BillingContractOperationRejected. */
		readonly reason?: string,
	) {
		super(withShortQuotes(message));
		this.name = code;
	}
}

/** What the person who starts Tollgate must mend in the data folder, or in an archive: told as a sentence, without a stack. */
export class FolderError extends Error {}

/** `throw fail("CouponNotFound", …)`: the message names the thing and, where there is one, the remedy. */
export const fail = (code: ErrorCode, message: string): DomainError => new DomainError(code, message);

/** A refusal by the billing half of a contract: the only one whose answer carries a `reason` (Errors, rule 6). */
export const rejectBilling = (reason: string, message: string): DomainError =>
	new DomainError("BillingContractOperationRejected", message, reason);

/**
 * What a caller may read of a failure that is kept for later, in a task or beside an item: refusals of the catalogue speak,
 * anything else shows nothing internal and names what finds it in the log.
 */
export const shownMessage = (failure: unknown, logged: string): string =>
	failure instanceof DomainError ? failure.message : `Internal error; the log has more, under '${logged}'.`;

/** What cannot happen. It logs as a bug and answers 500 with nothing internal. */
export function assert(condition: unknown, message: string): asserts condition {
	if (!condition) throw new Error(`Assertion failed: ${message}`);
}

/** Node's or SQLite's code of a failure, such as ENOSPC or SQLITE_BUSY; "" where it has none. */
export const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "");

/** Closes an exhaustive switch: a new case that is not handled does not compile. */
export function unreachable(value: never): never {
	throw new Error(`Assertion failed: unexpected case ${JSON.stringify(value)}`);
}
