import { dayMs } from "../simulated-subscriptions/calendar";
import type { Random } from "../simulated-subscriptions/random";
import type { Catalogue } from "./catalogue";
import { iso, type Request } from "./plan";

interface Situation {
	readonly catalogue: Catalogue;
	/** The customer. Its first subscription is `ID-s`. */
	readonly id: string;
	readonly now: number;
	/** The act; missing: a random one. */
	readonly act?: keyof typeof acts;
}

const post = (path: string, body?: unknown): Request => ({ method: "POST", path, ...(body !== undefined && { body }) });

/** Returns the requests of a customer's act. Some are rejected, for example those after a cancellation. */
export function customerAct(random: Random, { act, ...situation }: Situation): Request[] {
	return acts[act ?? random.oneOf(actNames)](random, situation);
}

const acts = {
	subscribe: (random: Random, { catalogue, id }: Situation): Request[] => [
		post("/subscriptions", subscription(random, catalogue, id, `${id}-s`)),
	],

	"preview and replace": (random: Random, { catalogue, id, now }: Situation): Request[] => {
		const { id: _, budget: __, minimumSpend: ___, ...previewed } = subscription(random, catalogue, id, `${id}-${now}`);
		return [
			post("/subscriptions/preview", previewed),
			post("/subscriptions", { ...previewed, id: `${id}-${now}`, scheduleStrategy: "IMMEDIATE" }),
		];
	},

	change: (random: Random, { catalogue, id, now }: Situation): Request[] => {
		const path = `/subscriptions/${id}-s`;
		const coupons = catalogue.coupons ?? [];
		const body = random.oneOf([
			{ charges: unitsOf(random, catalogue), addons: addonsOf(random, catalogue) },
			{ budget: random.oneOf([null, { limit: random.whole(1, 200), hasSoftLimit: random.chance(0.5) }]) },
			{ billingInformation: { taxPercentage: Number(random.decimal(25, 2)), invoiceDaysUntilDue: 14 } },
			coupons.length > 0 ? { appliedCoupon: { couponId: random.oneOf(coupons).id } } : { metadata: { at: iso(now) } },
			{ appliedCoupon: { discount: { name: "Friends", percentOff: Number(random.decimal(40, 1)) } } },
			{ billingPeriod: random.oneOf(["MONTHLY", "ANNUALLY"]), scheduleStrategy: "END_OF_BILLING_PERIOD" },
		]);
		return [{ method: "PATCH", path, body }];
	},

	"send events": (random: Random, { catalogue, id, now }: Situation): Request[] => {
		const meters = catalogue.features.flatMap(({ meter }) => (meter ? [meter] : []));
		const events = Array.from({ length: random.whole(1, 12) }, (_, nth) => {
			const { aggregation, filters } = random.oneOf(meters);
			const conditions = filters[0]?.conditions ?? [];
			const named = conditions.find(({ field }) => field === "eventName");
			const others = conditions.filter(({ field, value }) => field !== "eventName" && value !== undefined);
			const field = aggregation.field ?? "n";
			return {
				eventName: named?.value ?? "message_sent",
				customerId: id,
				idempotencyKey: `${id}-${now}-${nth}`,
				timestamp: iso(now - random.oneOf([0, random.whole(0, 20) * dayMs])),
				dimensions: {
					...Object.fromEntries(others.map((one) => [one.field, one.value ?? ""])),
					[field]: aggregation.function === "UNIQUE" ? `u${random.whole(1, 9)}` : Number(random.decimal(900, 2)),
					...{ input: random.whole(0, 5000), output: random.whole(0, 900), host: "a" },
				},
			};
		});
		const waitsFor = catalogue.currencies ? ("credits" as const) : ("usage" as const);
		const request = { ...post("/events", { events }), waitsFor };
		// The second request repeats the events.
		return random.chance(0.2) ? [request, request] : [request];
	},

	"report usage": (random: Random, { catalogue, id, now }: Situation): Request[] => {
		const reported = reportedFeatures(catalogue);
		const { id: featureId } = random.oneOf(reported.length > 0 ? reported : catalogue.features);
		const usage = { customerId: id, featureId, value: random.whole(1, 40) };
		return [
			post("/usage/estimate", usage),
			{
				...post("/usage", {
					usages: [
						{ ...usage, updateBehavior: random.oneOf(["SET", "DELTA"]), idempotencyKey: `${id}-${now}` },
						{ ...usage, value: -1, createdAt: iso(now - dayMs) },
					],
				}),
				waitsFor: "usage",
			},
			{ ...post(`/customers/${id}/entitlements/${featureId}/consume`, { amount: 2 }), waitsFor: "usage" },
		];
	},

	"buy credits": (random: Random, { catalogue, id, now }: Situation): Request[] => {
		const grant = { customerId: id, currencyId: currencyOf(random, catalogue), amount: random.whole(1, 500) };
		const paid = { grantType: "PAID", cost: { amount: Number(random.decimal(90, 2)), currency: "usd" } };
		const [first, second] = [`Pack ${iso(now)}`, `Gift ${iso(now)}`];
		return [
			post("/credits/grants", {
				...grant,
				...paid,
				displayName: first,
				paymentCollectionMethod: random.oneOf(["INVOICE", "NONE"]),
				...(random.chance(0.4) && { expireAt: iso(now + random.whole(5, 200) * dayMs) }),
			}),
			post("/credits/grants", {
				...grant,
				...{ grantType: "PROMOTIONAL", displayName: second, priority: random.whole(1, 90) },
				...(random.chance(0.3) && { effectiveAt: iso(now + random.whole(1, 40) * dayMs) }),
			}),
			...(random.chance(0.2) ? [post(`/credits/grants/{grant:${id}:${second}}/void`)] : []),
		];
	},

	"consume credits": (random: Random, { catalogue, id, now }: Situation): Request[] => [
		post("/credits/consumption", {
			...{ customerId: id, currencyId: currencyOf(random, catalogue), idempotencyKey: `${id}-${now}` },
			...{ amount: Number(random.decimal(300, 2)), dimensions: { region: random.oneOf(["eu", "us"]) } },
		}),
	],

	"grant features": (random: Random, { catalogue, id }: Situation): Request[] => {
		const feature = random.oneOf(catalogue.features);
		const limit = feature.featureType === "NUMBER" ? { usageLimit: random.whole(1, 90) } : {};
		const month = { resetPeriod: "MONTH", monthlyResetPeriodConfiguration: { accordingTo: "StartOfTheMonth" } };
		const granted = {
			...{ featureId: feature.id, period: random.oneOf(["1 month", "1 year", "lifetime"]), customEndDate: null },
			...{ usageLimit: null, hasUnlimitedUsage: null, hasSoftLimit: null, isVisible: null, enumValues: null },
			...{ resetPeriod: null, yearlyResetPeriodConfiguration: null, monthlyResetPeriodConfiguration: null },
			...{ weeklyResetPeriodConfiguration: null, ...limit },
			...(feature.meterType === "INCREMENTAL" && month),
		};
		return [post(`/customers/${id}/promotional-entitlements`, { promotionalEntitlements: [granted] })];
	},

	"settle an invoice": (random: Random, { id }: Situation): Request[] => {
		const path = `/customers/${id}/invoices/{invoice:${id}:${random.whole(0, 3)}}`;
		const amount = Number(random.decimal(40, 2));
		return [
			random.oneOf([
				post(`${path}/paid`, {}),
				post(`${path}/payments`, { amount, method: "BANK_TRANSFER", reference: "R-1" }),
				post(`${path}/payments`, { amount: 0.5, kind: "REFUND" }),
				post(`${path}/credit-note`, { reasonCode: "WAIVER" }),
				post(`${path}/credit-note`, { amount: 1.25 }),
				post(`/customers/${id}/balance/entries`, { amount, currency: "usd", reason: "Goodwill" }),
			]),
		];
	},

	"simulate and publish": (random: Random, { catalogue }: Situation): Request[] => {
		const { id } = random.oneOf(catalogue.plans);
		const migrationType = random.oneOf(["NEW_CUSTOMERS", "ALL_CUSTOMERS"]);
		return [post(`/plans/${id}/draft`), { ...post(`/plans/${id}/publish`, { migrationType }), waitsFor: "tasks" }];
	},

	// A report is compared with alerts at once, an event at some time later.
	"set alerts": (random: Random, { catalogue, id }: Situation): Request[] => [
		...random
			.some(reportedFeatures(catalogue), 0.7)
			.map(({ id: featureId }) =>
				post("/usage-alerts", { featureId, customerId: id, type: "ABSOLUTE", threshold: random.whole(1, 50) }),
			),
		{
			...{ method: "PUT", path: "/credits/auto-recharge" },
			body: {
				...{ customerId: id, currencyId: currencyOf(random, catalogue), isEnabled: random.chance(0.5) },
				...{ thresholdType: "CREDIT_AMOUNT", thresholdValue: 5, targetBalance: 100, grantExpirationPeriod: "1_YEAR" },
			},
		},
	],

	cancel: (random: Random, { id }: Situation): Request[] =>
		random.chance(0.5)
			? []
			: [
					post(`/subscriptions/${id}-s/cancel`, {
						...{ cancellationTime: random.oneOf(["IMMEDIATE", "END_OF_BILLING_PERIOD"]) },
						...{ prorate: random.chance(0.5) },
					}),
				],
};

