/** Creates the catalogue of a price list by calls of the API. */
import { maker } from "../areas/packages/catalogue";
import { gracePeriods } from "./history";
import {
	features,
	type ListedCharge,
	type ListedPackage,
	type ListedPhase,
	type ListedTerm,
	monthsOf,
	negotiated,
	type PriceList,
	type Reset,
} from "./price-list";

export type Ask = Parameters<typeof maker>[0]["call"];

/** Publishes the next version of a plan, at its other prices. */
export async function publishAgain(
	plan: ListedPackage,
	call: Ask,
	{ toAll, country }: { readonly toAll: boolean; readonly country: string | null },
): Promise<void> {
	const make = maker({ call });
	const path = `/plans/${plan.id}`;
	const { status, body } = await call("POST", `${path}/draft`);
	if (status > 201) throw new Error(JSON.stringify(body));
	await make.charge(path, chargesOf(plan, country));
	await make.publish(path, toAll ? "ALL_CUSTOMERS" : "NEW_CUSTOMERS");
}

/** Creates the product, features, plans, addons and coupons of a price list. */
export async function createPriceList(list: PriceList, call: Ask): Promise<void> {
	const make = maker({ call });
	const insist = async (method: string, path: string, body?: object) => {
		const answer = await call(method, path, { body });
		if (answer.status > 201) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
	};
	await make.product();
	await insist("PATCH", "/products/app", {
		multipleSubscriptions: list.isByResource,
		usageResetCutoffRule: { behavior: list.usageReset },
		productSettings: {
			subscriptionStartSetup: "PLAN_SELECTION",
			subscriptionEndSetup: "CANCEL_SUBSCRIPTION",
			subscriptionCancellationTime: "IMMEDIATE",
			prorateAtEndOfBillingPeriod: list.waits,
		},
	});
	for (const [id, { counts, divide, round }] of Object.entries(features)) {
		const isUsed = counts !== null;
		await make.feature(id, {
			featureType: "NUMBER",
			meterType: isUsed ? "INCREMENTAL" : "FLUCTUATING",
			...(divide !== undefined && {
				unitTransformation: { divide: Number(divide), round, featureUnits: "unit", featureUnitsPlural: "units" },
			}),
		});
		if (isUsed) await insist("PATCH", `/features/${id}`, { meter: meterOf(id, counts) });
	}
	for (const sold of [...list.addons, ...list.plans]) {
		const path = `/${sold.isAddon ? "addons" : "plans"}/${sold.id}`;
		await (sold.isAddon ? make.addon(sold.id) : make.plan(sold.id));
		for (const { feature, limit } of sold.adds)
			await make.entitle(path, { type: "FEATURE", id: feature, usageLimit: Number(limit) });
		await make.charge(path, chargesOf(sold, list.country));
		await make.publish(path);
	}
	await make.plan(negotiated);
	await make.charge(`/plans/${negotiated}`, { pricingType: "CUSTOM" });
	await make.publish(`/plans/${negotiated}`);
	for (const { id, percent, amounts, months } of list.coupons)
		await insist("POST", "/coupons", {
			id,
			name: id,
			description: null,
			metadata: null,
			percentOff: percent === null ? null : Number(percent),
			amountsOff: amounts?.map(({ amount, currency }) => ({ amount: Number(amount), currency })) ?? null,
			durationInMonths: months,
		});
}

/** Creates a legal entity for each grace period, by its days. */
export async function createEntities(call: Ask): Promise<Map<number, string>> {
	const entities = new Map<number, string>();
	for (const days of gracePeriods) {
		const { status, body } = await call("POST", "/legal-entities", {
			body: {
				name: `Grace ${days}`,
				numberFormat: { invoicePrefix: `G${days}I-`, creditNotePrefix: `G${days}C-` },
				invoiceGracePeriodDays: days,
			},
		});
		if (status !== 201) throw new Error(JSON.stringify(body));
		entities.set(days, body.data.id);
	}
	return entities;
}

const meterOf = (eventName: string, aggregation: "SUM" | "MAX") => ({
	aggregation: { function: aggregation, field: "n" },
	filters: [{ conditions: [{ field: "eventName", operation: "EQUALS", value: eventName }] }],
});

