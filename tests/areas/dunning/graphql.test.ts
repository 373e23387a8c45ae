import { expect, test } from "bun:test";
import { codes, data, nodes } from "../../graphql/ask";
import { mutate } from "../../graphql/mutate";
import { dunningSite } from "./site";

const policy = `{ id displayName status reminders retries { days buckets } end { action afterDays } texts { kind language subject text }
	appliesTo { isDefault legalEntityIds planIds } createdAt updatedAt }`;
const shownCase = `case { caseId customerId invoiceId invoiceNumber policyId policySource state waitingFor suspension { reason since untilDay } note
	next { kind days action at } problem { code } endReason startedAt endedAt }`;
const invoice = `{ invoiceId number state currency total amountDue dueDate isOverdue explanation lastAttempt { attemptId } ${shownCase}
	steps { round kind days outcome at mailId } }`;

test("policies are created, changed, listed, assigned and archived, as REST shows them", async () => {
	const site = await dunningSite(null);
	const run = async (name: string, input: object, selection = policy) =>
		(await mutate(site, name, input, { selection })).data[name];
	const end = { action: "PAUSE", afterDays: 42 };
	const text = { kind: "DUE", language: "de", subject: "Fällig", text: "{invoices}" };
	const made = await run("createDunningPolicy", { refId: "one", displayName: "One", end, texts: [text] });
	expect(made).toEqual((await site.send("GET", "/dunning-policies/one")).data);
	const changed = await run("updateDunningPolicy", { refId: "one", reminders: [1], appliesTo: { isDefault: true } });
	expect(changed).toMatchObject({ reminders: [1], end, appliesTo: { isDefault: true }, texts: [text] });
	const list = `query { dunningPolicies(input: {}) { edges { node ${policy} } } dunningPolicy(refId: "one") { id } }`;
	const found = await data(site, list, {});
	expect(nodes<object>(found.dunningPolicies)).toEqual([changed]);
	expect(found.dunningPolicy).toEqual({ id: "one" });
	const own = "{ customerId policyId isExempt applied { policyId source } }";
	expect(await run("updateCustomerDunning", { refId: "cust-1", policyId: "one" }, own)).toEqual({
		...{ customerId: "cust-1", policyId: "one", isExempt: false, applied: { policyId: "one", source: "CUSTOMER" } },
	});
	expect(await run("archiveDunningPolicy", { refId: "one" })).toMatchObject({ status: "ARCHIVED" });
	const refused = { refId: "two", displayName: "Two", end: { action: "WRITE_OFF", afterDays: 42 } };
	expect(codes(await mutate(site, "createDunningPolicy", refused, { selection: policy }))).toEqual([
		"InvalidArgumentError",
	]);
});

test("a case is suspended, resumed, stopped and started, as REST shows it", async () => {
	const site = await dunningSite();
	const { id } = await site.bill("2026-02-10");
	const on = { customerId: "cust-1", invoiceId: id };
	const run = async (verb: string, input: object = {}) => {
		const name = `${verb}InvoiceCollection`;
		return (await mutate(site, name, { ...on, ...input }, { selection: invoice })).data[name];
	};
	const suspended = await run("suspend", { reason: "PROMISE", untilDay: "2026-02-12" });
	expect(suspended.case.suspension).toMatchObject({ reason: "PROMISE", untilDay: "2026-02-12" });
	expect((await run("resume")).case.state).toBe("REMINDING");
	expect((await run("stop", { note: "done" })).case).toMatchObject({ endReason: "STOPPED", note: "done" });
	expect((await run("start", { policyId: "standard" })).case.policySource).toBeNull();
	await site.advance("2026-02-08T00:00:00Z");
	const asked = `query ($c: String!, $i: String!) { invoiceCollection(customerId: $c, invoiceId: $i) ${invoice}
		customerCollection(customerId: $c) { customerId timeZone policyId isExempt due { currency amount overdueAmount }
		hasMore invoices { invoiceId } } }`;
	const found = await data(site, asked, { c: "cust-1", i: id });
	expect(found.invoiceCollection).toEqual(await site.shown(id));
	expect(found.customerCollection).toEqual({
		...(await site.send("GET", "/customers/cust-1/collection")).data,
		invoices: [{ invoiceId: id }],
	});
	const none = { ...on, invoiceId: "none" };
	expect(codes(await mutate(site, "stopInvoiceCollection", none, { selection: invoice }))).toEqual(["InvoiceNotFound"]);
});

test("cases and mails are listed as REST lists them, filtered and bounded to the environment", async () => {
	const site = await dunningSite();
	await site.bill("2026-02-10");
	await site.advance("2026-02-08T00:00:00Z");
	const caseFields = shownCase.slice("case ".length).replace("problem { code }", "problem { code message }");
	const mail = "{ mailId customerId kind language recipient subject text status invoiceIds at sentAt }";
	const asked = `query ($s: DunningCaseState) { dunningCases(input: { customerId: "cust-1", state: $s }) { edges { node ${caseFields} } }
		dunningMails(input: { customerId: "cust-1" }) { edges { node ${mail} } } }`;
	const found = await data(site, asked, { s: "REMINDING" });
	expect(nodes<object>(found.dunningCases)).toEqual((await site.send("GET", "/dunning-cases")).data);
	expect(nodes<object>(found.dunningMails)).toEqual((await site.send("GET", "/customers/cust-1/reminders")).data);
	expect(nodes<object>((await data(site, asked, { s: "ENDED" })).dunningCases)).toEqual([]);
});
