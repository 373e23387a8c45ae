import { fail } from "../../kernel/errors";
import { queryCharactersMax } from "./limits";
import type { PersistedOperations } from "./persisted";

/** One operation, or a batch. Unknown keys are ignored, because clients send some. */
export function operationsOf(body: unknown, persisted: PersistedOperations): unknown {
	if (!Array.isArray(body)) return operationOf(persisted, body, 0);
	if (body.length === 0) throw fail("BadUserInput", "The batch is empty; send at least one operation.");
	return body.map((operation, place) => operationOf(persisted, operation, place));
}

function operationOf(persisted: PersistedOperations, body: unknown, place: number) {
	if (typeof body !== "object" || body === null || Array.isArray(body))
		throw fail("BadUserInput", "Send an object with 'query', or an array of such objects.");
	const { query: sent, variables, operationName, extensions } = body as Readonly<Record<string, unknown>>;
	if (sent != null && typeof sent !== "string")
		throw fail("BadUserInput", "Send the GraphQL text as a string in 'query'.");
	const query = persisted.textOf(sent ?? undefined, hashOf(extensions));
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

/** The hash of `extensions.persistedQuery`. Undefined without it, or in another version of the protocol. */
function hashOf(extensions: unknown): string | undefined {
	const { persistedQuery } = (extensions ?? {}) as Readonly<Record<string, unknown>>;
	if (typeof persistedQuery !== "object" || persistedQuery === null) return undefined;
	const { sha256Hash } = persistedQuery as Readonly<Record<string, unknown>>;
	if (sha256Hash === undefined) return undefined;
	if (typeof sha256Hash !== "string" || !/^[0-9a-f]{64}$/.test(sha256Hash))
		throw fail("BadUserInput", "Send 'sha256Hash' of 'extensions.persistedQuery' as 64 hexadecimal digits.");
	return sha256Hash;
}
