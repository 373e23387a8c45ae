import { and, asc, eq, gt } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import { exact } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import { featuresByIds, findMeterOf } from "../../features/operations";
import { type IssuedLine, linesOfSubscriptions } from "../../invoices/operations.check-documents";
import { chargesOf, findVersionOf } from "../../packages/operations";
import type { ChargeRow } from "../../packages/table";
import type { LineBasis } from "../../pricing/basis";
import { currencyOfCharge } from "../../pricing/models/charge";
import { countedEvents } from "../../usage/operations";
import { selectOfProduct } from "../store";
import { selectPendingUpdates } from "../store.updates";
import { type SubscriptionRow, subscriptions } from "../table";
import { meteredBy, quantityIn } from "./counted-usage";
import { chainOf } from "./issue";
import {
	chargedNowhere,
	chargedTwice,
	isPeriodCharge,
	leftOutBefore,
	stepsOf,
	toldOf,
	windowDifferences,
} from "./rules.check";
import { scheduleDifferences } from "./rules.check-schedule";
import { selectUsageBills, selectUsageMarks, selectUsagePrices } from "./store.usage-bills";
import type { SubscriptionUsageBillRow } from "./table.usage-bills";

/** How many subscriptions are held in memory at once; of one place, its documents. */
const subscriptionsAtOnceMax = 100;

/** So many versions' prices are remembered. */
const versionsMax = 500;

/**
 * Where what subscriptions were invoiced and what is held of them differ: a period that is charged twice or left out, a price
 * that is not the catalogue's, usage that is billed otherwise than was recorded or counted, a charge beside the contract, a
 * subscription that nobody would bill, or at another time than its terms say.
 * `beyond`: of subscriptions with greater row ids.
 */
export function* checkSubscriptionBills(work: Work, beyond = ""): Generator<string> {
	const prices = pricesOfVersions(work);
	for (let after = beyond; ; ) {
		const rows = readSubscriptions(work, after);
		const last = rows.at(-1);
		if (!last) return;
		const updates = firstUpdates(work, rows);
		for (const row of rows) {
			yield* scheduleDifferences(`the subscription ${row.refId}`, row, updates.get(row.id) ?? null, work.now);
			const place = placeOf(work, row);
			// What one place was charged is looked at once: with the first that was there.
			if (place.some(({ id }) => id < row.id)) continue;
			yield* checkPlace(work, place, prices);
		}
		after = last.id;
	}
}

/** When the first of the scheduled updates of each subscription comes. */
const firstUpdates = (work: Work, rows: readonly SubscriptionRow[]): Map<string, Instant> =>
	new Map(
		selectPendingUpdates(
			work,
			rows.map(({ id }) => id),
		)
			.toReversed()
			.map(({ subscriptionId, executeAt }) => [subscriptionId, executeAt]),
	);

/** Those that follow each other for one customer, product and resource. */
const placeOf = (work: Work, { customerId, productId, resourceId }: SubscriptionRow): SubscriptionRow[] =>
	selectOfProduct(work, customerId, productId).filter((one) => one.resourceId === resourceId);

type PricesOf = ReturnType<typeof pricesOfVersions>;

function* checkPlace(work: Work, place: readonly SubscriptionRow[], prices: PricesOf): Generator<string> {
	const [first] = place;
	if (!first) return;
	// What was moved to another resource may have left what it had replaced behind.
	const rows = selectOfProduct(work, first.customerId, first.productId);
	const all = chainOf(rows, place);
	const lines = linesOf(work, all);
	// What took their place, and billed what was left to bill, may have been moved too.
	const followers = rows.filter(
		({ id, replacesId }) => !all.some((one) => one.id === id) && place.some((one) => one.id === replacesId),
	);
	const settling = [...lines, ...linesOf(work, followers)];
	yield* chargedTwice(lines);
	yield* leftOutBefore(lines);
	for (const one of lines) {
		yield* besideContract(one);
		yield* prices.differences(one);
	}
	const bills = new Map([...all, ...followers].map((row) => [row.id, selectUsageBills(work, row)]));
	for (const row of place) {
		yield* chargedNowhere(`the subscription ${row.refId}`, row.charged, settling);
		const others = [...bills].flatMap(([id, rows]) => (id === row.id ? [] : rows));
		yield* checkUsage(work, row, bills.get(row.id) ?? [], others, settling);
	}
}

const linesOf = (work: Work, rows: readonly SubscriptionRow[]): IssuedLine[] => [
	...linesOfSubscriptions(
		work,
		rows.map(({ id }) => id),
		rows.flatMap(({ customerId, payingCustomerId }) => [customerId, ...(payingCustomerId ? [payingCustomerId] : [])]),
	),
	...rows.flatMap(waitingLines),
];

/** Prorations that wait for the next invoice are charged, though they stand on none. */
const waitingLines = ({ id, refId, prorations }: SubscriptionRow): IssuedLine[] =>
	(prorations?.lines ?? []).map(({ period, ...line }) => ({
		named: `what waits for the next invoice of the subscription ${refId} (${line.description})`,
		documentId: id,
		line: { ...line, periodStart: period?.start ?? null, periodEnd: period?.end ?? null },
	}));

