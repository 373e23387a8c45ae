import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { listEnvironments } from "../../../../src/areas/access/operations";
import { systemActor } from "../../../../src/areas/access/rules.actors";
import { issueGrant } from "../../../../src/areas/credits/operations.issue";
import type { LedgerEventType } from "../../../../src/areas/credits/schema.values";
import { creditEntries, creditGrants, creditWallets } from "../../../../src/areas/credits/table";
import { checkChain, checkWallets } from "../../../../src/areas/credits/verification/operations.check";
import { getCurrency } from "../../../../src/areas/currencies/operations";
import { getCustomer } from "../../../../src/areas/customers/operations";
import { openFolder } from "../../../../src/files";
import type { Decimal } from "../../../../src/kernel/decimal";
import { startServer, temporaryFolder } from "../../../support/process";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);

/** The real program with two HTTP threads, the customer `acme` and the currency `tokens`. Another connection reads its file. */
async function running(name: string) {
	const folder = join(parent, name);
	const server = await startServer(folder, { TOLLGATE_HTTP_THREADS: "2" });
	await server.call("POST", "/customers", { id: "acme" });
	await server.call("POST", "/credits/custom-currencies", { id: "tokens", displayName: "Tokens" });
	const { db, transactions } = openFolder(folder);
	const [environment] = transactions.read(systemActor(""), listEnvironments);
	const actor = systemActor(environment?.id ?? "");
	const of = { customerId: "acme", currencyId: "tokens" };
	return {
		server,
		transactions,
		actor,
		of,
		consume: (amount: number, idempotencyKey: string) =>
			server.call("POST", "/credits/consumption", { ...of, amount, idempotencyKey }),
		grant: (amount: number) =>
			server.call("POST", "/credits/grants", { ...of, displayName: "Grant", grantType: "PROMOTIONAL", amount }),
		entriesOf: (eventType: LedgerEventType) =>
			transactions.read(actor, (work) =>
				work.tx.select().from(creditEntries).where(eq(creditEntries.eventType, eventType)).all(),
			),
		async stop() {
			transactions.read(actor, (work) => expect([...checkChain(work), ...checkWallets(work)]).toEqual([]));
			db.$client.close();
			await server.stop();
		},
	};
}

const succeed = async (answers: ReadonlyArray<Promise<{ readonly status: number }>>): Promise<void> => {
	for (const { status } of await Promise.all(answers)) expect(status).toBeLessThan(300);
};

test("64 concurrent consumptions of one wallet total exactly their sum, and a concurrent grant settles once", async () => {
	const { transactions, actor, consume, entriesOf, stop } = await running("consumptions");
	// Sixteen are sent twice.
	const answers = Array.from({ length: 80 }, (_, at) => consume(1.25, `key-${at % 64}`));
	// A write of another process, between two groups of the server.
	await Bun.sleep(5);
	transactions.write(actor, (work) => {
		issueGrant(work, {
			customerId: getCustomer(work, "acme").id,
			currencyId: getCurrency(work, "tokens").id,
			resourceRef: "",
			displayName: "meanwhile",
			grantType: "PROMOTIONAL",
			amount: "30" as Decimal,
			effectiveAt: work.now,
			expireAt: null,
		});
	});
	await succeed(answers);
	const total = 64 * 1.25;
	transactions.read(actor, (work) => {
		const rows = work.tx.select().from(creditWallets).all();
		expect(rows).toMatchObject([{ granted: "30", consumed: `${total}`, balance: "0", overdraft: `${total - 30}` }]);
		const overdrafts = work.tx.select().from(creditGrants).where(eq(creditGrants.grantType, "OVERDRAFT")).all();
		expect(overdrafts.filter(({ status }) => status === "ACTIVE")).toMatchObject([{ consumed: `${total - 30}` }]);
	});
	expect(entriesOf("CREDITS_CONSUMPTION_TRANSFER_TARGET").length).toBeLessThanOrEqual(1);
	await stop();
}, 60_000);

test("concurrent grants settle an overdraft once, during further consumption", async () => {
	const { consume, grant, entriesOf, transactions, actor, stop } = await running("grants");
	await succeed([consume(40, "before")]);
	const consumptions = (from: number) => Array.from({ length: 24 }, (_, at) => consume(1, `key-${from + at}`));
	await succeed([...consumptions(0), grant(25), grant(30), ...consumptions(24), grant(200)]);
	const [wallet] = transactions.read(actor, (work) => work.tx.select().from(creditWallets).all());
	expect(wallet).toMatchObject({ granted: "255", consumed: "88", balance: "167", overdraft: "0" });
	const sum = (eventType: LedgerEventType) =>
		entriesOf(eventType).reduce((total, { amount }) => total + Number(amount), 0);
	const overdrawn = transactions
		.read(actor, (work) => work.tx.select().from(creditGrants).all())
		.filter(({ grantType }) => grantType === "OVERDRAFT");
	expect(overdrawn.filter(({ status }) => status !== "VOIDED")).toEqual([]);
	const ids = new Set(overdrawn.map(({ id }) => id));
	const taken = entriesOf("CREDITS_CONSUMED").filter(({ grantId }) => ids.has(grantId));
	const overdraft = taken.reduce((total, { amount }) => total + Number(amount), 0);
	expect(overdraft).toBeGreaterThanOrEqual(40);
	expect([sum("CREDITS_CONSUMPTION_TRANSFER_SOURCE"), sum("CREDITS_CONSUMPTION_TRANSFER_TARGET")]).toEqual([
		overdraft,
		overdraft,
	]);
	await stop();
}, 60_000);

test("concurrent consumptions below the threshold cause one recharge", async () => {
	const { server, of, consume, grant, stop } = await running("recharge");
	await succeed([
		grant(100),
		server.call("PUT", "/credits/auto-recharge", {
			...of,
			isEnabled: true,
			thresholdType: "CREDIT_AMOUNT",
			thresholdValue: 60,
			targetBalance: 500,
			maxSpendLimit: null,
			grantExpirationPeriod: "1_YEAR",
			unitPrice: { amount: 0.5, currency: "usd" },
		}),
	]);
	const recharges = async () =>
		(await server.call("GET", "/credits/grants?customerId=acme")).body.data.filter(
			({ grantType }: { grantType: string }) => grantType === "PAID",
		);
	// The first two pass the threshold; all others are below it.
	await succeed(Array.from({ length: 16 }, (_, at) => consume(45, `key-${at}`)));
	while ((await recharges()).length === 0) await Bun.sleep(20);
	await succeed(Array.from({ length: 16 }, (_, at) => consume(1, `more-${at}`)));
	// The scheduler carries out due steps within a second.
	await Bun.sleep(1500);
	expect(await recharges()).toMatchObject([{ status: "PAYMENT_PENDING" }]);
	expect((await server.call("GET", "/customers/acme/invoices")).body.data).toHaveLength(1);
	await stop();
}, 60_000);