const frequent = ["send events", "report usage", "consume credits", "buy credits", "change"] as const;
const actNames = [...(Object.keys(acts) as Array<keyof typeof acts>), ...frequent].filter(
	(name) => name !== "subscribe",
);

/** Returns the features whose usage is reported, not counted from events. */
const reportedFeatures = ({ features }: Catalogue) =>
	features.filter(({ featureType, meter }) => featureType === "NUMBER" && !meter);

const currencyOf = (random: Random, { currencies = [] }: Catalogue): string =>
	currencies.length === 0 ? "none" : random.oneOf(currencies).id;

function subscription(random: Random, catalogue: Catalogue, customerId: string, id: string) {
	const plan = random.oneOf(catalogue.plans);
	const periods = plan.charges?.pricingModels?.flatMap(({ pricePeriods }) =>
		pricePeriods.map(({ billingPeriod }) => billingPeriod),
	);
	const isPaid = plan.charges?.pricingType === "PAID";
	const isMultiple = catalogue.products.some((product) => product.multipleSubscriptions);
	const coupons = catalogue.coupons ?? [];
	return {
		...{ id, customerId, planId: plan.id },
		...(isMultiple && random.chance(0.3) && { resourceId: random.oneOf(["r1", "r2"]) }),
		...(periods && { billingPeriod: random.oneOf(periods) }),
		...(isPaid && { charges: unitsOf(random, catalogue, plan.id) }),
		...(isPaid && random.chance(0.4) && { addons: addonsOf(random, catalogue) }),
		...(isPaid && random.chance(0.25) && { billingCountryCode: "DE" }),
		...(coupons.length > 0 && random.chance(0.3) && { appliedCoupon: { couponId: random.oneOf(coupons).id } }),
		...(isPaid && random.chance(0.3) && { billingInformation: { taxPercentage: 19 } }),
		...(isPaid && random.chance(0.2) && { budget: { limit: random.whole(10, 300), hasSoftLimit: true } }),
		...(isPaid && random.chance(0.2) && { minimumSpend: { amount: random.whole(10, 80), currency: "usd" } }),
		...(isPaid && random.chance(0.7) && { trialOverrideConfiguration: { isTrial: false } }),
	};
}

/** The units of the features that plans price by the unit. */
function unitsOf(random: Random, { plans }: Catalogue, planId?: string) {
	const models = plans
		.filter(({ id }) => planId === undefined || id === planId)
		.flatMap(({ charges }) => charges?.pricingModels ?? [])
		.filter(({ billingModel, featureId }) => billingModel === "PER_UNIT" && featureId !== undefined);
	const ids = [...new Set(models.map(({ featureId = "" }) => featureId))];
	return ids.map((id) => ({ id, quantity: random.whole(3, 60), type: "FEATURE" }));
}

const addonsOf = (random: Random, { addons = [] }: Catalogue) =>
	random.some(addons, 0.4).map(({ id }) => ({ id, quantity: random.oneOf([1, 1, 2]) }));
