import { withShortQuotes } from "../kernel/errors";

/** A refusal that has no code in the catalogue: unknown route, wrong method, body too large, a service that is busy. */
export class HttpRefusal extends Error {
	constructor(
		readonly status: number,
		message: string,
		readonly headers: Readonly<Record<string, string>> = {},
	) {
		super(withShortQuotes(message));
	}
}
