import { expect } from "bun:test";
import { atOnce } from "../../../../src/areas/usage/archive/exclusive";
import type { ArchiveOrder } from "../../../../src/areas/usage/archive/messages";
import { EventEraser } from "../../../../src/areas/usage/erasing/eraser";
import { openFile } from "../../../../src/kernel/storage/db";
import type { ground } from "../ground";

class Killed extends Error {}

/**
 * Erases the customer acme to the end; a kill comes at the order `killedAt`, if given. Returns the number of changed events.
 */
export async function eraseAcme(
	site: Pick<ReturnType<typeof ground>, "folder" | "jobs">,
	id: string,
	{ killedAt = -1, key = "key" } = {},
): Promise<number> {
	const db = openFile(site.folder, "main", ["usage", "events"]);
	let orders = 0;
	const eraser = new EventEraser({
		folder: site.folder,
		db,
		aggregator: site.jobs.aggregator,
		order: async (order: ArchiveOrder) => {
			if (orders === killedAt) throw new Killed();
			orders += 1;
			expect(site.jobs.log.archive(order)).toBe(true);
		},
		exclusively: atOnce,
		isStopping: () => false,
		replacedKeptMs: 0,
	});
	try {
		let changed = 0;
		for (let place: string | undefined = ""; place !== undefined; ) {
			const step = await eraser.step({ id, refId: "acme", environmentId: "env", key }, place);
			changed += step.changed;
			place = step.next;
		}
		return changed;
	} catch (error) {
		if (!(error instanceof Killed)) throw error;
		return -1;
	} finally {
		db.$client.close();
	}
}
