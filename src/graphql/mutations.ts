import { type ExecutionResult, GraphQLError } from "graphql";
import { type KeyedCall, writeOnce } from "../http/idempotency";
import type { Actor, Doors, Work } from "../kernel/work";
import { Asking } from "./asking";
import { tooManyRows } from "./limits";

type Data = Record<string, unknown>;

export interface Mutating {
	readonly doors: Doors;
	readonly actor: Actor;
	/** Executes the whole operation; only the field whose turn it is does anything. */
	readonly execute: (asking: Asking) => ExecutionResult;
	/** The call under its `Idempotency-Key`, as far as one field of the root goes; undefined without a key. */
	readonly callOf: (field: string) => KeyedCall | undefined;
	readonly onReplay: () => void;
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
 * that nothing was done; the fields before and after it are not touched by that.
 *
 * The library executes the root's fields in one go, resolver and answer together. So the operation is executed once for each
 * of them, where all but one answer null at once; before that, once for none, which tells what there is and what is wrong
 * with the arguments.
 */
export function executeMutation(mutating: Mutating): ExecutionResult {
	const { doors, actor, execute } = mutating;
	const survey = doors.read(actor, (work) => execute(new Asking(work)));
	if (!survey.data) return survey;
	const data: Data = {};
	const errors: GraphQLError[] = [];
	for (const [field, value] of Object.entries(survey.data)) {
		const refusals = errorsOf(survey.errors ?? [], field);
		errors.push(...refusals);
		// What has a value already is the name of the type.
		data[field] = refusals.length > 0 || value !== null ? value : turn(mutating, field, errors);
	}
	return { data, ...(errors.length > 0 && { errors }) };
}

/** What is wrong with the arguments of the other fields shows each time. */
const errorsOf = (errors: readonly GraphQLError[], field: string): GraphQLError[] =>
	errors.filter(({ path }) => path?.[0] === field);

/** With an `Idempotency-Key` the answer of each field is kept in its own transaction (choices.md, HTTP). */
function turn(mutating: Mutating, field: string, errors: GraphQLError[]): unknown {
	const { doors, actor, callOf, onReplay } = mutating;
	try {
		const guard = { doors, actor, call: callOf(field), onReplay };
		return writeOnce(guard, 200, (work) => ({ value: answer(work, mutating, field) })).value;
	} catch (error) {
		const failure = () => new GraphQLError("failed", { path: [field], originalError: error as Error });
		errors.push(...(error instanceof Undone ? error.errors : [failure()]));
		return null;
	}
}

function answer(work: Work, { execute }: Mutating, field: string): unknown {
	const asking = new Asking(work, undefined, field);
	const { data, errors = [] } = execute(asking);
	if (asking.isExhausted) throw tooManyRows();
	const own = errorsOf(errors, field);
	if (own.length > 0) throw new Undone(own);
	return data?.[field] ?? null;
}
