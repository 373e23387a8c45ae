import {
	type ExecutionArgs,
	type ExecutionResult,
	executeSync,
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
import { throwAwaited } from "./errors";
import { yieldToOthers } from "./event-loop";
import { rootFieldsOf } from "./root-fields";

type Data = Record<string, unknown>;

/** As many as the library itself tells of. */
const errorsMax = 50;

export interface Mutating {
	readonly services: Services;
	readonly actor: Actor;
	/** But for the operation, which is each field's own. */
	readonly cause: Cause;
	readonly budget: Budget;
	readonly args: ExecutionArgs;
	readonly mutations: ReadonlyMap<string, MutationField>;
	/** The call under its `Idempotency-Key`, as far as one field of the root goes; undefined without a key. */
	readonly callOf: (field: string) => KeyedCall | undefined;
	readonly onReplay: () => void;
	readonly countCall: CountCall;
	/** Where people find this server. */
	readonly origin: string;
}

/** What a field came to that cannot be answered in full: its transaction is rolled back. */
class Undone extends Error {
	constructor(readonly errors: readonly GraphQLError[]) {
		super("the field is undone");
	}
}

/**
 * Answers a mutation: each field of its root is one Work and one transaction, one after the other in the order in which they
 * stand. A field that fails is undone as a whole, also when only a part of its answer failed, so that an error always means
 * that nothing was done; the fields before and after it are not touched by that. Others are served between two of them.
 *
 * The library executes a root in one go, so that each field is handed to it as an operation of its own.
 */
export async function executeMutation(mutating: Mutating): Promise<ExecutionResult> {
	const read = withVariablesRead(mutating.args);
	if ("errors" in read) return read;
	const { document, operation, variableValues } = read;
	const data: Data = {};
	const errors: GraphQLError[] = [];
	for (const [key, nodes] of rootFieldsOf(document, operation, variableValues)) {
		data[key] = await runRootField(mutating, rootFieldOf(mutating, read, key, nodes), errors);
		// Nothing is held between two fields, so others may come in.
		await yieldToOthers();
	}
	return { data, ...(errors.length > 0 && { errors }) };
}

interface ReadOperation extends ExecutionArgs {
	readonly operation: OperationDefinitionNode;
	readonly variableValues: Readonly<Record<string, unknown>>;
}

/** The library's scalar that gives every value on as it is. */
const anything: NamedTypeNode = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: "JSON" } };

/** Reads the variables once, where each execution would do it again: a body may hold megabytes of them. */
function withVariablesRead(args: ExecutionArgs): ReadOperation | { readonly errors: readonly GraphQLError[] } {
	const { schema, document, operationName, variableValues } = args;
	const operation = getOperationAST(document, operationName);
	assert(operation, "the operation has been found before");
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
	/** Undefined of the name of the root's type. */
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
	assert(node, "a field of the root is written at least once");
	const operation = { ...read.operation, selectionSet: { ...read.operation.selectionSet, selections: nodes } };
	const fragments = read.document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
	const document = { ...read.document, definitions: [operation, ...fragments] };
	return { key, node, declared: mutations.get(node.name.value), args: { ...read, operation, document } };
}

async function runRootField(mutating: Mutating, field: RootField, errors: GraphQLError[]): Promise<unknown> {
	const { declared, key, node, args } = field;
	if (!declared) return args.schema.getMutationType()?.name;
	try {
		// Before anything that was kept under an `Idempotency-Key`.
		assertAllowed(mutating.actor, { scope: declared.scope });
		return await ("perform" in declared ? performed(mutating, field, declared) : written(mutating, field));
	} catch (error) {
		const failure = () => new GraphQLError("failed", { nodes: node, path: [key], originalError: error as Error });
		errors.push(...(error instanceof Undone ? error.errors : [failure()]));
		return null;
	}
}

/** Whoever sends it again says so in the input: its own keys tell what is known already. */
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

/** With an `Idempotency-Key` the answer of each field is kept in its own transaction (docs/interface/http.md). */
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
		budget.goBackTo(spent);
		const context = new OperationContext(work, budget, countCall, services.outgoing, false, origin);
		return { value: answer(context, args, key) };
	});
	return value;
}

function answer(context: OperationContext, args: ExecutionArgs, key: string): unknown {
	const { data, errors = [] } = executeSync({ ...args, contextValue: context });
	context.assertWhole();
	throwAwaited(errors);
	if (errors.length > 0) throw new Undone(errors);
	return data?.[key] ?? null;
}
