import { withShortQuotes } from "../kernel/errors";

/** A rejection without a code of the catalogue: an unknown route, a wrong method, a body that is too large, a busy service. */
export class HttpRefusal extends Error {
	constructor(
		readonly status: number,
		message: string,
		readonly headers: Readonly<Record<string, string>> = {},
	) {
		super(withShortQuotes(message));
	}
}
