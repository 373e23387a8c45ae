import { readFileSync, statSync } from "node:fs";
import { type Static, Type } from "@sinclair/typebox";
import { type ApiSettings, apiSettingsDefault } from "../http/api-settings";
import { hashText } from "../http/hash";
import { flag, refusalOf, wholeNumber } from "./setting";

/** Settings for callers of the API, and for calls that Tollgate makes. */
export const apiSettings = Type.Object({
	TOLLGATE_EDGE_CALLS_PER_SECOND: wholeNumber(1, 9999, {
		default: String(apiSettingsDefault.edgeCallsPerSecondMax),
		description: "how often one address may read the edge",
	}),
	TOLLGATE_GRAPHQL_INTROSPECTION: flag({
		default: "1",
		description: "0 keeps GraphQL from telling of its schema",
	}),
	TOLLGATE_GRAPHQL_OPERATIONS: Type.Optional(
		Type.String({
			minLength: 1,
			description: "a JSON file of the only operations of GraphQL that may be asked for, as a list of texts",
			expects: "a JSON file of at most 8 MiB that this user can read: a list of up to 1000 texts of operations",
		}),
	),
	TOLLGATE_WEBHOOKS_ALLOW_PRIVATE: flag({
		default: "0",
		description: "1 lets webhooks, and calls to identity providers, go to private and loopback addresses",
	}),
});

const wrong = refusalOf(apiSettings);

type ApiConfig = Pick<ApiSettings, "edgeCallsPerSecondMax" | "introspection" | "operations" | "allowPrivateWebhooks">;

export const readApi = (given: Static<typeof apiSettings>): ApiConfig => ({
	edgeCallsPerSecondMax: Number(given.TOLLGATE_EDGE_CALLS_PER_SECOND),
	introspection: given.TOLLGATE_GRAPHQL_INTROSPECTION === "1",
	operations: readOperations(given.TOLLGATE_GRAPHQL_OPERATIONS),
	allowPrivateWebhooks: given.TOLLGATE_WEBHOOKS_ALLOW_PRIVATE === "1",
});

/** Several times the operations of any product, and few enough to send to each thread at once. */
const operationsMax = 1000;
const operationsBytesMax = 8 * 1024 * 1024;

/** Persisted operations by the SHA-256 of their texts, by which clients name them. */
function readOperations(file: string | undefined): ApiSettings["operations"] {
	if (file === undefined) return undefined;
	const texts = textsIn(file);
	if (!texts) throw wrong("TOLLGATE_GRAPHQL_OPERATIONS");
	return Object.fromEntries(texts.map((text) => [hashText(text), text]));
}

function textsIn(file: string): string[] | undefined {
	try {
		if (statSync(file).size > operationsBytesMax) return undefined;
		const texts: unknown = JSON.parse(readFileSync(file, "utf8"));
		const isList =
			Array.isArray(texts) && texts.length <= operationsMax && texts.every((text) => typeof text === "string");
		return isList ? texts : undefined;
	} catch {
		return undefined;
	}
}
