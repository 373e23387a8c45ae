import { fail } from "../kernel/errors";
import { queryCharactersMax, variableValuesMax } from "./limits";

/** One operation, or a batch of them. Keys that GraphQL over HTTP does not know are left aside, as clients send some. */
export function operationsOf(body: unknown): unknown {
	if (!Array.isArray(body)) return operationOf(body, 0, { left: variableValuesMax });
	if (body.length === 0) throw fail("BadUserInput", "The batch is empty; send at least one operation.");
	const values = { left: variableValuesMax };
	return body.map((operation, place) => operationOf(operation, place, values));
}

function operationOf(body: unknown, place: number, values: { left: number }) {
	if (typeof body !== "object" || body === null || Array.isArray(body))
		throw fail("BadUserInput", "Send an object with 'query', or an array of such objects.");
	const { query, variables, operationName } = body as Readonly<Record<string, unknown>>;
	if (typeof query !== "string") throw fail("BadUserInput", "Send the GraphQL text as a string in 'query'.");
	if (query.length > queryCharactersMax)
		throw fail("BadUserInput", `'query' is longer than ${queryCharactersMax} characters.`);
	if (variables != null && (typeof variables !== "object" || Array.isArray(variables)))
		throw fail("BadUserInput", "Send 'variables' as an object.");
	if (operationName != null && typeof operationName !== "string")
		throw fail("BadUserInput", "Send 'operationName' as a string.");
	take(values, variables);
	return {
		query,
		extensions: { place },
		...(variables != null && { variables }),
		...(operationName != null && { operationName }),
	};
}

/** Each value is read into its type one by one, however little comes of it. */
function take(values: { left: number }, given: unknown): void {
	const toCount = [given];
	while (toCount.length > 0) {
		const value = toCount.pop();
		values.left -= 1;
		if (values.left < 0)
			throw fail(
				"BadUserInput",
				`The variables of the request hold more than ${variableValuesMax} values; send less at once.`,
			);
		if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) toCount.push(inner);
	}
}
