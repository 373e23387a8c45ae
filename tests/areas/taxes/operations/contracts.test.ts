import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { checkContractBills } from "../../../../src/areas/contracts/billing/operations.check-cycles";
import { checkRates } from "../../../../src/areas/invoices/check/operations.rates";
import { draftWorld, fee, items, year } from "../../contracts/support";
import { textOf } from "../shop";

setDefaultTimeout(60_000);

async function contract(settings: object, ...rows: object[]) {
	const ours = await draftWorld();
	const send = async (method: string, path: string, body?: object) => {
		const answer = await ours.call(method, path, { body });
		if (answer.status > 201) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
		return answer.body.data;
	};
	for (const [id, percentage, isInclusive] of [
		["vat", 19, true],
		["city", 7, false],
	])
		await send("POST", "/taxes", { id, displayName: id, percentage, isInclusive });
	await send("PATCH", "/environments/current", settings);
	await send("POST", items, { ...year, items: rows });
	const schedule = async () => (await send("GET", "/contracts/C-1/billing/invoice-schedule")).invoices;
	return {
		...ours,
		send,
		schedule,
		invoices: async (): Promise<string[]> => (await send("GET", "/customers/acme/invoices?limit=100")).map(textOf),
		faults: () => ours.transactions.read(ours.actor, (work) => [...checkRates(work), ...checkContractBills(work)]),
	};
}

const flatFee = (price: number, more: object = {}) => ({ ...fee, rows: [{ price, quantity: 1 }], ...more });

describe("a contract's items", () => {
	test("have the taxes of the environment, unless they state a percentage", async () => {
		const ours = await contract(
			{ taxes: ["vat"] },
			flatFee(119, { externalId: "one" }),
			flatFee(100, { externalId: "two", name: "Own", tax: 10 }),
		);
		const [first] = await ours.schedule();
		expect(first).toMatchObject({ subTotal: 200, tax: 29, total: 229 });
		await ours.send("POST", "/contracts/C-1/billing/publish");
		expect(await ours.invoices()).toEqual(["200 - 0 + 29 = 229: Fee 100 | vat 19%: 19; Own 100"]);
		expect(ours.faults()).toEqual([]);
	});

	test("have those of the customer, and none if it is exempt", async () => {
		const ours = await contract({ taxes: ["vat"] }, flatFee(100));
		await ours.send("PATCH", "/customers/acme", { taxes: ["city"] });
		expect((await ours.schedule())[0]).toMatchObject({ subTotal: 100, tax: 7, total: 107 });
		await ours.send("PATCH", "/customers/acme/invoicing", { taxExemption: "EXEMPT" });
		expect((await ours.schedule())[0]).toMatchObject({ subTotal: 100, tax: 0, total: 100 });
	});

	test("are rounded together for an invoice if the environment says so", async () => {
		const ours = await contract(
			{ taxes: ["city"], taxRounding: "INVOICE" },
			...[1, 2, 3].map((at) => flatFee(0.33, { externalId: `e${at}`, name: `F${at}` })),
		);
		await ours.send("POST", "/contracts/C-1/billing/publish");
		expect(await ours.invoices()).toEqual([
			"0.99 - 0 + 0.07 = 1.06: F1 0.33 | city 7%: 0.03; F2 0.33 | city 7%: 0.02; F3 0.33 | city 7%: 0.02",
		]);
		expect(ours.faults()).toEqual([]);
	});
});
