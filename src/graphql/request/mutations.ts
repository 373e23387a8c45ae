import {
	type ExecutionArgs,
	type ExecutionResult,
	type FieldNode,
	GraphQLError,
	getArgumentValues,
	getOperationAST,
	getVariableValues,
	Kind,
	type NamedTypeNode,
	type OperationDefinitionNode,
} from "graphql";
import { assertAllowed } from "../../areas/access/rules";
import { type KeyedCall, writeOnce } from "../../http/responses/idempotency";
import { assert } from "../../kernel/errors";
import type { Actor, Cause } from "../../kernel/work";
import type { Services } from "../../server/context";
import type { AwaitedMutation, MutationField } from "../area";
import type { Budget } from "./budget";
import { type CountCall, OperationContext } from "./context";
import { yieldToOthers } from "./event-loop";
import { executeIn } from "./execute";
import { rootFieldsOf } from "./root-fields";

type Data = Record<string, unknown>;

/** The library's own maximum. */
const errorsMax = 50;

export interface Mutating {
	readonly services: Services;
	readonly actor: Actor;
	/** Without the operation, which differs between fields. */
	readonly cause: Cause;
	readonly budget: Budget;
	readonly args: ExecutionArgs;
	readonly mutations: ReadonlyMap<string, MutationField>;
	/** The call of one root field under its `Idempotency-Key`. Undefined without a key. */
	readonly callOf: (field: string) => KeyedCall | undefined;
	readonly onReplay: () => void;
	readonly countCall: CountCall;
	/** The public address of the server. */
	readonly origin: string;
}

/** The errors of a field whose response is incomplete. Its transaction is rolled back. */
class RolledBack extends Error {
	constructor(readonly errors: readonly GraphQLError[]) {
		super("the field is rolled back");
	}
}

/**
 * Executes a mutation. Each field of its root is one Work and one transaction, in the order of the fields. A field that fails
 * is rolled back, also when only a part of its response failed, so an error always means that nothing was done. The other
 * fields are not affected. Other requests are served between two fields.
 *
 * The library would execute all root fields at once, so each field is executed as an operation of its own.
 */
export async function executeMutation(mutating: Mutating): Promise<ExecutionResult> {
	const read = withVariablesRead(mutating.args);
	if ("errors" in read) return read;
	const { document, operation, variableValues } = read;
	const data: Data = {};
	const errors: GraphQLError[] = [];
	for (const [key, nodes] of rootFieldsOf(document, operation, variableValues)) {
		data[key] = await runRootField(mutating, rootFieldOf(mutating, read, key, nodes), errors);
		// No lock is held between two fields, so other requests can run.
		await yieldToOthers();
	}
	return { data, ...(errors.length > 0 && { errors }) };
}

interface ReadOperation extends ExecutionArgs {
	readonly operation: OperationDefinitionNode;
	readonly variableValues: Readonly<Record<string, unknown>>;
}

/** A scalar that returns every value unchanged. */
const anything: NamedTypeNode = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: "JSON" } };

/** Reads the variables once instead of in each execution: a body can have megabytes of them. */
function withVariablesRead(args: ExecutionArgs): ReadOperation | { readonly errors: readonly GraphQLError[] } {
	const { schema, document, operationName, variableValues } = args;
	const operation = getOperationAST(document, operationName);
	assert(operation, "the operation was found before");
	const declared = operation.variableDefinitions ?? [];
	const { errors, coerced } = getVariableValues(schema, declared, variableValues ?? {}, { maxErrors: errorsMax });
	if (errors) return { errors };
	const variableDefinitions = declared.map(({ kind, variable }) => ({ kind, variable, type: anything }));
	return { ...args, operation: { ...operation, variableDefinitions }, variableValues: coerced };
}

/** A field of the root, as an operation of its own. */
interface RootField {
	/** Its response key. */
	readonly key: string;
	readonly node: FieldNode;
	/** Undefined for `__typename`. */
	readonly declared: MutationField | undefined;
	readonly args: ReadOperation;
}

function rootFieldOf(
	{ mutations }: Mutating,
	read: ReadOperation,
	key: string,
	nodes: readonly FieldNode[],
): RootField {
	const [node] = nodes;
	assert(node, "a field of the root has a node");
	const operation = { ...read.operation, selectionSet: { ...read.operation.selectionSet, selections: nodes } };
	const fragments = read.document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
	const document = { ...read.document, definitions: [operation, ...fragments] };
	return { key, node, declared: mutations.get(node.name.value), args: { ...read, operation, document } };
}

async function runRootField(mutating: Mutating, field: RootField, errors: GraphQLError[]): Promise<unknown> {
	const { declared, key, node, args } = field;
	if (!declared) return args.schema.getMutationType()?.name;
	try {
		// Checked before a stored response is returned.
		assertAllowed(mutating.actor, { scope: declared.scope });
		return await ("perform" in declared ? performed(mutating, field, declared) : written(mutating, field));
	} catch (error) {
		const failure = () => new GraphQLError("failed", { nodes: node, path: [key], originalError: error as Error });
		errors.push(...(error instanceof RolledBack ? error.errors : [failure()]));
		return null;
	}
}

/** Without an `Idempotency-Key`: the input has its own idempotency keys. */
async function performed(
	{ actor, services, budget }: Mutating,
	{ key, node, args }: RootField,
	{ perform }: AwaitedMutation,
): Promise<unknown> {
	const name = node.name.value;
	const definition = args.schema.getMutationType()?.getFields()[name];
	assert(definition, "the schema has checked the fields of the root");
	const done = await perform(getArgumentValues(definition, node, args.variableValues), actor, services);
	if (typeof done !== "object") return done;
	return services.transactions.read(actor, (work) =>
		answer(new OperationContext(work, budget), { ...args, rootValue: { [name]: done } }, key),
	);
}

/** With an `Idempotency-Key`, the response of each field is stored in its own transaction (docs/interface/http.md). */
async function written(
	{ services, actor, budget, callOf, onReplay, countCall, origin, cause }: Mutating,
	{ key, node, args }: RootField,
): Promise<unknown> {
	const guard = {
		...{ transactions: services.transactions, actor, call: callOf(key), onReplay },
		cause: { ...cause, operation: node.name.value },
	};
	const { spent } = budget;
	const { value } = await writeOnce(guard, 200, (work) => {
		budget.resetTo(spent);
		const context = new OperationContext(work, budget, countCall, services.outgoing, false, origin);
		return { value: answer(context, args, key) };
	});
	return value;
}

function answer(context: OperationContext, args: ExecutionArgs, key: string): unknown {
	const { data, errors = [] } = executeIn(context, args);
	if (errors.length > 0) throw new RolledBack(errors);
	return data?.[key] ?? null;
}
