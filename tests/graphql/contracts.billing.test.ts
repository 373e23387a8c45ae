import { describe, expect, test } from "bun:test";
import { billedWorld, contractOf, contractWorld, draftWorld, fee, items, year } from "../areas/contracts/support";
import { type World, world } from "../support/world";
import { ask, codes, data } from "./ask";
import { mutate } from "./mutate";

const contractId = "C-1";
const path = `/contracts/${contractId}`;
const lineFields = "itemId description quantity unitPrice amount discount tax total periodStart periodEnd";
const invoiceFields = `invoiceId number status issueDate dueDate periodStart periodEnd currency
	subTotal discount tax total lines { ${lineFields} }`;
const schedule = `query ($refId: String!, $count: Int) { contractInvoiceSchedule(refId: $refId, count: $count) {
	isPreview invoiceCount total invoices { ${invoiceFields} } } }`;
const next = `query ($refId: String!) { contractNextInvoice(refId: $refId) { ${invoiceFields} } }`;
const publication = {
	selection: `{ contractId isAmendment totalBefore totalAfter items { itemId name change totalBefore totalAfter }
		invoicesNow { ${invoiceFields} } laterCount laterTotal creditedNow }`,
};

const rest = async ({ call }: World, method: string, at: string, body?: object) => {
	const answer = await call(method, at, body && { body });
	expect(answer.status).toBeLessThan(300);
	return answer.body.data;
};

interface Scheduled {
	readonly invoiceNumber: string | null;
	readonly state: string;
	readonly currency: string;
	readonly lineItems: readonly object[];
}

/** An invoice as REST shows it, in GraphQL's words. */
const inWords = ({ invoiceNumber, state, currency, lineItems, ...same }: Scheduled) => ({
	...same,
	number: invoiceNumber,
	status: state,
	currency: currency.toUpperCase(),
	lines: lineItems,
});

