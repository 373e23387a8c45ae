import { expect, test } from "bun:test";
import { acme } from "./samples";
import { invoiceWorld } from "./support";

test.each([
	["a complete issuer", {}, []],
	["no address", { address: null }, ["ISSUER_ADDRESS_MISSING"]],
	["no tax ID", { taxIds: [] }, ["ISSUER_TAX_ID_MISSING"]],
	["neither", { address: null, taxIds: [] }, ["ISSUER_ADDRESS_MISSING", "ISSUER_TAX_ID_MISSING"]],
])("an invoice warns of what its issuer lacked at its issue: %s", async (_, lacking, codes) => {
	const world = invoiceWorld(undefined, { ...acme, ...lacking });
	const invoice = world.issue();
	const path = `/customers/cust-1/invoices/${invoice.id}`;
	const codesOf = ({ warnings }: { readonly warnings: ReadonlyArray<{ readonly code: string }> }) =>
		warnings.map(({ code }) => code);
	expect(codesOf((await world.call("GET", path)).body.data)).toEqual(codes);
	expect(codesOf((await world.call("GET", "/invoices")).body.data[0])).toEqual(codes);
	// The issuer is complete now: invoices that were issued keep what they show, and their warning.
	const [{ id }] = (await world.call("GET", "/legal-entities")).body.data;
	const { address, taxIds } = acme;
	await world.call("PATCH", `/legal-entities/${id}`, { body: { address, taxIds } });
	expect(codesOf((await world.call("GET", path)).body.data)).toEqual(codes);
});
