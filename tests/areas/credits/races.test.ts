import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { listEnvironments } from "../../../src/areas/access/operations";
import { systemActor } from "../../../src/areas/access/rules.actors";
import { checkChain, checkWallets } from "../../../src/areas/credits/audit/operations.check";
import { issueGrant } from "../../../src/areas/credits/operations.grant-life";
import { creditEntries, creditGrants, creditWallets } from "../../../src/areas/credits/table";
import { getCurrency } from "../../../src/areas/currencies/operations";
import { getCustomer } from "../../../src/areas/customers/operations";
import { openFolder } from "../../../src/files";
import type { Decimal } from "../../../src/kernel/decimal";
import { startServer, temporaryFolder } from "../../support/process";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);

test("64 consumptions of one wallet at once end in exactly their sum, and a grant that comes meanwhile settles once", async () => {
	const folder = join(parent, "data");
	const server = await startServer(folder, { TOLLGATE_HTTP_THREADS: "2" });
	await server.call("POST", "/customers", { id: "acme" });
	await server.call("POST", "/credits/custom-currencies", { id: "tokens", displayName: "Tokens" });
	const { db, transactions } = openFolder(folder);
	const [environment] = transactions.read(systemActor(""), listEnvironments);
	const actor = systemActor(environment?.id ?? "");
	const consume = (at: number) =>
		server.call("POST", "/credits/consumption", {
			customerId: "acme",
			currencyId: "tokens",
			amount: 1.25,
			// Sixteen are sent twice.
			idempotencyKey: `key-${at % 64}`,
		});
	const answers = Array.from({ length: 80 }, (_, at) => consume(at));
	// As another process does, between two groups of the server's.
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
	for (const { status } of await Promise.all(answers)) expect(status).toBeLessThan(300);
	const total = 64 * 1.25;
	transactions.read(actor, (work) => {
		const rows = work.tx.select().from(creditWallets).all();
		expect(rows).toMatchObject([{ granted: "30", consumed: `${total}`, balance: "0", overdraft: `${total - 30}` }]);
		const overdrafts = work.tx.select().from(creditGrants).where(eq(creditGrants.grantType, "OVERDRAFT")).all();
		expect(overdrafts.filter(({ status }) => status === "ACTIVE")).toMatchObject([{ consumed: `${total - 30}` }]);
		const settled = work.tx
			.select()
			.from(creditEntries)
			.where(eq(creditEntries.eventType, "CREDITS_CONSUMPTION_TRANSFER_TARGET"))
			.all();
		expect(settled.length).toBeLessThanOrEqual(1);
		expect([...checkChain(work), ...checkWallets(work)]).toEqual([]);
	});
	db.$client.close();
	await server.stop();
}, 60_000);
