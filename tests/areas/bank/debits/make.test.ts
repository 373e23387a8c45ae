import { expect, test } from "bun:test";
import { makeDebitFile } from "../../../../src/areas/bank/debits/make";
import { settleDebits } from "../../../../src/areas/bank/debits/settle";
import { claimTask, releaseTasks } from "../../../../src/tasks/operations";
import type { TaskType } from "../../../../src/tasks/rules";
import { timeSlices } from "../../../../src/tasks/time-slices";
import { readPain008 } from "../../../support/bank/pain008-rules";
import { debitWorld } from "./debit-world";

test("killed tasks make one file and settle each debit once", async () => {
	const w = await debitWorld();
	await w.mandate();
	for (let at = 0; at < 30; at += 1) w.billNow((100 + at) / 100);
	const { data: file } = await w.post("/direct-debit-files", { collectUntil: "2026-04-01" });
	// Each slice ends after one debit; the process ends after a few slices.
	const ending = { ...timeSlices(), isOver: () => true };
	const killed = async (type: TaskType, job: typeof makeDebitFile) => {
		for (let kills = 0; kills < 60; kills += 1) {
			const task = w.transactions.write(w.actor, (work) => claimTask(work, [type]));
			if (!task) return;
			let slices = 0;
			await job({ transactions: w.transactions, turns: ending, isStopping: () => ++slices > 4 }, task);
			w.transactions.write(w.actor, (work) => releaseTasks(work, [type]));
		}
	};
	await killed("MAKE_DIRECT_DEBIT_FILE", makeDebitFile);
	await w.drain();
	const made = (await w.send("GET", `/direct-debit-files/${file.fileId}`)).data;
	expect(made).toMatchObject({ state: "READY", debitsCount: 30, total: 34.35 });
	const { groups, broken } = readPain008(await w.text(file.fileId));
	expect(broken).toEqual([]);
	expect(groups.map(({ sequence, transactions }) => [sequence, transactions.length])).toEqual([
		["FRST", 1],
		["RCUR", 29],
	]);
	await w.post(`/direct-debit-files/${file.fileId}/settle`, {});
	await killed("SETTLE_DIRECT_DEBITS", settleDebits);
	await w.drain();
	expect((await w.send("GET", "/receipts?limit=100")).data).toHaveLength(30);
	expect((await w.debits("?state=SETTLED&limit=100")).length).toBe(30);
	expect([...w.checkDebits(), ...w.check()]).toEqual([]);
});
