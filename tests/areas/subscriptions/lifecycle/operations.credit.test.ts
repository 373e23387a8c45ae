import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { slowRuns } from "../../../support/runs";
import { flat, perUnit, type Till, till, units, used } from "../billing";

// Every step is a transaction on the disk; a busy machine needs its time for them.
setDefaultTimeout(60_000);

/** Credits the nth invoice of a customer manually (counted in a circle). Returns the status of the response. */
async function credit({ call, insist }: Till, nth: number, customer = "acme", body: object = {}): Promise<number> {
	const invoices = await insist("GET", `/customers/${customer}/invoices?limit=100`);
	const { invoiceId } = invoices[nth % invoices.length];
	return (await call("POST", `/customers/${customer}/invoices/${invoiceId}/credit-note`, { body })).status;
}

/** Voids the nth credit note of a customer, newest first. */
async function voidCreditNote({ call, insist }: Till, nth: number, customer = "acme"): Promise<number> {
	const notes = await insist("GET", `/customers/${customer}/credit-notes?limit=100`);
	if (notes.length === 0) return 404;
	const { creditNoteId } = notes[nth % notes.length];
	return (await call("POST", `/customers/${customer}/credit-notes/${creditNoteId}/void`)).status;
}

const balance = ({ insist }: Till, customer = "acme") => insist("GET", `/customers/${customer}/balance`);

const centsOf = (documents: Array<{ total: number }>) =>
	documents.reduce((sum, { total }) => sum + Math.round(total * 100), 0);

/**
 * Nothing here is charged by usage, so every charge may be credited once. Waiting charges are credited where they wait.
 */
async function expectNoMoreGivenThanCharged({ insist }: Till, customer: string): Promise<void> {
	const invoices = await insist("GET", `/customers/${customer}/invoices?limit=100`);
	const all = await insist("GET", `/customers/${customer}/credit-notes?limit=100`);
	const notes = all.filter(({ state }: { state: string }) => state === "ISSUED");
	for (const invoice of invoices) {
		const own = notes.filter(({ invoiceId }: { invoiceId: string }) => invoiceId === invoice.invoiceId);
		expect(centsOf(own)).toBeLessThanOrEqual(centsOf([invoice]));
	}
	expect(centsOf(notes)).toBeLessThanOrEqual(centsOf(invoices));
	const ofNone = notes.filter(({ invoiceId }: { invoiceId: string | null }) => invoiceId === null);
	expect(ofNone).toEqual([]);
}

async function sold() {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("pro", [flat({ month: 30 })]);
	await ours.plan("max", [flat({ month: 60 })]);
	await ours.plan("seats", [perUnit("seats", { month: 10 })]);
	return ours;
}

