import { runBankImport } from "../../src/areas/bank/imports/import";
import { openLog } from "../../src/http/log";
import { timeSlices } from "../../src/tasks/time-slices";
import { drainTasks } from "../../src/workers/task-thread";
import { type Demo, demoKey } from "../support/demo";

type Ask = (demo: Demo, method: string, path: string, body?: unknown) => Promise<{ body: { data: never } }>;

interface WithFile {
	readonly operationId: string;
	readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
}

/** The earlier calls of the examples of bank statements. */
export function earlierOfBank(ask: Ask, operations: readonly WithFile[]) {
	const upload = operations.find(({ operationId }) => operationId === "bank.import");
	const file = String(upload?.requestBody?.content["text/plain"]?.example);
	const names = ["retrieveImport", "retrieveEntry", "confirmEntry", "rejectEntry", "undoEntry"];
	return {
		"bank.setAccount": async (demo: Demo) => ({ iban: await anAccount(demo, ask) }),
		...Object.fromEntries(
			names.map((name) => [
				`bank.${name}`,
				(demo: Demo) => aBankEntry(demo, ask, { file, isRejected: name === "undoEntry" }),
			]),
		),
	};
}

/** Gives the issuer of the demo an account. */
async function anAccount(demo: Demo, ask: Ask): Promise<string> {
	const [entity] = (await ask(demo, "GET", "/api/v1/legal-entities")).body.data as Array<{ id: string }>;
	const iban = "DE89370400440532013000";
	await ask(demo, "PATCH", `/api/v1/legal-entities/${entity?.id}`, { bankAccount: { iban } });
	return iban;
}

/** Imports a file with one entry, and rejects the entry if asked to. */
async function aBankEntry(
	demo: Demo,
	ask: Ask,
	{ file, isRejected }: { readonly file: string; readonly isRejected: boolean },
): Promise<Readonly<Record<string, string>>> {
	await anAccount(demo, ask);
	const request = { method: "POST", headers: { "x-api-key": demoKey }, body: file };
	const answer = await demo.answer(new Request("http://localhost/api/v1/bank-imports", request));
	const { importId } = ((await answer.json()) as { data: { importId: string } }).data;
	const { transactions } = demo;
	const thread = { transactions, turns: timeSlices(), isStopping: () => false };
	const run = (task: Parameters<typeof runBankImport>[1]) => runBankImport(thread, task);
	await drainTasks(transactions, ["IMPORT_BANK_STATEMENTS"], run, openLog("silent"));
	const [{ entryId }] = (await ask(demo, "GET", "/api/v1/bank-entries")).body.data as [{ entryId: string }];
	if (isRejected) await ask(demo, "POST", `/api/v1/bank-entries/${entryId}/reject`);
	return { importId, entryId };
}