/** What is on a contract is invoiced by it, and by nothing else. */
function* besideContract({ named, line, invoice }: IssuedLine): Generator<string> {
	if (invoice?.contractId != null && isPeriodCharge(line) && exact(line.amount).gt(0))
		yield `${named}: charges a subscription that is on a contract`;
}

/** The prices of versions, each read once; as many as are looked at together. */
function pricesOfVersions(work: Work) {
	const known = new Map<string, readonly ChargeRow[]>();
	const chargesIn = (kind: "PLAN" | "ADDON", refId: string, version: number): readonly ChargeRow[] => {
		const key = [kind, version, refId].join();
		const kept = known.get(key);
		if (kept) return kept;
		if (known.size >= versionsMax) known.clear();
		const row = findVersionOf(work, kind, refId, version);
		const charges = row ? chargesOf(work, row.id) : [];
		known.set(key, charges);
		return charges;
	};
	return {
		/** A line's price is one of the version that it names, unless the subscription had its own. */
		*differences({ named, line: { basis, addonRefId } }: IssuedLine): Generator<string> {
			const { charge, pricedBy } = basis ?? {};
			if (!charge || !pricedBy || pricedBy.isOwn) return;
			const { packageRefId, version } = pricedBy;
			const stated = comparable(charge);
			if (
				chargesIn(addonRefId === null ? "PLAN" : "ADDON", packageRefId, version).some(
					(row) => comparable(row) === stated,
				)
			)
				return;
			yield `${named}: its price ${stated} is none of version ${version} of ${packageRefId}`;
		},
	};
}

type PriceOfLine = NonNullable<LineBasis["charge"]>;

const comparable = ({ billingModel, isOverage = false, price, tiersMode, tiers, blockSize }: PriceOfLine): string =>
	JSON.stringify({
		billingModel,
		isOverage,
		price: price && [price.amount, price.currency],
		tiersMode,
		tiers: tiers?.map(({ upTo, unitPrice, flatPrice }) => [upTo, unitPrice?.amount, flatPrice?.amount]),
		blockSize,
	});

/** The windows of usage of a subscription: billed as recorded, and recorded as counted. */
function* checkUsage(
	work: Work,
	row: SubscriptionRow,
	bills: readonly SubscriptionUsageBillRow[],
	others: readonly SubscriptionUsageBillRow[],
	lines: readonly IssuedLine[],
): Generator<string> {
	const features = featuresByIds(
		work,
		bills.map(({ featureId }) => featureId),
	);
	const marks = selectUsageMarks(work, row);
	for (const bill of bills) {
		const { kind, featureId, windowStart, pricesId } = bill;
		const featureRefId = features.get(featureId)?.refId;
		if (featureRefId === undefined || pricesId === null || bill.windowEnd === null) continue;
		const named = `the subscription ${row.refId}, ${kind} of ${featureRefId} for ${toldOf({ start: windowStart, end: bill.windowEnd })}`;
		// Where two of one place count a window, its lines do not say whose they are.
		const isShared = others.some(
			(one) => one.kind === kind && one.featureId === featureId && one.windowStart === windowStart,
		);
		const steps = isShared ? undefined : stepsOf(lines, { kind, featureRefId, windowStart });
		const costsMoney = selectUsagePrices(work, pricesId).some(({ charge }) => currencyOfCharge(charge));
		if (steps && costsMoney) yield* windowDifferences(named, kind, steps, bill.quantity);
		const meterId = marks.find((mark) => mark.kind === kind && mark.featureId === featureId)?.meterId ?? null;
		yield* checkCounted(work, row, bill, { named, featureRefId, meterId });
	}
}

/**
 * As long as nothing came to a window and nothing was taken back since it was billed, by the same meter, it comes to no more than was
 * billed. What came since is late usage, which the next bill takes up.
 */
function* checkCounted(
	work: Work,
	row: SubscriptionRow,
	{
		featureId,
		windowStart: start,
		windowEnd: end,
		quantity,
		averagedOverMs,
		events,
		updatedAt,
	}: SubscriptionUsageBillRow,
	{ named, featureRefId, meterId }: { named: string; featureRefId: string; meterId: string | null },
): Generator<string> {
	if (end === null || events === null || meterId === null) return;
	const of = meteredBy(work, row)(featureId);
	const counted = countedEvents(work, of);
	if (counted.meterId !== meterId || counted.isLevel || counted.within({ start, end }) !== events) return;
	if (meteredSince(work, featureRefId) > updatedAt) return;
	const now = quantityIn(work, of, { start, end }, averagedOverMs);
	// Less is what was taken back after it had been billed: it is not refunded.
	if (exact(now).gt(quantity)) yield `${named}: ${quantity} counts as billed, its ${events} events make ${now}`;
}

const meteredSince = (work: Work, featureRefId: string): Instant =>
	findMeterOf(work, featureRefId)?.createdAt ?? (0 as Instant);

const readSubscriptions = ({ tx, actor }: Work, after: string): SubscriptionRow[] =>
	tx
		.select()
		.from(subscriptions)
		.where(and(eq(subscriptions.environmentId, actor.environmentId), gt(subscriptions.id, after)))
		.orderBy(asc(subscriptions.id))
		.limit(subscriptionsAtOnceMax)
		.all();