function chargesOf(
	{
		charges,
		abroad,
		abroadCurrency,
		others = [],
		minimums,
		currency,
		isAddon,
		isOverageMonthly,
		anchor,
		phases,
		term,
	}: ListedPackage,
	country: string | null,
): object {
	if (charges.length === 0) return { pricingType: "FREE" };
	const moneyIn = (inCurrency: string) => (amount: string) => ({ amount: Number(amount), currency: inCurrency });
	const money = moneyIn(currency);
	const pricesOf = (
		{ block, prices, interval }: Pick<ListedCharge, "block" | "prices" | "interval">,
		money: (amount: string) => object,
		billingCountryCode?: string,
	) =>
		prices.map(({ cycle, amount, tiers, lowest, highest }) => ({
			billingPeriod: cycle,
			...(billingCountryCode !== undefined && { billingCountryCode }),
			...(amount !== undefined && { price: money(amount) }),
			...(block !== undefined && { blockSize: Number(block) }),
			...(interval && { chargeInterval: { unit: "MONTH", count: monthsOf[interval] } }),
			...(lowest !== undefined && { minimumAmount: Number(lowest) }),
			...(highest !== undefined && { maximumAmount: Number(highest) }),
			...(tiers && {
				tiers: tiers.map(({ upTo, unit, flat }) => ({
					...(upTo !== null && { upTo: Number(upTo) }),
					...(unit !== null && { unitPrice: money(unit) }),
					...(flat !== null && { flatPrice: money(flat) }),
				})),
			}),
		}));
	const abroadOf = (charge: ListedCharge): ListedCharge | undefined => abroad?.[charges.indexOf(charge)];
	const modelOf = (charge: ListedCharge) => {
		const { model, feature, isOnce, mode, least, beyond, prorated, keepsPaid, isWhole, inArrears } = charge;
		const foreign = country === null ? undefined : abroadOf(charge);
		return {
			billingModel: model,
			...(feature !== undefined && { featureId: feature }),
			...(isOnce && { billingCadence: "ONE_OFF" }),
			...(mode && { tiersMode: mode }),
			...(charge.chargesUnused && { chargesFlatPriceUnused: true }),
			...(prorated && !isOnce && { prorationMode: prorated }),
			...(isWhole && !isOnce && { prorationMode: "NONE" }),
			...(keepsPaid && !isOnce && { refundsUnusedTime: false }),
			...(inArrears && { paymentTime: "IN_ARREARS" }),
			...(least !== undefined && { minUnitQuantity: least }),
			...(beyond && {
				entitlement: { featureId: feature, usageLimit: Number(beyond.limit), ...resetOf(beyond.reset) },
			}),
			pricePeriods: [
				...pricesOf(charge, money),
				...(foreign ? pricesOf(foreign, moneyIn(abroadCurrency ?? currency), country ?? undefined) : []),
				...others.flatMap((other) => {
					const prices = other.prices[charges.indexOf(charge)] ?? [];
					const inCountry = other.isAbroad && country !== null ? country : undefined;
					return pricesOf({ ...charge, prices }, moneyIn(other.currency), inCountry);
				}),
			],
		};
	};
	const overage = charges.filter(({ beyond }) => beyond);
	const phaseOf = ({ id, duration, percent, charges: own }: ListedPhase) => ({
		...{ id, duration },
		...(percent !== undefined && { percentOff: Number(percent) }),
		...(own && { charges: { pricingModels: own.map(modelOf) } }),
	});
	return {
		pricingType: "PAID",
		...(phases && { phases: phases.map(phaseOf) }),
		...(term && { term: termOf(term) }),
		...(anchor && { billingAnchor: anchor }),
		pricingModels: charges.filter(({ beyond }) => !beyond).map(modelOf),
		...(overage.length > 0 && { overagePricingModels: overage.map(modelOf) }),
		...(!isAddon && { overageBillingPeriod: isOverageMonthly ? "MONTHLY" : "ON_SUBSCRIPTION_RENEWAL" }),
		...(minimums.length > 0 && {
			minimumSpend: [{ currency, minimums }, ...others].flatMap((one) =>
				one.minimums.map(({ cycle, amount }) => ({ billingPeriod: cycle, minimum: moneyIn(one.currency)(amount) })),
			),
		}),
	};
}

const termOf = ({ months, renewal, early }: ListedTerm): object => ({
	...{ months, earlyCancellation: early, autoRenew: renewal !== null },
	...(renewal && {
		renewalMonths: renewal.months,
		noticePeriodDays: renewal.notice,
		upliftPercentage: Number(renewal.percent),
		upliftsUsage: renewal.upliftsUsage,
	}),
});

function resetOf(reset: Reset): object {
	switch (reset) {
		case "MONTH from the start":
			return { resetPeriod: "MONTH", monthlyResetPeriodConfiguration: { accordingTo: "SubscriptionStart" } };
		case "MONTH from the first":
			return { resetPeriod: "MONTH", monthlyResetPeriodConfiguration: { accordingTo: "StartOfTheMonth" } };
		case "YEAR":
			return { resetPeriod: "YEAR", yearlyResetPeriodConfiguration: { accordingTo: "SubscriptionStart" } };
		case "WEEK":
			return { resetPeriod: "WEEK", weeklyResetPeriodConfiguration: { accordingTo: "SubscriptionStart" } };
		case "DAY":
			return { resetPeriod: "DAY" };
	}
}
