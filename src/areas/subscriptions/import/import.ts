import { Value } from "@sinclair/typebox/value";
import { assert, DomainError } from "../../../kernel/errors";
import type { Doors, Work } from "../../../kernel/work";
import { completeTask, forgetPayload, progressTask } from "../../../tasks/operations";
import { type IsStopping, neverStops, type TaskError } from "../../../tasks/rules";
import type { TaskRow } from "../../../tasks/table";
import { systemActor } from "../../access/rules.actors";
import { prepareSale, type Sale } from "../terms/prepare-sale";
import { importItem, type Sell } from "./item";
import { SubscriptionImport, type SubscriptionImportItem } from "./schema";

/** Our choice: short enough that no other writer waits for long, long enough that the commits do not dominate. */
export const itemsPerTransaction = 25;

/**
 * Works off one import. What a transaction has imported and how far the task has come are committed together, so a job that
 * was killed, or has seen a stop between two of them, goes on where the last commit left it, and no item is ever done twice.
 * An item that is refused is recorded with its index and skipped; the others go on.
 */
export async function runImport(doors: Doors, task: TaskRow, isStopping: IsStopping = neverStops): Promise<void> {
	const actor = systemActor(task.environmentId);
	const payload: unknown = task.payload;
	assert(Value.Check(SubscriptionImport, payload), `the payload of import ${task.id} is what was queued`);
	const items = payload.subscriptions;
	let current = task;
	while (current.doneCount < items.length) {
		current = doors.write(actor, (work) => importNext(work, current, items));
		// A gap between two transactions lets other writers in and the loop see a stop.
		await Bun.sleep(0);
		if (isStopping()) return;
	}
	doors.write(actor, (work) => completeTask(work, forgetPayload(work, current)));
}

function importNext(work: Work, task: TaskRow, items: readonly SubscriptionImportItem[]): TaskRow {
	const from = task.doneCount;
	const to = Math.min(from + itemsPerTransaction, items.length);
	const errors: TaskError[] = [];
	const sell = salesOf(work);
	items.slice(from, to).forEach((item, offset) => {
		const refusal = refusalOf(work, item, sell);
		if (refusal) errors.push({ id: item.id, error: `Item ${from + offset}: ${refusal.code}: ${refusal.message}` });
	});
	return progressTask(work, task, to, errors);
}

/** Within one transaction the catalogue stands still, so items that buy the same thing share what was looked up for it. */
function salesOf(work: Work): Sell {
	const sales = new Map<string, Sale>();
	return (input) => {
		const key = JSON.stringify({ ...input, heldVersions: input.heldVersions?.map(({ id }) => id) });
		const sale = sales.get(key) ?? prepareSale(work, input);
		sales.set(key, sale);
		return sale;
	};
}

/** Each item has a savepoint of its own: what a refused one had begun is undone, what the others did stays. */
function refusalOf(work: Work, item: SubscriptionImportItem, sell: Sell): DomainError | undefined {
	try {
		work.tx.transaction(() => importItem(work, item, sell));
		return undefined;
	} catch (error) {
		if (error instanceof DomainError) return error;
		throw error;
	}
}
