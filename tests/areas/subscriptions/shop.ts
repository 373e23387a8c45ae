import { type Answer, preparedWorld, type World } from "../../support/world";
import { maker, metered, region, seats } from "../packages/catalogue";

const usd = (amount: number) => ({ amount, currency: "usd" });
const flat = (monthly: number, annually?: number) => ({
	billingModel: "FLAT_FEE",
	pricePeriods: [
		{ billingPeriod: "MONTHLY", price: usd(monthly) },
		...(annually === undefined ? [] : [{ billingPeriod: "ANNUALLY", price: usd(annually) }]),
	],
});

/**
 * The catalogue, all published but `draft`: the plans `free`, `pro` (20 a month or 200 a year, and 5 or 50 a seat),
 * `basic` (9.99 a month) and `custom`; the addons `extra` (3.33, at most 3 of them), `needy` (needs `extra`) and `alien`,
 * which goes with no plan; the coupons `TEN` (10 %), `FIVE` (5 dollars) and `OLD` (archived); the customer `acme`.
 */
export const shop = (): Promise<World> => preparedWorld("shop", stock);

export async function stock(ours: World): Promise<void> {
	const make = maker(ours);
	const sell = async (path: string, pricingType: string, ...pricingModels: object[]) => {
		await make.charge(path, { pricingType, pricingModels });
	};
	await make.product();
	await make.feature("sso");
	await make.feature("calls", metered);
	await make.feature("seats", { ...seats, displayName: "Seats" });
	await make.feature("region", region);
	await make.currency("gold");
	await make.plan("free");
	await make.entitle("/plans/free", { type: "FEATURE", id: "calls", usageLimit: 10 });
	await sell("/plans/free", "FREE");
	await make.plan("pro", { displayName: "Pro" });
	await make.entitle(
		"/plans/pro",
		{ type: "FEATURE", id: "sso" },
		{
			type: "FEATURE",
			id: "calls",
			usageLimit: 1000,
			resetPeriod: "MONTH",
			monthlyResetPeriodConfiguration: { accordingTo: "SubscriptionStart" },
		},
		{ type: "FEATURE", id: "region", enumValues: ["eu"] },
		{ type: "CREDIT", id: "gold", amount: 100, cadence: "MONTH" },
	);
	await sell("/plans/pro", "PAID", flat(20, 200), {
		billingModel: "PER_UNIT",
		featureId: "seats",
		minUnitQuantity: 1,
		maxUnitQuantity: 50,
		pricePeriods: [
			{ billingPeriod: "MONTHLY", price: usd(5) },
			{ billingPeriod: "ANNUALLY", price: usd(50) },
		],
	});
	await make.plan("basic", { displayName: "Basic" });
	await sell("/plans/basic", "PAID", flat(9.99));
	await make.plan("custom");
	await sell("/plans/custom", "CUSTOM");
	await make.plan("draft");
	for (const id of ["extra", "needy", "alien"]) await make.addon(id, { displayName: id });
	await make.entitle("/addons/extra", { type: "FEATURE", id: "calls", usageLimit: 500 });
	for (const id of ["extra", "needy", "alien"]) await sell(`/addons/${id}`, "PAID", flat(3.33, 33.3));
	await ours.call("PATCH", "/addons/extra", { body: { maxQuantity: 3 } });
	await ours.call("PATCH", "/addons/needy", { body: { dependencies: ["extra"] } });
	await ours.call("PATCH", "/plans/pro", { body: { compatibleAddonIds: ["extra", "needy"] } });
	for (const path of ["/addons/extra", "/addons/needy", "/addons/alien"]) await make.publish(path);
	for (const path of ["/plans/free", "/plans/pro", "/plans/basic", "/plans/custom"]) await make.publish(path);
	for (const [id, off] of Object.entries({
		TEN: { percentOff: 10 },
		FIVE: { amountsOff: [usd(5)] },
		OLD: { percentOff: 50 },
	}))
		await ours.call("POST", "/coupons", { body: { ...coupon, id, name: id, ...off } });
	await ours.call("POST", "/coupons/OLD/archive");
	await ours.call("POST", "/customers", { body: { id: "acme", name: "Acme Ltd", email: "billing@acme.test" } });
}

const coupon = { description: null, percentOff: null, amountsOff: null, durationInMonths: null, metadata: null };

/** Provisions, and insists that it worked. */
export async function provision({ call }: World, body: object): Promise<Answer["body"]> {
	const answer = await call("POST", "/subscriptions", { body: { customerId: "acme", ...body } });
	if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
	return answer.body.data;
}

/** The invoices of a customer, newest last. */
export const invoicesOf = async ({ call }: World, customer = "acme"): Promise<Answer["body"][]> =>
	(await call("GET", `/customers/${customer}/invoices`)).body.data;
