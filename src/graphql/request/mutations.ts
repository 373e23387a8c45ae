import {
	type ExecutionArgs,
	type ExecutionResult,
	executeSync,
	GraphQLError,
	getOperationAST,
	getVariableValues,
	Kind,
	type NamedTypeNode,
} from "graphql";
import { type KeyedCall, writeOnce } from "../../http/idempotency";
import type { Actor, Transactions } from "../../kernel/work";
import type { Budget } from "./budget";
import { type CountCall, OperationContext } from "./context";
import { throwAwaited } from "./errors";
import { yieldToOthers } from "./event-loop";

type Data = Record<string, unknown>;

/** Executes the whole operation; only the field whose turn it is does anything. */
type Execute = (context: OperationContext) => ExecutionResult;

/** As many as the library itself tells of. */
const errorsMax = 50;

export interface Mutating {
	readonly transactions: Transactions;
	readonly actor: Actor;
	readonly budget: Budget;
	readonly args: ExecutionArgs;
	/** The call under its `Idempotency-Key`, as far as one field of the root goes; undefined without a key. */
	readonly callOf: (field: string) => KeyedCall | undefined;
	readonly onReplay: () => void;
	readonly countCall: CountCall;
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
 * The library executes the root's fields in one go, resolver and answer together. So the operation is executed once for each
 * of them, where all but one answer null at once; before that, once for none, which tells what there is and what is wrong
 * with the arguments.
 */
export async function executeMutation(mutating: Mutating): Promise<ExecutionResult> {
	const { transactions, actor, args, budget } = mutating;
	const read = withVariablesRead(args);
	if ("errors" in read) return read;
	const execute = (context: OperationContext) => executeSync({ ...read, contextValue: context });
	const survey = transactions.read(actor, (work) => execute(new OperationContext(work, budget)));
	if (!survey.data) return survey;
	const data: Data = {};
	const errors: GraphQLError[] = [];
	for (const [field, value] of Object.entries(survey.data)) {
		const refusals = errorsOf(survey.errors ?? [], field);
		errors.push(...refusals);
		// What has a value already is the name of the type.
		data[field] = value;
		if (refusals.length > 0 || value !== null) continue;
		data[field] = await runRootField(mutating, execute, field, errors);
		// Nothing is held between two fields, so others may come in.
		await yieldToOthers();
	}
	return { data, ...(errors.length > 0 && { errors }) };
}

/** The library's scalar that gives every value on as it is. */
const anything: NamedTypeNode = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: "JSON" } };

/** Reads the variables once, where each execution would do it again: a body may hold megabytes of them. */
function withVariablesRead(args: ExecutionArgs): ExecutionArgs | { readonly errors: readonly GraphQLError[] } {
	const { schema, document, operationName, variableValues } = args;
	const operation = getOperationAST(document, operationName);
	if (!operation) return args;
	const declared = operation.variableDefinitions ?? [];
	const { errors, coerced } = getVariableValues(schema, declared, variableValues ?? {}, { maxErrors: errorsMax });
	if (errors) return { errors };
	const variableDefinitions = declared.map(({ kind, variable }) => ({ kind, variable, type: anything }));
	const definitions = document.definitions.map((node) =>
		node === operation ? { ...operation, variableDefinitions } : node,
	);
	return { ...args, document: { ...document, definitions }, variableValues: coerced };
}

/** What is wrong with the arguments of the other fields shows each time. */
const errorsOf = (errors: readonly GraphQLError[], field: string): GraphQLError[] =>
	errors.filter(({ path }) => path?.[0] === field);

/** With an `Idempotency-Key` the answer of each field is kept in its own transaction (docs/interface/http.md). */
async function runRootField(
	{ transactions, actor, budget, callOf, onReplay, countCall }: Mutating,
	execute: Execute,
	field: string,
	errors: GraphQLError[],
): Promise<unknown> {
	try {
		const guard = { transactions, actor, call: callOf(field), onReplay };
		const { spent } = budget;
		const { value } = await writeOnce(guard, 200, (work) => {
			budget.goBackTo(spent);
			return { value: answer(new OperationContext(work, budget, { field, countCall }), execute) };
		});
		return value;
	} catch (error) {
		const failure = () => new GraphQLError("failed", { path: [field], originalError: error as Error });
		errors.push(...(error instanceof Undone ? error.errors : [failure()]));
		return null;
	}
}

function answer(context: OperationContext, execute: Execute): unknown {
	const { data, errors = [] } = execute(context);
	context.assertWhole();
	const field = context.rootField?.field ?? "";
	const own = errorsOf(errors, field);
	throwAwaited(own);
	if (own.length > 0) throw new Undone(own);
	return data?.[field] ?? null;
}
