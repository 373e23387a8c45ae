import { type Static, Type } from "@sinclair/typebox";
import { toIso } from "../../kernel/clock";
import type { DueProblem } from "../../kernel/problem";
import { nullable } from "../../kernel/schema";

/**
 * A due step that failed, with the reason and the time of the next attempt. An addition to the reference service's
 * schema.
 */
export const Problem = Type.Object({
	step: Type.String(),
	dueDate: Type.String(),
	code: nullable(Type.String()),
	message: Type.String(),
	since: Type.String(),
	attempts: Type.Integer(),
	retryDate: Type.String(),
});

export const viewProblem = ({
	kind,
	dueAt,
	code,
	message,
	since,
	attempts,
	retryAt,
}: DueProblem<string>): Static<typeof Problem> => ({
	step: kind,
	dueDate: toIso(dueAt),
	code,
	message,
	since: toIso(since),
	attempts,
	retryDate: toIso(retryAt),
});