describe("a manually credited invoice", () => {
	test("is not credited again at the end, nor for its remaining usage", async () => {
		const ours = await sold();
		await ours.plan("metered", [flat({ month: 30 }), used("calls", { month: 1 })]);
		await ours.customer("other");
		const id = await ours.buy("pro");
		const other = await ours.buy("metered", { customerId: "other" });
		await ours.use("calls", 50, undefined, "other");
		await ours.advance("2026-05-01T00:00:00Z");
		expect(await credit(ours, 1)).toBe(201);
		expect(await credit(ours, 1, "other")).toBe(201);
		await ours.advance("2026-05-16T00:00:00Z");
		await ours.cancel(id);
		await ours.cancel(other);
		expect((await ours.books()).slice(1)).toEqual(["2026-05-01: 30 = pro 30", "2026-05-01: -30 = pro -30"]);
		expect((await ours.books("other")).slice(1)).toEqual([
			"2026-05-01: 80 = metered 30 + 50 Calls (metered) 50",
			"2026-05-01: -30 = metered -30",
		]);
		expect([...(await balance(ours)), ...(await balance(ours, "other"))]).toEqual([]);
	});

	test("in part credits unused time by its rest, and in full after the note is voided", async () => {
		const ours = await sold();
		const id = await ours.buy("pro");
		expect(await credit(ours, 0, "acme", { amount: 10 })).toBe(201);
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.cancel(id);
		expect(await ours.books()).toEqual([
			"2026-04-01: 30 = pro 30",
			"2026-04-01: -10 = pro -10",
			"2026-04-16: -10 = Unused time: pro -10",
		]);
		await ours.customer("other");
		const other = await ours.buy("pro", { customerId: "other" });
		expect(await credit(ours, 0, "other", { lines: [{ line: 1, amount: 12 }] })).toBe(201);
		expect(await voidCreditNote(ours, 0, "other")).toBe(200);
		await ours.advance("2026-05-01T00:00:00Z");
		await ours.cancel(other);
		const [, ...rest] = await ours.books("other");
		expect(rest).toEqual(["2026-04-16: -12 = pro -12", "2026-05-01: -15 = Unused time: pro -15"]);
		expect(await balance(ours, "other")).toEqual([]);
	});

	test("in part leaves the rest to be paid, which starts what waited; in full, nothing starts", async () => {
		const ours = await sold();
		const status = async (id: string) => (await ours.insist("GET", `/subscriptions/${id}`)).status;
		const pay = async (customer: string, amount: number) => {
			const [{ invoiceId }] = await ours.insist("GET", `/customers/${customer}/invoices`);
			await ours.insist("POST", `/customers/${customer}/invoices/${invoiceId}/payments`, { amount });
		};
		const id = await ours.buy("pro", { awaitPaymentConfirmation: true });
		await pay("acme", 25);
		expect(await status(id)).toBe("PAYMENT_PENDING");
		expect(await credit(ours, 0, "acme", { amount: 5 })).toBe(201);
		expect(await status(id)).toBe("ACTIVE");
		await ours.customer("other");
		const other = await ours.buy("pro", { customerId: "other", awaitPaymentConfirmation: true });
		await pay("other", 25);
		expect(await credit(ours, 0, "other")).toBe(201);
		expect(await status(other)).toBe("PAYMENT_PENDING");
		expect(await balance(ours, "other")).toEqual([{ amount: 25, currency: "usd" }]);
	});

	test("is not offset against a change whose charges stay the same", async () => {
		const ours = await sold();
		await ours.addon("boost", flat({ month: 10 }));
		const id = await ours.buy("seats", { ...units("seats", 2), addons: [{ id: "boost", quantity: 1 }] });
		await credit(ours, 0);
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.change(id, units("seats", 4));
		await ours.buy("max");
		expect(await ours.books()).toEqual([
			"2026-04-01: 30 = 2 Seats (seats) 20 + boost 10",
			"2026-04-01: -30 = 2 Seats (seats) -20 + boost -10",
			"2026-04-16: 20 = 4 Seats (seats) 20",
			"2026-04-16: 10 = 4 Unused time: Seats (seats) -20 + max 30",
		]);
	});

	test("credits less by the credits of later and waiting invoices", async () => {
		const ours = await sold();
		const later = { billingInformation: { prorationBehavior: "CREATE_PRORATIONS" } };
		await ours.customer("other");
		await ours.buy("pro");
		const other = await ours.buy("seats", { ...units("seats", 3), customerId: "other" });
		await ours.advance("2026-04-16T00:00:00Z");
		const id = await ours.buy("max");
		await ours.change(other, { ...units("seats", 6), ...later });
		expect([await credit(ours, 0), await credit(ours, 0, "other"), await credit(ours, 0)]).toEqual([201, 201, 404]);
		expect(await credit(ours, 1)).toBe(201);
		await ours.cancel(id);
		await ours.advance("2026-05-02T00:00:00Z");
		expect(await ours.books()).toEqual([
			"2026-04-01: 30 = pro 30",
			"2026-04-16: 15 = Unused time: pro -15 + max 30",
			"2026-04-16: -15 = pro -30 + Already credited by INV-000003 15",
			"2026-04-16: -15 = Unused time: pro 15 + max -30",
		]);
		expect(await ours.books("other")).toEqual([
			"2026-04-01: 30 = 3 Seats (seats) 30",
			"2026-04-16: -15 = 3 Seats (seats) -30 + Already credited by the next invoice 15",
			"2026-05-01: 75 = 3 Unused time: Seats (seats) -15 + 6 Seats (seats) 30 + 6 Seats (seats) 60",
		]);
	});

	test("is not credited again by the subscription that replaced it on another resource", async () => {
		const ours = await sold();
		await ours.insist("PATCH", "/products/app", { multipleSubscriptions: true });
		await ours.customer("other");
		const billingInformation = (prorationBehavior: string) => ({ billingInformation: { prorationBehavior } });
		const on = (resourceId: string, customerId = "acme") => ({ resourceId, customerId });
		await ours.buy("pro", on("a"));
		await ours.buy("pro", on("a", "other"));
		await ours.advance("2026-04-16T00:00:00Z");
		const waits = await ours.buy("max", { ...on("a"), ...billingInformation("CREATE_PRORATIONS") });
		const keeps = await ours.buy("max", { ...on("a", "other"), ...billingInformation("NONE") });
		for (const id of [waits, keeps])
			await ours.insist("POST", `/subscriptions/${id}/transfer`, { destinationResourceId: "b" });
		expect(await credit(ours, 0)).toBe(201);
		expect(await credit(ours, 0, "other")).toBe(201);
		await ours.cancel(keeps);
		await ours.advance("2026-05-01T00:00:00Z");
		// The next invoice credits half of it.
		expect(await ours.books()).toEqual([
			"2026-04-01: 30 = pro 30",
			"2026-04-16: -15 = pro -30 + Already credited by the next invoice 15",
			"2026-05-01: 75 = Unused time: pro -15 + max 30 + max 60",
		]);
		// The next subscription continued the charge; it is credited in full, so its end credits nothing more.
		expect(await ours.books("other")).toEqual(["2026-04-01: 30 = pro 30", "2026-04-16: -30 = pro -30"]);
		expect([...(await balance(ours)), ...(await balance(ours, "other"))]).toEqual([]);
	});

	test("no longer pays for usage with its minimum spend, on time or late", async () => {
		const ours = await sold();
		await ours.plan("least", [used("calls", { month: 1 })], {
			minimumSpend: [{ billingPeriod: "MONTHLY", minimum: { amount: 100, currency: "usd" } }],
		});
		await ours.buy("least");
		await ours.use("calls", 10);
		await ours.advance("2026-05-02T00:00:00Z");
		await ours.use("calls", 70);
		await credit(ours, 0);
		await credit(ours, 1);
		await ours.use("calls", 5, "2026-04-02T00:00:00Z");
		await ours.advance("2026-06-02T00:00:00Z");
		expect((await ours.books()).slice(1)).toEqual([
			"2026-05-01: 100 = Minimum spend 100 + 10 Calls (least) 10 + Covered by the minimum spend -10",
			"2026-05-02: -100 = Minimum spend -100",
			"2026-05-02: -100 = Minimum spend -100",
			"2026-06-01: 175 = Minimum spend 100 + 70 Calls (least) 70 + 5 Calls (least) 5",
		]);
	});
});

