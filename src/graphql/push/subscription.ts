import {
	type GraphQLError,
	getOperationAST,
	getVariableValues,
	type OperationDefinitionNode,
	OperationTypeNode,
} from "graphql";
import { fail } from "../../kernel/errors";
import type { SubscriptionField } from "../area";
import type { Schemas } from "../build";
import type { Checked } from "../request/documents";
import { measure, noTotals } from "../request/limits";
import type { PersistedOperations } from "../request/persisted";
import { operationsOf } from "../request/request";
import { rootFieldsOf } from "../request/root-fields";

/** A client's subscription, ready to be executed for each event. */
export interface Subscription extends Pick<Checked, "id" | "document"> {
	readonly schema: Schemas["schema"];
	readonly definition: OperationDefinitionNode;
	readonly field: string;
	readonly of: SubscriptionField;
	readonly variables: Record<string, unknown>;
}

/**
 * Reads a subscription, with the limits of all operations (request/limits.ts), or its errors. BadUserInput beyond a limit,
 * and for operations that are no subscription.
 */
export function subscriptionOf(
	{ schema, documents, subscriptions }: Schemas,
	persisted: PersistedOperations,
	payload: unknown,
): Subscription | { readonly errors: readonly GraphQLError[] } {
	const {
		query,
		variables = {},
		operationName,
	} = operationsOf(payload, persisted) as {
		readonly query: string;
		readonly variables?: Record<string, unknown>;
		readonly operationName?: string;
	};
	const checked = documents.read(query);
	const { id, document } = checked;
	const definition = getOperationAST(document, operationName);
	if (definition?.operation !== OperationTypeNode.SUBSCRIPTION)
		throw fail("BadUserInput", "Send a subscription here; queries and mutations go to POST /graphql.");
	measure({ schema, document, definition, variables }, noTotals());
	if (checked.errors().length > 0) return { errors: checked.errors() };
	const declared = definition.variableDefinitions ?? [];
	const { errors, coerced } = getVariableValues(schema, declared, variables, { maxErrors: 50 });
	if (errors) return { errors };
	const [field] = [...rootFieldsOf(document, definition, coerced).values()].flat().map(({ name }) => name.value);
	const of = field === undefined ? undefined : subscriptions.get(field);
	if (field === undefined || !of) throw fail("BadUserInput", "The subscription skips its field; select one.");
	return { id, schema, document, definition, field, of, variables };
}
