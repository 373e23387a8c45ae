import {
	type DocumentNode,
	type GraphQLError,
	type GraphQLSchema,
	getOperationAST,
	getVariableValues,
	Kind,
	type OperationDefinitionNode,
	OperationTypeNode,
	parse,
	type SelectionSetNode,
	validate,
} from "graphql";
import { assert, fail } from "../../kernel/errors";
import type { SubscriptionField } from "../area";
import type { Schemas } from "../build";
import { measure, noTotals, tokensMax } from "../request/limits";
import type { PersistedOperations } from "../request/persisted";
import { operationsOf } from "../request/request";
import { lenientOf, lenientRules } from "../request/unknown-fields";

/** A client's subscription, ready to be executed for each event. */
export interface Subscription {
	readonly schema: GraphQLSchema;
	readonly document: DocumentNode;
	readonly definition: OperationDefinitionNode;
	readonly field: string;
	readonly of: SubscriptionField;
}

/** The subscription, or its errors. */
type Checked = Subscription | { readonly errors: readonly GraphQLError[] };

/** Clients repeat a few texts. */
const rememberedMax = 200;

/** Reads subscriptions, with the limits of all operations (request/limits.ts). */
export class Documents {
	readonly #schemas: Schemas;
	readonly #persisted: PersistedOperations;
	readonly #checked = new Map<string, Checked>();

	/** With a list of allowed operations, all others are refused. */
	constructor(schemas: Schemas, persisted: PersistedOperations) {
		this.#schemas = schemas;
		this.#persisted = persisted;
	}

	/** BadUserInput beyond a limit, and for operations that are no subscription. */
	read(payload: unknown): Checked & { readonly variables?: Record<string, unknown> } {
		const {
			query,
			variables = {},
			operationName,
		} = operationsOf(payload, this.#persisted) as {
			readonly query: string;
			readonly variables?: Record<string, unknown>;
			readonly operationName?: string;
		};
		const name = `${operationName ?? ""}\n${query}`;
		const checked = this.#checked.get(name) ?? this.#check(query, operationName, variables);
		this.#remember(name, checked);
		if ("errors" in checked) return checked;
		const { schema, document, definition } = checked;
		measure({ schema: this.#schemas.shown, document, definition, variables }, noTotals());
		const { errors } = getVariableValues(schema, definition.variableDefinitions ?? [], variables, { maxErrors: 50 });
		return errors ? { errors } : { ...checked, variables };
	}

	#remember(name: string, checked: Checked): void {
		this.#checked.set(name, checked);
		const [oldest] = this.#checked.keys();
		if (this.#checked.size > rememberedMax && oldest !== undefined) this.#checked.delete(oldest);
	}

	#check(query: string, operationName: string | undefined, variables: Record<string, unknown>): Checked {
		const { shown, lenient, subscriptions } = this.#schemas;
		const parsed = parse(query, { maxTokens: tokensMax });
		const reduced = lenientOf(shown, parsed);
		const document = reduced?.document ?? parsed;
		const definition = getOperationAST(document, operationName);
		if (definition?.operation !== OperationTypeNode.SUBSCRIPTION)
			throw fail("BadUserInput", "Send a subscription here; queries and mutations go to POST /graphql.");
		// Before validation, whose cost grows with the limited figures.
		measure({ schema: shown, document, definition, variables }, noTotals());
		const schema = reduced ? lenient : shown;
		const errors = validate(schema, document, reduced ? lenientRules : undefined);
		if (errors.length > 0) return { errors };
		const field = rootFieldOf(document, definition.selectionSet);
		const of = field === undefined ? undefined : subscriptions.get(field);
		assert(field !== undefined && of, "a valid subscription has one root field");
		return { schema, document, definition, field, of };
	}
}

/** The root field of a valid subscription, perhaps in a fragment. */
function rootFieldOf({ definitions }: DocumentNode, { selections }: SelectionSetNode): string | undefined {
	const [selection] = selections;
	if (!selection) return undefined;
	if (selection.kind === Kind.FIELD) return selection.name.value;
	if (selection.kind === Kind.INLINE_FRAGMENT)
		return rootFieldOf({ definitions } as DocumentNode, selection.selectionSet);
	const fragment = definitions.find(
		(node) => node.kind === Kind.FRAGMENT_DEFINITION && node.name.value === selection.name.value,
	);
	return fragment?.kind === Kind.FRAGMENT_DEFINITION
		? rootFieldOf({ definitions } as DocumentNode, fragment.selectionSet)
		: undefined;
}
