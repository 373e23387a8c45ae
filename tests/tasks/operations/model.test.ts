import { expect, test } from "bun:test";
import fc from "fast-check";
import { systemActor } from "../../../src/areas/access/rules.actors";
import type { Instant } from "../../../src/kernel/clock";
import type { Work } from "../../../src/kernel/work";
import {
	claimTask,
	completeTask,
	enqueueTask,
	failTask,
	getClaimedTask,
	progressTask,
	putBackTask,
	releaseTasks,
} from "../../../src/tasks/operations";
import { attemptsMax, type TaskStatus } from "../../../src/tasks/rules";
import { world } from "../../support/world";

const types = ["IMPORT_SUBSCRIPTIONS"] as const;
const total = 3;

/** The visible state of a task: the queue as a person would keep it on paper. */
interface Kept {
	status: TaskStatus;
	attempts: number;
	crashes: number;
	done: number;
	dueAt: number;
	refusals: number;
}

type Step =
	| { readonly do: "enqueue" | "claim" | "progress" | "refuse" | "complete" | "fail" | "putBack" | "release" }
	| { readonly do: "wait"; readonly seconds: number };

const steps = fc.array(
	fc.oneof(
		...(["enqueue", "claim", "progress", "refuse", "complete", "fail", "putBack", "release"] as const).map((one) =>
			fc.constant<Step>({ do: one }),
		),
		fc.integer({ min: 1, max: 70 }).map((seconds): Step => ({ do: "wait", seconds })),
	),
	{ minLength: 5, maxLength: 40 },
);

/** Claims on paper: the earliest due one first; those without progress five times are abandoned on the way. */
function claimOnPaper(tasks: Map<string, Kept>, now: number): string | undefined {
	const due = [...tasks].filter(([, { status, dueAt }]) => status === "PENDING" && dueAt <= now);
	for (const [id, task] of due.toSorted(([a, one], [b, other]) => one.dueAt - other.dueAt || (a < b ? -1 : 1))) {
		if (task.attempts < 5) {
			task.status = "IN_PROGRESS";
			task.attempts += 1;
			return id;
		}
		task.status = "FAILED";
		task.refusals += 1;
	}
	return undefined;
}

test("however tasks are claimed, get on, fail, are put back and released: the queue is as it would be on paper", () => {
	expect(attemptsMax).toBe(5);
	fc.assert(
		fc.property(steps, (taken) => {
			const ours = world();
			const write = <T>(body: (work: Work) => T extends Promise<unknown> ? never : T) =>
				ours.transactions.write<unknown>(systemActor(""), body) as T;
			const tasks = new Map<string, Kept>();
			/** The thread works off one at a time. */
			let current: string | undefined;
			const kept = (): Kept | undefined => (current === undefined ? undefined : tasks.get(current));
			const now = () => ours.clock.at;
			for (const step of taken) {
				const task = kept();
				const id = current ?? "";
				switch (step.do) {
					case "wait":
						ours.clock.at = (now() + step.seconds * 1000) as Instant;
						break;
					case "enqueue": {
						const { id: made } = write<{ id: string }>((work) =>
							enqueueTask(work, { type: "IMPORT_SUBSCRIPTIONS", payload: { some: "items" }, totalCount: total }),
						);
						tasks.set(made, { status: "PENDING", attempts: 0, crashes: 0, done: 0, dueAt: now(), refusals: 0 });
						break;
					}
					case "claim": {
						if (task) break;
						const claimed = write<{ id: string; payload: unknown } | null>((work) => claimTask(work, types) ?? null);
						current = claimOnPaper(tasks, now());
						expect(claimed?.id).toBe(current as string);
						if (claimed) expect(claimed.payload).toEqual({ some: "items" });
						break;
					}
					case "progress":
					case "refuse": {
						if (!task || task.done === total) break;
						task.done += 1;
						task.attempts = 0;
						task.crashes = 0;
						const errors = step.do === "refuse" ? [{ id: `item-${task.done}`, error: "None." }] : [];
						task.refusals += errors.length;
						const { done } = task;
						write((work) => progressTask(work, getClaimedTask(work, id), done, errors).id);
						break;
					}
					case "complete":
						if (!task) break;
						write((work) => completeTask(work, getClaimedTask(work, id)).id);
						task.done = total;
						task.status = task.refusals === 0 ? "COMPLETED" : task.refusals >= total ? "FAILED" : "PARTIALLY_FAILED";
						current = undefined;
						break;
					case "fail":
						if (!task) break;
						write((work) => failTask(work, { id }, "A fault.").id);
						if (task.attempts >= 5) {
							task.status = "FAILED";
							task.refusals += 1;
						} else {
							task.status = "PENDING";
							task.dueAt = now() + 1000 * 2 ** task.attempts;
						}
						current = undefined;
						break;
					case "putBack":
						if (!task) break;
						write((work) => putBackTask(work, { id }) ?? null);
						task.status = "PENDING";
						task.attempts = Math.max(0, task.attempts - 1);
						current = undefined;
						break;
					case "release":
						expect(write<number>((work) => releaseTasks(work, types))).toBe(task ? 1 : 0);
						if (task) {
							task.status = "PENDING";
							task.attempts = Math.max(0, task.attempts - 1);
							task.crashes += 1;
						}
						current = undefined;
				}
			}
			for (const [id, { status, attempts, crashes, done, dueAt }] of tasks) {
				const found = write<object>((work) => getClaimedTask(work, id));
				expect(found).toMatchObject({ status, attempts, crashes, doneCount: done, dueAt });
			}
			ours.db.$client.close();
		}),
		{ numRuns: 60 },
	);
}, 60_000);
