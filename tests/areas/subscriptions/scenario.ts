import { beforeAll, beforeEach, expect } from "bun:test";
import { getCustomer } from "../../../src/areas/customers/operations";
import { updateInvoicing } from "../../../src/areas/customers/operations.invoicing";
import { archiveLegalEntity, createLegalEntity } from "../../../src/areas/legal-entities/operations";
import { runDueSteps } from "../../../src/areas/subscriptions/lifecycle/operations.due";
import { type Instant, parseInstant } from "../../../src/kernel/clock";
import type { Work } from "../../../src/kernel/work";
import { type Answer, testNow, type World } from "../../support/world";
import { maker } from "../packages/catalogue";
import { annually, flat, paid, perUnit, usd } from "../packages/prices";
import { provision, shop } from "./shop";

const both = (monthlyAmount: number, yearlyAmount: number) =>
	flat(monthlyAmount, annually({ price: usd(yearlyAmount) }));
const seatsAt = (monthlyAmount: number, yearlyAmount: number) =>
	perUnit({
		pricePeriods: [{ billingPeriod: "MONTHLY", price: usd(monthlyAmount) }, annually({ price: usd(yearlyAmount) })],
	});

const journey = { subscriptionStartSetup: "PLAN_SELECTION", subscriptionEndSetup: "CANCEL_SUBSCRIPTION" };

/**
 * In addition to the shop: the product `slow`, which lets downgrades wait, cancels at the end of the period and goes on with
 * `slow-free` (`slow-basic` is 10 a month and 2 a seat, `slow-pro` 30 and 5, the addon `boost` 4); the product `trials`
 * (`try`: 30 a month, 14 days and then paid; `taste`: 8, 7 days and then over; `plain`: 50 and no trial; `gratis`); and the
 * product `many`, which allows several subscriptions (`site`: 6 a month).
 */
async function stockProducts(ours: World): Promise<void> {
	const make = maker(ours);
	const product = async (id: string, settings: object) => {
		await make.product(id);
		const { status, body } = await ours.call("PATCH", `/products/${id}`, { body: settings });
		expect({ status, body }).toMatchObject({ status: 200 });
	};
	const plan = async (id: string, productId: string, charges: object, more: object = {}) => {
		await make.plan(id, { displayName: id, productId, ...more });
		await make.charge(`/plans/${id}`, charges);
		await make.publish(`/plans/${id}`);
	};
	await product("slow", {});
	await plan("slow-free", "slow", { pricingType: "FREE" });
	await plan("slow-basic", "slow", paid(both(10, 100), seatsAt(2, 20)));
	await plan("slow-pro", "slow", paid(both(30, 300), seatsAt(5, 50)));
	await make.addon("boost", { displayName: "boost", productId: "slow" });
	await make.charge("/addons/boost", paid(both(4, 40)));
	await make.publish("/addons/boost");
	await ours.call("PATCH", "/products/slow", {
		body: {
			productSettings: {
				...journey,
				subscriptionEndSetup: "DOWNGRADE_TO_FREE",
				downgradePlanId: "slow-free",
				subscriptionCancellationTime: "END_OF_BILLING_PERIOD",
				prorateAtEndOfBillingPeriod: true,
			},
		},
	});
	await product("trials", {});
	const trial = (duration: number, trialEndBehavior: string) => ({
		defaultTrialConfig: { duration, units: "DAY", trialEndBehavior },
	});
	await plan("try", "trials", paid(flat(30)), trial(14, "CONVERT_TO_PAID"));
	await plan("taste", "trials", paid(flat(8)), trial(7, "CANCEL_SUBSCRIPTION"));
	await plan("plain", "trials", paid(flat(50)));
	await plan("gratis", "trials", { pricingType: "FREE" });
	await product("many", { multipleSubscriptions: true });
	await plan("site", "many", paid(flat(6)));
}

/** Dates never run against an issuer's numbers, and the clock stands at its beginning for each customer. */
function invoicedByItself(work: Work, customerId: string): void {
	const name = customerId.replace("customer-", "C");
	const numberFormat = { invoicePrefix: `${name}I-`, creditNotePrefix: `${name}N-` };
	const issuer = createLegalEntity(work, { name, numberFormat });
	updateInvoicing(work, customerId, { legalEntityId: issuer.entity.id });
	archiveLegalEntity(work, issuer);
}

/** One world for a file of tests: every test has customers of its own, and the clock stands at its beginning again. */
export function scenario() {
	let ours: World;
	let customers = 0;
	beforeAll(async () => {
		ours = await shop();
		await stockProducts(ours);
	}, 60_000);
	beforeEach(() => {
		ours.clock.at = testNow;
	});
	const at = (iso: string): void => {
		const instant = parseInstant(iso);
		if (instant === undefined) throw new Error(`${iso} is no instant`);
		ours.clock.at = instant as Instant;
	};
	const settle = (customerId: string): void =>
		ours.transactions.write(ours.actor, (work) => runDueSteps(work, getCustomer(work, customerId).id));
	const get = async (id: string) => (await ours.call("GET", `/subscriptions/${id}`)).body.data;
	const post = (path: string, body?: object): Promise<Answer> =>
		ours.call("POST", path, body === undefined ? {} : { body });
	return {
		get world() {
			return ours;
		},
		/** A customer of its own. */
		customer: async (body: object = {}): Promise<string> => {
			customers += 1;
			const id = `customer-${customers}`;
			const { status } = await post("/customers", { id, ...body });
			expect(status).toBe(201);
			ours.transactions.write(ours.actor, (work) => invoicedByItself(work, id));
			return id;
		},
		at,
		/** TimeSlices the clock, and carries out what is due for the customer by then, as the scheduler does. */
		turn: (customerId: string, iso: string): void => {
			at(iso);
			settle(customerId);
		},
		get,
		post,
		provision: (body: object) => provision(ours, body),
		patch: (id: string, body: object): Promise<Answer> => ours.call("PATCH", `/subscriptions/${id}`, { body }),
		cancel: (id: string, body?: object): Promise<Answer> => post(`/subscriptions/${id}/cancel`, body),
		remove: (path: string): Promise<Answer> => ours.call("DELETE", path),
		/** The statuses and reasons of all of a customer's subscriptions, newest first. */
		states: async (customerId: string) =>
			(await ours.call("GET", `/subscriptions?customerId=${customerId}&limit=100`)).body.data.map(
				({ planId, status, cancelReason }: Answer["body"]) =>
					cancelReason === null ? `${planId} ${status}` : `${planId} ${status} ${cancelReason}`,
			) as string[],
		/** A customer's invoices as "date total state", oldest first. */
		bills: async (customerId: string) =>
			(await ours.call("GET", `/customers/${customerId}/invoices?limit=100`)).body.data.map(
				({ issueDate, total, state }: Answer["body"]) => `${issueDate.slice(0, 10)} ${total} ${state}`,
			) as string[],
		/** The credit notes, as "date total reason", oldest first. */
		notes: async (customerId: string) =>
			(await ours.call("GET", `/customers/${customerId}/credit-notes?limit=100`)).body.data
				.map(({ issueDate, total, reasonCode }: Answer["body"]) => `${issueDate.slice(0, 10)} ${total} ${reasonCode}`)
				.toReversed() as string[],
	};
}
