import { expect, test } from "bun:test";
import { provisionCustomer } from "../../../src/areas/customers/operations";
import { world } from "../../support/world";

function customerWorld() {
	const here = world();
	here.transactions.write(here.actor, (work) => provisionCustomer(work, { id: "acme" }));
	const path = "/customers/acme/invoicing";
	return {
		...here,
		change: (body: object) => here.call("PATCH", path, { body }),
		invoicing: async () => (await here.call("GET", path)).body.data,
	};
}

const provision = "§ 4 Nr. 11 UStG";

test("a provision belongs to the exemption that it was given for: another exemption, or none, drops it", async () => {
	const { change, invoicing } = customerWorld();
	await change({ taxExemption: "EXEMPT", taxExemptionProvision: provision });
	expect(await invoicing()).toMatchObject({ taxExemption: "EXEMPT", taxExemptionProvision: provision });
	await change({ cashDiscount: { percentage: 2.5, days: 14 } });
	await change({ taxExemption: "EXEMPT" });
	expect(await invoicing()).toEqual({
		customerId: "acme",
		legalEntityId: null,
		taxExemption: "EXEMPT",
		taxExemptionProvision: provision,
		cashDiscount: { percentage: 2.5, days: 14 },
	});
	await change({ taxExemption: "REVERSE_CHARGE" });
	expect(await invoicing()).toMatchObject({ taxExemption: "REVERSE_CHARGE", taxExemptionProvision: null });
	await change({ taxExemptionProvision: "§ 13b UStG" });
	await change({ taxExemption: null });
	expect(await invoicing()).toMatchObject({ taxExemption: null, taxExemptionProvision: null });
});

test.each([
	["without an exemption", { taxExemptionProvision: provision }, "InvalidArgumentError"],
	["with the exemption taken away", { taxExemption: null, taxExemptionProvision: provision }, "InvalidArgumentError"],
	["of nothing", { taxExemption: "EXEMPT", taxExemptionProvision: "" }, "BadUserInput"],
	["of blanks", { taxExemption: "EXEMPT", taxExemptionProvision: "   " }, "BadUserInput"],
	["of two lines", { taxExemption: "EXEMPT", taxExemptionProvision: "a\nb" }, "BadUserInput"],
	["of 201 characters", { taxExemption: "EXEMPT", taxExemptionProvision: "a".repeat(201) }, "BadUserInput"],
])("a provision is refused %s", async (_, body, code) => {
	const { change, invoicing } = customerWorld();
	expect(await change(body)).toMatchObject({ status: 400, body: { code } });
	expect(await invoicing()).toMatchObject({ taxExemption: null, taxExemptionProvision: null });
});

test("GraphQL reads and changes a customer's invoicing as REST does", async () => {
	const { call, invoicing } = customerWorld();
	const fields = "customerId legalEntityId taxExemption taxExemptionProvision cashDiscount { percentage days }";
	const query = `mutation ($input: UpdateCustomerInvoicingInput!) { updateCustomerInvoicing(input: $input) { ${fields} } }`;
	const ask = async (input: object) =>
		(await call("POST", "/graphql", { body: { query, variables: { input: { customerId: "acme", ...input } } } })).body;
	const terms = { taxExemption: "EXEMPT", taxExemptionProvision: provision, cashDiscount: { percentage: 2, days: 10 } };
	const { data } = await ask(terms);
	expect(data.updateCustomerInvoicing).toEqual({ customerId: "acme", legalEntityId: null, ...terms });
	expect(await invoicing()).toEqual(data.updateCustomerInvoicing);
	const shown = `{ getCustomerByRefId(input: { customerId: "acme" }) { invoicing { ${fields} } } }`;
	const read = (await call("POST", "/graphql", { body: { query: shown } })).body;
	expect(read.data.getCustomerByRefId.invoicing).toEqual(data.updateCustomerInvoicing);
	expect((await ask({ taxExemption: null, taxExemptionProvision: provision })).errors[0].extensions.code).toBe(
		"InvalidArgumentError",
	);
});