describe("a credit", () => {
	test("for a charge that waits for the next invoice is offset there", async () => {
		const ours = await sold();
		const later = { billingInformation: { prorationBehavior: "CREATE_PRORATIONS" } };
		const id = await ours.buy("seats", units("seats", 3));
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.change(id, { ...units("seats", 6), ...later });
		await ours.advance("2026-04-21T00:00:00Z");
		const now = { billingInformation: { prorationBehavior: "INVOICE_IMMEDIATELY" } };
		await ours.change(id, { ...units("seats", 1), ...now });
		expect(await ours.books()).toEqual([
			"2026-04-01: 30 = 3 Seats (seats) 30",
			"2026-04-21: 3.33 = Seats (seats) 3.33",
		]);
		await ours.advance("2026-05-02T00:00:00Z");
		expect((await ours.books()).slice(2)).toEqual([
			"2026-05-01: 5 = 3 Unused time: Seats (seats) -15 + 6 Seats (seats) 30 + 6 Unused time: Seats (seats) -20 + Seats (seats) 10",
		]);
		expect(await balance(ours)).toEqual([]);
	});

	test("at an end is at most the amount charged here, without charges of another system", async () => {
		const ours = await sold();
		await ours.customer("down");
		const id = await ours.buy("seats", { startDate: "2026-03-31T00:00:00Z", ...units("seats", 3) });
		const down = await ours.buy("seats", {
			startDate: "2026-03-31T00:00:00Z",
			...units("seats", 3),
			customerId: "down",
		});
		await ours.advance("2026-04-15T00:00:00Z");
		await ours.change(id, units("seats", 6));
		await ours.change(down, units("seats", 2));
		await ours.cancel(id);
		await ours.cancel(down);
		expect(await ours.books()).toEqual([
			"2026-04-15: 15 = 3 Unused time: Seats (seats) -15 + 6 Seats (seats) 30",
			"2026-04-15: -15 = 6 Unused time: Seats (seats) -30 + 3 Not charged here: Seats (seats) 15",
		]);
		// The difference pays the next invoices; the end credits nothing more.
		expect(await ours.books("down")).toEqual([
			"2026-04-15: -5 = 3 Unused time: Seats (seats) -15 + 2 Seats (seats) 10",
		]);
		expect(await balance(ours, "down")).toEqual([{ amount: 5, currency: "usd" }]);
	});

	test("never exceeds the charge of an invoice, nor all charges, in any history", async () => {
		const ours = await sold();
		const acts = fc.array(
			fc.record({
				act: fc.constantFrom(
					"buy",
					"buy",
					"change",
					"credit",
					"credit",
					"part",
					"part",
					"void",
					"void",
					"cancel",
					"pay",
					"wait",
				),
				plan: fc.constantFrom("pro", "max", "seats"),
				behavior: fc.constantFrom("INVOICE_IMMEDIATELY", "CREATE_PRORATIONS", "NONE"),
				n: fc.integer({ min: 1, max: 9 }),
			}),
			{ minLength: 6, maxLength: 12 },
		);
		const one = (act: "part" | "void" | "credit", n: number) => ({ act, plan: "pro", behavior: "NONE", n }) as const;
		// Random histories credit only if something is charged, so some histories are fixed.
		const examples = [2, 3, 4, 5].map((n): [ReturnType<typeof one>[]] => [
			[one("part", n), one("void", n), one("part", n), one("credit", n)],
		]);
		let customers = 0;
		let now = Date.parse("2026-04-01T00:00:00Z");
		let credits = 0;
		let parts = 0;
		let voided = 0;
		await fc.assert(
			fc.asyncProperty(acts, async (all) => {
				customers += 1;
				const customer = `c${customers}`;
				await ours.customer(customer);
				let id = await ours.buy("pro", { customerId: customer });
				for (const { act, plan, behavior, n } of all) {
					const asked = { billingInformation: { prorationBehavior: behavior } };
					const of = plan === "seats" ? units("seats", n) : {};
					if (act === "wait") {
						now += n * 86_400_000;
						await ours.advance(new Date(now).toISOString());
					} else if (act === "buy") id = await ours.buy(plan, { ...asked, ...of, customerId: customer });
					else if (act === "credit") credits += (await credit(ours, n, customer)) === 201 ? 1 : 0;
					else if (act === "part") {
						const body = n % 2 === 0 ? { amount: n * 2.37 } : { lines: [{ line: 1, amount: n * 1.11 }] };
						parts += (await credit(ours, n, customer, body)) === 201 ? 1 : 0;
					} else if (act === "void") voided += (await voidCreditNote(ours, n, customer)) === 200 ? 1 : 0;
					else if (act === "pay") await ours.call("POST", `/subscriptions/${id}/invoice/paid`);
					else if (act === "cancel") await ours.call("POST", `/subscriptions/${id}/cancel`, { body: {} });
					else await ours.call("PATCH", `/subscriptions/${id}`, { body: { ...asked, ...units("seats", n) } });
					await expectNoMoreGivenThanCharged(ours, customer);
				}
				await ours.call("POST", `/subscriptions/${id}/cancel`, { body: {} });
				await expectNoMoreGivenThanCharged(ours, customer);
			}),
			{ ...slowRuns(15), examples },
		);
		expect(credits).toBeGreaterThan(3);
		expect(parts).toBeGreaterThan(3);
		expect(voided).toBeGreaterThan(0);
	});

	test("for a pending invoice pays for no usage after its payment", async () => {
		const ours = await sold();
		await ours.plan("least", [used("calls", { month: 1 })], {
			minimumSpend: [{ billingPeriod: "MONTHLY", minimum: { amount: 100, currency: "usd" } }],
		});
		await ours.plan("dear", [flat({ month: 200 })]);
		await ours.buy("least");
		await ours.use("calls", 80);
		await ours.advance("2026-04-16T00:00:00Z");
		const id = await ours.buy("dear", { awaitPaymentConfirmation: true });
		await ours.insist("POST", `/subscriptions/${id}/invoice/paid`);
		await ours.insist("POST", `/subscriptions/${id}/cancel`, {});
		expect((await ours.books()).slice(1)).toEqual([
			"2026-04-16: 50 = Unused time: Minimum spend -50 + dear 100",
			"2026-04-16: 30 = 80 Calls (least) 80 + Covered by the minimum spend -50",
			"2026-04-16: -50 = Unused time: dear -50",
			"2026-04-16: -50 = Unused time: dear -50",
		]);
	});

	test("goes to the invoiced customer, even after a change of payer", async () => {
		const ours = await sold();
		await ours.customer("payer");
		const id = await ours.buy("pro");
		await ours.insist("POST", `/subscriptions/${id}/delegate`, { targetCustomerId: "payer" });
		await ours.advance("2026-04-16T00:00:00Z");
		await ours.cancel(id);
		expect(await ours.books()).toEqual(["2026-04-01: 30 = pro 30", "2026-04-16: -15 = Unused time: pro -15"]);
		expect([...(await ours.books("payer")), ...(await balance(ours, "payer"))]).toEqual([]);
	});
});
