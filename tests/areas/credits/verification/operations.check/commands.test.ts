import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { listEnvironments } from "../../../../../src/areas/access/operations";
import { systemActor } from "../../../../../src/areas/access/rules.actors";
import { consumeFromWallets } from "../../../../../src/areas/credits/operations.consume";
import { issueGrant } from "../../../../../src/areas/credits/operations.issue";
import { createCurrency } from "../../../../../src/areas/currencies/operations";
import { provisionCustomer } from "../../../../../src/areas/customers/operations";
import { openFolder } from "../../../../../src/files";
import type { Decimal } from "../../../../../src/kernel/decimal";
import { runTollgate, startServer, temporaryFolder } from "../../../../support/process";

const { folder: parent, remove } = temporaryFolder();
afterAll(remove);

test("the check names changed rows and ledger entries; the rebuild repairs rows from the ledger, and nothing else", async () => {
	const folder = join(parent, "data");
	await (await startServer(folder)).stop();
	const { db, transactions } = openFolder(folder);
	const [environment] = transactions.read(systemActor(""), listEnvironments);
	transactions.write(systemActor(environment?.id ?? ""), (work) => {
		const customerId = provisionCustomer(work, { id: "acme" }).id;
		const currencyId = createCurrency(work, { id: "tokens", displayName: "Tokens" }).id;
		const wallet = { customerId, currencyId, resourceRef: "" };
		const amount = (text: string) => text as Decimal;
		issueGrant(work, {
			...wallet,
			displayName: "Trial",
			grantType: "PROMOTIONAL",
			amount: amount("10"),
			effectiveAt: work.now,
			expireAt: null,
		});
		const draw = { wallet, at: work.now, featureId: null, dimensions: null };
		consumeFromWallets(work, [{ ...draw, amount: amount("12.5"), eventId: "one" }]);
	});
	const run = (sql: string): void => {
		db.$client.run(sql);
	};
	const check = () => runTollgate(folder, ["check"]);
	const rebuild = () => runTollgate(folder, ["credits", "rebuild"]);
	expect(await check()).toMatchObject({ status: 0, output: "sound\n" });
	run("UPDATE credit_wallets SET consumed = '12'");
	expect(await check()).toMatchObject({
		status: 1,
		output: expect.stringContaining("consumed is 12, the ledger gives 12.5"),
	});
	expect(await rebuild()).toMatchObject({
		status: 0,
		output: expect.stringContaining(": 1 wallets were rebuilt"),
	});
	expect(await check()).toMatchObject({ status: 0, output: "sound\n" });
	run("UPDATE credit_entries SET amount = '1' WHERE sequence = 2");
	expect(await check()).toMatchObject({ status: 1, output: expect.stringMatching(/^entry 2 of the credit ledger/) });
	expect(await rebuild()).toMatchObject({ status: 1, errors: expect.stringContaining("Nothing was changed: entry 2") });
	db.$client.close();
}, 60_000);
