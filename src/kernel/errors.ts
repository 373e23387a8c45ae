import type { ErrorCode } from "./error-codes";

/**
 * The part of a caller's value that an error message repeats. It is enough to find the place; an id may have 255
 * characters.
 */
const repeatedLengthMax = 100;

/** Tollgate's longest message has about three hundred characters, and may list forty choices. */
const messageLengthMax = 2000;

const cut = (text: string, lengthMax: number): string =>
	text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1)}…`;

/** Returns at most 100 characters of a caller's value, for a message that repeats it. */
export const shorten = (sent: string): string => cut(sent, repeatedLengthMax);

/** Matches a quotation that opens after a space and closes before one, and no text between two quotations. */
const quoted = /(?<![^\s([{:])(?:'([^']{101,})'|"([^"]{101,})")(?![^\s.,;:)\]}])/g;

/** Shortens the quotations of a message. Every error message passes through it. */
export const withShortQuotes = (message: string): string =>
	cut(
		message.length <= repeatedLengthMax
			? message
			: message.replace(quoted, (all, single?: string, double?: string) =>
					single === undefined ? `"${shorten(double ?? all)}"` : `'${shorten(single)}'`,
				),
		messageLengthMax,
	);

/** An error that a caller can cause. Any other error is a bug, and the response is 500. */
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

/** A fault of the data folder or of an archive that the operator must correct. The command line prints it as a sentence, without a stack. */
export class FolderError extends Error {}

/** Creates an error: `throw fail("CouponNotFound", …)`. The message names the object and, if there is one, the remedy. */
export const fail = (code: ErrorCode, message: string): DomainError => new DomainError(code, message);

/** Creates an error of the billing side of a contract. Only its response has a `reason` (Errors, rule 6). */
export const rejectBilling = (reason: string, message: string): DomainError =>
	new DomainError("BillingContractOperationRejected", message, reason);

/**
 * Returns the message of a stored failure, of a task or an item, for callers. An error of the catalogue shows its message; any other shows
 * nothing internal, and the id that finds it in the log.
 */
export const shownMessage = (failure: unknown, logged: string): string =>
	failure instanceof DomainError ? failure.message : `Internal error; the log has more, under '${logged}'.`;

/** Throws if an invariant does not hold. The log reports a bug; the caller gets 500 without internal details. */
export function assert(condition: unknown, message: string): asserts condition {
	if (!condition) throw new Error(`Assertion failed: ${message}`);
}

/** Returns the code of an error of Node or SQLite, such as ENOSPC or SQLITE_BUSY; "" if it has none. */
export const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "");

/** Ends an exhaustive switch: an unhandled new case does not compile. */
export function unreachable(value: never): never {
	throw new Error(`Assertion failed: unexpected case ${JSON.stringify(value)}`);
}
