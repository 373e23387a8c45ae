import { fail } from "../../kernel/errors";
import { queryCharactersMax } from "./limits";

/** One operation, or a batch of them. Keys that GraphQL over HTTP does not know are left aside, as clients send some. */
export function operationsOf(body: unknown): unknown {
	if (!Array.isArray(body)) return operationOf(body, 0);
	if (body.length === 0) throw fail("BadUserInput", "The batch is empty; send at least one operation.");
	return body.map(operationOf);
}

function operationOf(body: unknown, place: number) {
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
	return {
		query,
		extensions: { place },
		...(variables != null && { variables }),
		...(operationName != null && { operationName }),
	};
}