describe("the invoices of a contract", () => {
	test("a draft's schedule, what publishing would do, and the live contract's schedule are REST's", async () => {
		const here = await draftWorld(year);
		await rest(here, "POST", items, { items: [fee], ...year });
		const bySchedule = async (count?: number) => {
			const expected = await rest(here, "GET", `${path}/billing/invoice-schedule${count ? `?count=${count}` : ""}`);
			const { contractInvoiceSchedule } = await data(here, schedule, { refId: contractId, count });
			expect(contractInvoiceSchedule).toEqual({ ...expected, invoices: expected.invoices.map(inWords) });
			return contractInvoiceSchedule;
		};
		const draft = await bySchedule();
		expect(draft).toMatchObject({ isPreview: true, invoiceCount: 12, total: 1200 });
		expect(draft.invoices[0].status).toBe("CONTRACT_DRAFT");

		const expected = await rest(here, "POST", `${path}/billing/publish?dryRun=true`);
		const { data: rehearsed } = await mutate(here, "previewContractPublication", { contractId }, publication);
		expect(rehearsed.previewContractPublication).toEqual({
			...expected,
			invoicesNow: expected.invoicesNow.map(inWords),
		});
		expect(rehearsed.previewContractPublication).toMatchObject({ isAmendment: false, totalBefore: null });
		expect((await rest(here, "GET", path)).billingState).toBe("DRAFT");
		expect(await rest(here, "GET", "/customers/acme/invoices")).toEqual([]);

		await mutate(here, "publishContract", { contractId });
		const live = await bySchedule(3);
		expect(live.invoices.map(({ status }: { status: string }) => status)).toEqual(["OPEN", "SCHEDULED", "SCHEDULED"]);
		expect(live.invoiceCount).toBe(12);
		const { contractNextInvoice } = await data(here, next, { refId: contractId });
		expect(contractNextInvoice).toEqual(inWords(await rest(here, "GET", `${path}/billing/next-invoice`)));
		expect(contractNextInvoice).toEqual(live.invoices[1]);
	});

	test("shows the changes of an amendment before it is in force", async () => {
		const here = await billedWorld();
		await rest(here, "PATCH", `${path}/billing/terms`, { netTerms: 30 });
		await mutate(here, "publishContract", { contractId });
		await mutate(here, "amendContract", { contractId });
		await mutate(here, "addContractItems", {
			contractId,
			items: [{ name: "More", rows: [{ price: 5 }], netTerms: 30 }],
		});
		const { previewContractPublication: shown } = (
			await mutate(here, "previewContractPublication", { contractId }, publication)
		).data;
		expect(shown.isAmendment).toBe(true);
		expect(shown.items.map(({ name, change }: { name: string; change: string }) => `${name} ${change}`)).toEqual([
			"Fee UNCHANGED",
			"Seats UNCHANGED",
			"More ADDED",
		]);
		await mutate(here, "discardContractAmendment", { contractId });
		expect((await rest(here, "GET", `${path}/billing/summary`)).items).toHaveLength(2);
	});

	test("without a next invoice is null; a draft has none to show", async () => {
		const here = await draftWorld(year);
		await rest(here, "POST", items, { items: [{ ...fee, billingCycleUnit: "one_time" }], ...year });
		expect(codes(await ask(here, next, { refId: contractId }))).toEqual(["InvoicePreviewNotAvailableForDraftContract"]);
		await mutate(here, "publishContract", { contractId });
		expect(await data(here, next, { refId: contractId })).toEqual({ contractNextInvoice: null });
	});

	test("renewal is shown, set, and ended", async () => {
		const here = await contractWorld();
		const selection = "{ renewal { months noticePeriodDays upliftPercentage } }";
		const renewal = { autoRenew: true, months: 6, noticePeriodDays: 30, upliftPercentage: 2.5 };
		const created = await mutate(here, "createOneContract", { ...contractOf(), ...year, renewal }, { selection });
		expect(created.data.createOneContract.renewal).toEqual((await rest(here, "GET", path)).renewal);
		expect(created.data.createOneContract.renewal).toEqual({ months: 6, noticePeriodDays: 30, upliftPercentage: 2.5 });
		const changed = await mutate(
			here,
			"updateOneContract",
			{ contractId, renewal: { autoRenew: true } },
			{ selection },
		);
		expect(changed.data.updateOneContract.renewal).toEqual((await rest(here, "GET", path)).renewal);
		const ended = await mutate(here, "updateOneContract", { contractId, renewal: { autoRenew: false } }, { selection });
		expect(ended.data.updateOneContract).toEqual({ renewal: null });
		const tooLong = { contractId, renewal: { autoRenew: true, months: 121 } };
		expect(codes(await mutate(here, "updateOneContract", tooLong))).toEqual(["BadUserInput"]);
	});

	test("shows the usage as REST does", async () => {
		const here = await draftWorld();
		await rest(here, "POST", "/features", {
			...{ id: "calls", displayName: "Calls", featureType: "NUMBER", meterType: "INCREMENTAL" },
		});
		const filters = [{ conditions: [{ field: "eventName", operation: "EQUALS", value: "call" }] }];
		const meter = { filters, aggregation: { function: "SUM", field: "n" } };
		await rest(here, "PATCH", "/features/calls", { meter });
		const used = {
			name: "Calls",
			itemName: "calls",
			pricingModelId: "usage-tiered",
			rows: [{ price: 2 }],
			netTerms: 9,
		};
		const later = { activationStartDate: "2026-06-01T00:00:00Z", activationEndDate: "2026-12-01T00:00:00Z" };
		await rest(here, "POST", items, { items: [used, { ...used, ...later }], ...year });
		await mutate(here, "publishContract", { contractId });
		const event = { eventName: "call", customerId: "acme", idempotencyKey: "1", dimensions: { n: 7 } };
		await rest(here, "POST", "/events", { events: [event] });
		here.countUsage();
		const selection = `{ reported { itemId featureId quantity periodStart periodEnd } failed { itemId featureId message }
			skipped { itemId featureId message } }`;
		const { refreshContractUsage: read } = (await mutate(here, "refreshContractUsage", { contractId }, { selection }))
			.data;
		expect(read).toEqual(await rest(here, "POST", `${path}/usage/refresh`));
		expect(read).toMatchObject({ reported: [{ featureId: "calls", quantity: 7 }], failed: [], skipped: [{}] });
	});
});

describe("refused", () => {
	const here = world();
	test.each([
		["contractInvoiceSchedule", schedule],
		["contractNextInvoice", next],
	])("%s: what is not there, and what is not to be seen", async (_, query) => {
		expect(codes(await ask(here, query, { refId: "nothing" }))).toEqual(["ContractNotFound"]);
		const key = here.scopedKey("INVOICE:READ");
		expect(codes(await ask(here, query, { refId: contractId }, { key }))).toEqual(["AccessDeniedError"]);
	});

	test.each(["previewContractPublication", "refreshContractUsage"])(
		"%s: what is not there, and what is not to be done",
		async (name) => {
			expect(codes(await mutate(here, name, { contractId: "nothing" }))).toEqual(["ContractNotFound"]);
			const key = here.scopedKey("CONTRACT:READ");
			expect(codes(await mutate(here, name, { contractId }, { key }))).toEqual(["AccessDeniedError"]);
		},
	);

	test("no billing half, nothing to publish, and a count out of bounds", async () => {
		const bare = await draftWorld({ setupBilling: false });
		for (const query of [schedule, next])
			expect(codes(await ask(bare, query, { refId: contractId }))).toEqual(["BillingContractOperationRejected"]);
		const draft = await draftWorld();
		expect(codes(await mutate(draft, "previewContractPublication", { contractId }))).toEqual([
			"BillingContractOperationRejected",
		]);
		for (const count of [0, -1, 1001])
			expect(codes(await ask(draft, schedule, { refId: contractId, count }))).toEqual(["BadUserInput"]);
		expect(codes(await ask(draft, schedule, { refId: contractId }, { key: draft.foreignKey }))).toEqual([
			"ContractNotFound",
		]);
	});
});
